import type { CardView, Event, Move, Place, RequestView, StackView, View } from '../../protocol/fortress'
import { called, CARDS } from './cards'

/** The seven slots of a field, in the order in which a view has them. */
export const SLOTS = [
  ['soldier', 1],
  ['soldier', 2],
  ['mage', 1],
  ['mage', 2],
  ['trickster', 1],
  ['trickster', 2],
  ['decree', 1],
] as const

export type Zone = Place['zone']
export const key = (place: Place) => `${place.seat} ${place.zone} ${place.number}`
export const at = (seat: number, zone: Zone, number = 1): Place => ({ seat, zone, number })

export function unit(view: View, place: Place): CardView | null {
  const slot = SLOTS.findIndex(([zone, number]) => zone === place.zone && number === place.number)
  return view.sides[place.seat]!.field[slot] ?? null
}

/** Which card lies there, as far as we know. */
export function card(view: View, place: Place): number | null {
  const side = view.sides[place.seat]!
  if (place.zone === 'castle') return side.castle
  if (place.zone === 'hand') return side.hand?.[place.number - 1] ?? null
  if (place.zone === 'discard') return side.discard[place.number - 1] ?? null
  return unit(view, place)?.card ?? null
}

// Moves

/** The card that a move begins with. */
export function source(move: Move): Place | null {
  switch (move.move) {
    case 'play_card':
      return move.start
    case 'attack_card':
      return move.attacker
    case 'level_mage':
      return move.mage
    case 'return_card':
    case 'use_ability':
    case 'activate_trickster':
    case 'choose_card':
      return move.place
    default:
      return null
  }
}

/** Where it goes, if there is more than the card to choose. */
export function aim(move: Move): Place | null {
  return move.move === 'play_card' ? move.end : move.move === 'attack_card' ? move.target : null
}

export function offers<K extends Move['move']>(moves: readonly Move[], kind: K): Extract<Move, { move: K }>[] {
  return moves.filter((move): move is Extract<Move, { move: K }> => move.move === kind)
}

// Words. Names are given by a function, with “you” for whoever reads.

export interface Names {
  (seat: number): string
  own: number | null
}

export const does = (names: Names, seat: number, verb: string, third = `${verb}s`) => (seat === names.own ? `You ${verb}` : `${names(seat)} ${third}`)
export const whose = (names: Names, seat: number) => (seat === names.own ? 'your' : `${names(seat)}’s`)

/** “your Squire”, “Bob’s castle”. */
export function spot(view: View, place: Place, names: Names): string {
  if (place.zone === 'castle') return `${whose(names, place.seat)} castle`
  const found = card(view, place)
  if (found !== null) return `${whose(names, place.seat)} ${called(found)}`
  return `${whose(names, place.seat)} ${place.zone === 'trickster' ? 'face-down trickster' : place.zone}`
}

/** An action or a response that waits on the stack. */
export function waiting(view: View, item: StackView, names: Names): string {
  switch (item.kind) {
    case 'draw':
      return `${does(names, item.seat, 'draw')} a card`
    case 'play':
      if (item.target?.zone === 'trickster') return `${does(names, item.seat, 'lay')} ${item.card === null ? 'a trickster' : called(item.card)} face down`
      return `${does(names, item.seat, 'play')} ${called(item.card)}`
    case 'level':
      return `${does(names, item.seat, 'raise')} ${called(item.card)} to level ${(item.place && unit(view, item.place)?.level ? unit(view, item.place)!.level! : 1) + 1}`
    case 'ability':
      return `${does(names, item.seat, 'use')} ${called(item.card)}`
    case 'attack':
      return `${does(names, item.seat, 'attack')} ${item.target ? spot(view, item.target, names) : ''} with ${called(item.card)}`
    case 'trickster':
      return `${does(names, item.seat, 'answer')} with ${called(item.card)}`
  }
}

/** What the card of an item says about it. */
export function paragraph(view: View, item: StackView): string {
  if (item.card === null || item.kind === 'attack') return ''
  const { texts, kind } = CARDS[item.card]!
  const level = item.kind === 'level' ? ((item.place && unit(view, item.place)?.level) ?? 1) + 1 : 0
  const wanted = { play: 'on play', level: 'on lvl', ability: 'in play', trickster: 'response', draw: '' }[item.kind]
  if (item.kind === 'play' && kind === 'trickster') return ''
  return texts.find((text) => text.trigger === wanted && (!level || text.level === level))?.words ?? ''
}

/** Something that has come of it. */
export interface News {
  text: string
  tone: 'good' | 'bad' | 'plain'
}

const BLOWS = {
  castle_hit: 'The attack hits the castle.',
  target_loses: 'The attacker wins.',
  attacker_loses: 'The defender wins.',
  both_lose: 'Equal points: both are lost.',
  void: 'A trickster has stopped the attack; it may be repeated.',
  fizzled: 'The attack comes to nothing.',
}

/** What has just happened, in the order in which it did: the stack as it resolved, and what followed. */
export function news(events: readonly Event[], view: View, names: Names): News[] {
  return events.flatMap((event): News[] => {
    const text = told(event, view, names)
    if (!text) return []
    const bad = 'result' in event && ['cancelled', 'ability_cancelled', 'fizzled', 'void'].includes(event.result)
    const seat = event.event === 'castle_hit' ? event.castle : null
    return [{ text, tone: bad ? 'bad' : seat === null ? 'plain' : seat === names.own ? 'bad' : 'good' }]
  })
}

