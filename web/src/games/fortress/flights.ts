/** What goes from where to where on the field of Fortress. Cards have no names there but their places: two may be the same. */
import type { Flight } from '@croupier/table'
import type { Event, Place, View } from '../../protocol/fortress'
import { CARDS } from './cards'
import { key } from './fortress'

const BACK = { card: null }
const face = (card: number | null) => ({ card: card === null ? null : CARDS[card]! })
const chair = (seat: number) => `seat ${seat}`
const deck = (seat: number) => `${seat} deck`
const discard = (seat: number) => `${seat} discard`
const stacked = (number: number | null) => `stack ${number}`
/** What is drawn has its place in a hand that we see; any other goes to its owner. */
const held = (seat: number, number: number) => `${seat} hand ${number}`

export function flights(events: readonly Event[], view: View, _: View | null): Flight[] {
  return events.flatMap((event): Flight[] => {
    switch (event.event) {
      case 'dealt':
        return drawn(view, event.seat, 1, event.count)
      case 'drew':
        return drawn(view, event.seat, event.hand, event.deck.length)
      case 'play_declared':
      case 'lay_declared':
        return [{ from: [key(event.start), chair(event.seat)], to: stacked(event.number) }]
      case 'ability_declared':
      case 'trickster_declared':
        return [{ from: [key(event.place), chair(event.seat)], to: stacked(event.number) }]
      case 'attack_declared':
        return [{ from: key(event.attacker), to: stacked(event.number) }]
      case 'level_declared':
        return [{ from: key(event.mage), to: stacked(event.number) }]
      case 'played':
      case 'laid':
        return [{ from: [stacked(event.number), key(event.start), chair(event.seat)], to: [key(event.end), discard(event.seat)], as: face(event.card) }]
      case 'attacked':
        // There and back, if there is anything left to come back.
        return event.result === 'fizzled' || event.result === 'void'
          ? []
          : [{ from: key(event.attacker), via: [key(event.target)], to: [key(event.attacker), discard(event.attacker.seat)], as: face(fallen(events, event.attacker)) }]
      case 'destroyed':
        return event.places.map((place, i) => ({ from: key(place), to: discard(event.graves[i]?.seat ?? place.seat), as: face(event.cards[i] ?? null), late: true }))
      case 'retired':
        return [{ from: key(event.place), to: discard(event.grave.seat), as: face(event.card) }]
      case 'discarded':
        return [{ from: [held(event.seat, event.hand), chair(event.seat)], to: discard(event.seat), as: face(event.card) }]
      case 'returned':
        return [{ from: [held(event.seat, event.hand), chair(event.seat)], to: deck(event.seat), as: BACK }]
      case 'changed_sides':
        return event.places.map(([from, to]) => ({ from: key(from), to: key(to) }))
      default:
        return []
    }
  })
}

function drawn(view: View, seat: number, first: number, count: number): Flight[] {
  const open = view.sides[seat]!.hand !== null
  return Array.from({ length: count }, (_, i) => ({ from: deck(seat), to: [held(seat, first + i), chair(seat)], as: BACK, ...(open ? { was: BACK } : {}) }))
}

/** Which card it was that lay there and is gone. */
function fallen(events: readonly Event[], place: Place): number | null {
  for (const event of events) {
    if (event.event !== 'destroyed') continue
    const at = event.places.findIndex((other) => key(other) === key(place))
    if (at >= 0) return event.cards[at] ?? null
  }
  return null
}
