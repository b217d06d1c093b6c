import { rank, type Who } from '@croupier/table'
import type { Event, Move, Spot, UseSpecial } from '../../protocol/cambia'
import { t } from './words'

/** What a card counts. */
export function value(face: string): number {
  if (face === 'K♥' || face === 'K♦') return -1
  const named: Record<string, number> = { '★': 0, A: 1, J: 11, Q: 12, K: 13 }
  return named[rank(face)] ?? Number(rank(face))
}

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

/** Somebody, as sentences speak of them. */
export const who = (names: Names, seat: number): Who => (seat === names.own ? null : names(seat))

/** Where a card lies: whose hand it is, and which card of it. */
export interface Place {
  owner: Who
  number: number
}

const place = (names: Names, spot: Spot): Place | null =>
  spot.owner === null || spot.idx === null ? null : { owner: who(names, spot.owner), number: spot.idx + 1 }

/** What the latest fact meant: the most telling of its events. A face is named only as long as it lies open. */
export function news(events: readonly Event[], names: Names): string {
  let found: string[] = []
  for (const event of events) {
    const actor = 'seat' in event ? who(names, event.seat) : null
    switch (event.event) {
      case 'dealt':
        found = [t.dealt]
        break
      case 'reshuffled':
        found = [t.reshuffled]
        break
      case 'drew':
        found.push(event.source === 'discardpile' ? t.drawsOpen(actor, event.face!) : t.draws(actor))
        break
      case 'discarded':
        found = [event.idx === null ? t.throws(actor, event.face) : t.keepsAndThrows(actor, event.idx + 1, event.face)]
        break
      case 'peeked':
        found = [t.looks(actor, place(names, event.card))]
        break
      case 'revealed':
        found = [t.looksAtTwo(actor, place(names, event.card1), place(names, event.card2))]
        break
      case 'swapped':
        found = [t.swaps(actor, place(names, event.card1), place(names, event.card2))]
        break
      case 'card_gone':
        found = [t.oneIsGone]
        break
      case 'skipped':
        if (found[0] !== t.oneIsGone) found = [t.leavesIt(actor)]
        break
      case 'called':
        found = [t.calls(actor)]
        break
      case 'snapped':
        found = [event.owner === event.seat ? t.snaps(actor, event.face) : t.snapsOf(actor, event.face, who(names, event.owner))]
        break
      case 'snap_failed':
        if (!event.card) found = [t.snapsNothing(actor)]
        else found = [event.face ? t.snapsWrong(actor, place(names, event.card)) : t.snapsLate(actor, place(names, event.card))]
        break
      case 'penalised':
        if (event.count === event.total) found.push(t.penalty(event.total))
        break
      case 'given':
        found = [event.card ? t.gives(actor, who(names, event.target)) : t.givesNothing(actor, who(names, event.target))]
        break
      case 'forfeited':
        found = [t.forfeits(actor)]
        break
      case 'ended':
        found = [t.ends[event.outcome.reason]]
        break
      case 'round_started':
        found = [t.roundBegins(event.round)]
        break
    }
  }
  return found.join(' ')
}

/** What a tap on a card does. */
export type Verb = 'snap' | 'give' | 'replace' | 'choose' | 'look' | 'lift'

/** What a tap on a card would do now, and which cards it can be done with. */
export interface Touch {
  kind: 'act' | 'pick' | 'snap' | 'lift'
  /** For who can't see it. */
  verb: Verb
  targets: ReadonlySet<string>
  chosen: ReadonlySet<string>
  tap: (card: string) => void
}