function told(event: Event, view: View, names: Names): string {
  switch (event.event) {
    case 'turn_started':
      return `Turn ${event.turn}: ${event.seat === names.own ? 'yours' : names(event.seat)}.`
    case 'castles_revealed':
      return `${called(event.castles[0])} against ${called(event.castles[1])}. ${does(names, event.first, 'begin')}.`
    case 'drew':
      return `${does(names, event.seat, event.number === null ? 'get' : 'draw')} ${event.cards?.length ? event.cards.map(called).join(', ') : event.deck.length === 1 ? 'a card' : `${event.deck.length} cards`}.`
    case 'played':
      return event.result === 'ability_cancelled' ? `${called(event.card)} enters, its text cancelled.` : `${called(event.card)} enters the field.`
    case 'laid':
      return `${does(names, event.seat, 'lay')} ${event.card === null ? 'a trickster' : called(event.card)} face down.`
    case 'levelled':
      return event.result === 'fizzled' ? 'The mage is gone, and reaches no level.' : `${capital(spot(view, event.mage, names))} is at level ${event.level}${event.result === 'ability_cancelled' ? ', its text cancelled' : ''}.`
    case 'ability_used':
    case 'trickster_used':
      return { done: `${called(event.card)} works.`, fizzled: `${called(event.card)} comes to nothing.` }[event.result as 'done' | 'fizzled'] ?? `${called(event.card)} is cancelled.`
    case 'attacked':
      return BLOWS[event.result]
    case 'destroyed':
      return `Destroyed: ${event.places.map((place, i) => `${whose(names, place.seat)} ${called(event.cards[i])}`).join(', ')}.`
    case 'changed_sides':
      return `${event.places.length === 1 ? 'A soldier changes' : 'Soldiers change'} sides.`
    case 'castle_hit':
      return `${capital(whose(names, event.castle))} castle has ${event.health} health left.`
    case 'discarded':
      return `${does(names, event.seat, 'discard')} ${called(event.card)}.`
    case 'timed_out':
      return `${capital(whose(names, event.seat))} time was up.`
    default:
      return ''
  }
}

export const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

const PURPOSES: Record<NonNullable<RequestView['purpose']>, [asked: string, verb: string, other: string]> = {
  cost: ['Choose what you pay with', 'Pay with', 'what to pay with'],
  add: ['Choose a card for your hand', 'Take', 'a card for the hand'],
  play: ['Choose a card to play', 'Play', 'a card to play'],
  destroy: ['Choose a card to destroy', 'Destroy', 'a card to destroy'],
  stun: ['Choose a card to stun', 'Stun', 'a card to stun'],
  discard: ['Choose a card to discard', 'Discard', 'a card to discard'],
  points: ['Choose whose points change', 'Choose', 'whose points change'],
  extra_attack: ['Choose a soldier to attack once more', 'Choose', 'a soldier to attack once more'],
  take: ['Choose a soldier to take over', 'Take over', 'a soldier to take over'],
  swap: ['Choose a soldier to swap', 'Swap', 'a soldier to swap'],
  redirect: ['Choose what the attack hits instead', 'Aim at', 'what the attack hits instead'],
  hand_limit: ['Too many cards in hand: discard down to ten', 'Discard', 'a card to discard, down to ten'],
}

/** What we are asked. */
export function question(view: View, request: RequestView, names: Names): string {
  const by = request.card === null ? '' : called(request.card)
  switch (request.kind) {
    case 'protect':
      return `Save ${request.place ? spot(view, request.place, names) : 'it'} from being destroyed?`
    case 'last_stand':
      return 'Your castle is about to fall. Keep it at 1 health?'
    case 'draw':
      return `${by}: draw a card?`
    case 'level':
      return `Raise ${request.place ? called(card(view, request.place)) : 'the mage'} to level ${request.level} at once?`
    case 'target': {
      const asked = PURPOSES[request.purpose!][0]
      return request.purpose === 'hand_limit' ? asked : request.purpose === 'cost' ? `${asked} for ${by}` : `${by}: ${asked.slice(0, 1).toLowerCase()}${asked.slice(1)}`
    }
  }
}

/** What somebody else is asked. */
export function doubt(request: RequestView, names: Names): string {
  return request.purpose ? `${names(request.seat)} chooses ${PURPOSES[request.purpose][2]}` : `${names(request.seat)} is asked a question`
}

/** The button that chooses this card. */
export function verb(request: RequestView, name: string): string {
  return `${PURPOSES[request.purpose!][1]} ${name}`
}

export const REASONS: Record<NonNullable<View['reason']>, (loser: string) => string> = {
  castle: (loser) => `${capital(loser)} castle has fallen.`,
  deck_out: (loser) => `There was nothing left to draw in ${loser} deck.`,
  forfeit: (loser) => `${capital(loser)} seat was given up.`,
  disconnect: (loser) => `${capital(loser)} connection did not come back in time.`,
  timeout: (loser) => `${capital(loser)} time was up three times in a row.`,
}
