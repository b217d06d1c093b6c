import type { CardView, Event, Move, Place, RequestView, StackView, View } from '../../protocol/fortress'
import { called, CARDS } from './cards'
import { t } from './words'

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

// Words. Names are given by a function, which knows who reads them.

export interface Names {
  (seat: number): string
  own: number | null
}

/** What somebody is called; null is who reads this. */
export const who = (names: Names, seat: number) => (seat === names.own ? null : names(seat))
const known = (found: number | null) => (found === null ? null : called(found))

/** “your Squire”, “Bob’s castle”. */
export function spot(view: View, place: Place, names: Names): string {
  return t.thingOf(who(names, place.seat), place.zone, known(card(view, place)))
}

/** The same, but nobody has to be told what is their own. */
export function goal(view: View, place: Place, names: Names): string {
  return place.seat === names.own ? t.thing(place.zone, known(card(view, place))) : spot(view, place, names)
}

/** An action or a response that waits on the stack. */
export function waiting(view: View, item: StackView, names: Names): string {
  const actor = who(names, item.seat)
  switch (item.kind) {
    case 'draw':
      return t.draws(actor)
    case 'play':
      return item.target?.zone === 'trickster' ? t.lays(actor, known(item.card)) : t.plays(actor, called(item.card))
    case 'level':
      return t.raises(actor, called(item.card), ((item.place && unit(view, item.place)?.level) || 1) + 1)
    case 'ability':
      return t.uses(actor, called(item.card))
    case 'attack':
      return t.attacks(actor, item.target ? spot(view, item.target, names) : '', called(item.card))
    case 'trickster':
      return t.answers(actor, called(item.card))
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
      return t.turnStarted(event.turn, who(names, event.seat))
    case 'castles_revealed':
      return t.castlesRevealed(called(event.castles[0]), called(event.castles[1]), who(names, event.first))
    case 'drew':
      return t.drew(who(names, event.seat), event.cards?.map(called) ?? [], event.deck.length, event.number !== null)
    case 'played':
      return t.enters(called(event.card), event.result === 'ability_cancelled')
    case 'laid':
      return t.laid(who(names, event.seat), known(event.card))
    case 'levelled':
      return event.result === 'fizzled' ? t.mageIsGone : t.reaches(spot(view, event.mage, names), event.level, event.result === 'ability_cancelled')
    case 'ability_used':
    case 'trickster_used':
      return event.result === 'done' ? t.works(called(event.card)) : event.result === 'fizzled' ? t.fizzles(called(event.card)) : t.isCancelled(called(event.card))
    case 'attacked':
      return t.blows[event.result]
    case 'destroyed':
      return t.destroyed(event.places.map((place, i) => t.thingOf(who(names, place.seat), place.zone, called(event.cards[i]))))
    case 'changed_sides':
      return t.changedSides(event.places.length)
    case 'castle_hit':
      return t.castleLeft(who(names, event.castle), event.health)
    case 'discarded':
      return t.discards(who(names, event.seat), called(event.card))
    case 'timed_out':
      return t.timedOut(who(names, event.seat))
    default:
      return ''
  }
}

/** What we are asked. */
export function question(view: View, request: RequestView, names: Names): string {
  switch (request.kind) {
    case 'protect':
      return t.protect(request.place && spot(view, request.place, names))
    case 'last_stand':
      return t.lastStand
    case 'draw':
      return t.drawMore(called(request.card))
    case 'level':
      return t.levelAtOnce(request.place && called(card(view, request.place)), request.level!)
    case 'target':
      return t.asks(request.purpose!, known(request.card))
  }
}

/** What somebody else is asked. */
export function doubt(request: RequestView, names: Names): string {
  return request.purpose ? t.otherChooses(names(request.seat), request.purpose) : t.otherIsAsked(names(request.seat))
}
