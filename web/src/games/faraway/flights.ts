/** What goes from where to where on the map of Faraway. Cards are known by their numbers, and go by themselves from a hand to a
 * journey, from the shop to a hand. */
import type { Flight } from '@croupier/table'
import type { Event, View } from '../../protocol/faraway'
import { REGIONS } from './cards'

const REGION = { card: null }
const SANCTUARY = { card: null, kind: 'sanctuary' }
const region = (card: number) => `region ${card}`
const sanctuary = (card: number) => `sanctuary ${card}`
const chair = (seat: number) => `seat ${seat}`
const chosen = (seat: number) => `${seat} chosen`

export function flights(events: readonly Event[], view: View, before: View | null): Flight[] {
  const own = (seat: number) => seat === view.seat
  if (!before) return view.turn || view.phase !== 'play' ? [] : begun(view)
  return events.flatMap((event): Flight[] => {
    switch (event.event) {
      case 'played':
        return own(event.seat) ? [] : [{ from: chair(event.seat), to: event.card === null ? chosen(event.seat) : region(event.card) }]
      case 'revealed':
        return event.cards.flatMap((card, seat) => (card === null || own(seat) ? [] : [{ from: [chosen(seat), chair(seat)], to: region(card), was: REGION }]))
      case 'offered':
        return event.cards.map((card) => ({ from: 'deck', to: sanctuary(card), was: SANCTUARY }))
      case 'chose':
        return own(event.seat) ? [] : [{ from: [sanctuary(event.card), chair(event.seat)], to: sanctuary(event.card), was: SANCTUARY }]
      case 'took':
        return own(event.seat) ? [] : [{ from: region(event.card), to: [region(event.card), chair(event.seat)], as: { card: REGIONS[event.card], mini: true } }]
      case 'round_began':
        return event.shop.map((card) => ({ from: 'deck', to: region(card), was: REGION }))
      default:
        return []
    }
  })
}

function begun(view: View): Flight[] {
  const hand = view.seat === null ? [] : (view.hands[view.seat] ?? []).filter((card) => card !== null)
  return [...hand, ...view.shop].map((card) => ({ from: 'deck', to: region(card), was: REGION }))
}
