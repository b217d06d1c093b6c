import { cardName, rank, rankName } from '../../cards/suits'
import type { Event, Move, Spot, UseSpecial } from '../../protocol/cambia'

/** What a card counts. */
export function value(face: string): number {
  if (face === 'K♥' || face === 'K♦') return -1
  const named: Record<string, number> = { '★': 0, A: 1, J: 11, Q: 12, K: 13 }
  return named[rank(face)] ?? Number(rank(face))
}

/** A number as it is printed. */
export const points = (number: number) => String(number).replace('-', '−')

/** "the 9 of clubs", "a Joker". */
export const theCard = (face: string) => (rank(face) === '★' ? 'a Joker' : `the ${cardName(face)}`)

/** What is to be snapped: "a 9", "an Ace". */
export const aRank = (face: string) => `${/^[A8]/.test(face) ? 'an' : 'a'} ${rankName(rank(face))}`

/** The moves of one kind that are offered. */
export function offers<K extends Move['move']>(moves: readonly Move[], kind: K): Extract<Move, { move: K }>[] {
  return moves.filter((move): move is Extract<Move, { move: K }> => move.move === kind)
}

/** The offered special with these cards, whichever comes first. */
export function special(moves: readonly Move[], ...cards: string[]): UseSpecial | undefined {
  return offers(moves, 'use_special').find((move) => {
    const named = [move.card1?.card, move.card2?.card].filter((card) => card !== undefined)
    return named.length === cards.length && cards.every((card) => named.includes(card))
  })
}

/** How somebody is called, and who we are. */
export interface Names {
  (seat: number): string
  own: number | null
}

const isOwn = (names: Names, seat: number | null) => seat !== null && seat === names.own
/** "Ann draws", "You draw". */
export const does = (names: Names, seat: number, verb: string, third = `${verb}s`) => (isOwn(names, seat) ? `You ${verb}` : `${names(seat)} ${third}`)
const whom = (names: Names, seat: number) => (isOwn(names, seat) ? 'you' : names(seat))
const whose = (names: Names, seat: number) => (isOwn(names, seat) ? 'your' : `${names(seat)}’s`)

/** Where a card lies: "your card 2", "Ann’s card 1". */
const at = (names: Names, spot: Spot) => (spot.owner === null || spot.idx === null ? 'a card' : `${whose(names, spot.owner)} card ${spot.idx + 1}`)

/** What the latest fact meant: the most telling of its events. A face is named only as long as it lies open. */
export function news(events: readonly Event[], names: Names): string {
  let found = ''
  for (const event of events) {
    switch (event.event) {
      case 'dealt':
        found = 'The cards are dealt.'
        break
      case 'reshuffled':
        found = 'The discard pile was reshuffled.'
        break
      case 'drew':
        found = `${found} ${does(names, event.seat, 'draw')} ${event.source === 'discardpile' ? `${theCard(event.face!)} from the pile` : 'a card'}.`.trim()
        break
      case 'replaced':
        found = `${does(names, event.seat, 'keep')} it as card ${event.idx + 1}`
        break
      case 'discarded':
        found = event.idx === null ? `${does(names, event.seat, 'throw')} ${theCard(event.face)}.` : `${found} and ${isOwn(names, event.seat) ? 'throw' : 'throws'} ${theCard(event.face)}.`
        break
      case 'peeked':
        found = `${does(names, event.seat, 'look')} at ${at(names, event.card)}.`
        break
      case 'revealed':
        found = `${does(names, event.seat, 'look')} at ${at(names, event.card1)} and ${at(names, event.card2)}.`
        break
      case 'swapped':
        found = `${does(names, event.seat, 'swap')} ${at(names, event.card1)} and ${at(names, event.card2)}.`
        break
      case 'card_gone':
        found = 'Too late: one of the two cards is gone.'
        break
      case 'skipped':
        if (!found.startsWith('Too late')) found = `${does(names, event.seat, 'leave')} it at that.`
        break
      case 'called':
        found = `${does(names, event.seat, 'call')} Cambia!`
        break
      case 'snapped':
        found = `${does(names, event.seat, 'snap')} ${theCard(event.face)}${event.owner === event.seat ? '' : ` of ${whom(names, event.owner)}`}!`
        break
      case 'snap_failed':
        found = `${does(names, event.seat, 'snap')} ${event.card ? at(names, event.card) : 'a card that is gone'}: ${event.face ? 'wrong' : 'too late'}.`
        break
      case 'penalised':
        if (event.count === event.total) found = `${found} ${event.total === 1 ? 'A penalty card' : `${event.total} penalty cards`}.`
        break
      case 'given':
        found = `${does(names, event.seat, 'give')} ${whom(names, event.target)} ${event.card ? 'a card' : 'nothing'}.`
        break
      case 'forfeited':
        found = `${does(names, event.seat, 'are', 'is')} out of the game.`
        break
      case 'ended':
        found = ENDS[event.outcome.reason]
        break
      case 'round_started':
        found = `Round ${event.round} begins.`
        break
    }
  }
  return found
}

const ENDS = {
  cambia: 'The last turn is over: all cards are turned over.',
  deck_exhausted: 'There is no card left to draw: all cards are turned over.',
  forfeit: 'Nobody else is left.',
  max_turns: 'That was the last turn: all cards are turned over.',
}

/** What a tap on a card would do now, and which cards it can be done with. */
export interface Touch {
  kind: 'act' | 'pick' | 'snap' | 'lift'
  /** For who can't see it: "Give", "Look at". */
  verb: string
  targets: ReadonlySet<string>
  chosen: ReadonlySet<string>
  tap: (card: string) => void
}
