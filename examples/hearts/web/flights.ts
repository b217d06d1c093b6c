/** What goes from where to where. Cards of the own hand go to the trick by themselves: they are seen at both ends. */
import type { Flight } from '@croupier/table'
import type { Event, View } from './hearts'

const chair = (seat: number) => `seat ${seat}`

export function flights(events: readonly Event[], view: View, before: View | null): Flight[] {
  return events.flatMap((event): Flight[] => {
    switch (event.event) {
      case 'played':
        return [...taken(view, before), { from: [event.card, chair(event.seat)], to: event.card }]
      case 'received':
        return event.cards.map((card) => ({ from: chair(event.giver), to: card, was: {} }))
      default:
        return []
    }
  })
}

/** A trick lies there until somebody leads to the next one: then it goes to who has won it. */
function taken(view: View, before: View | null): Flight[] {
  if (view.trick.length !== 1 || before?.trick.length || !before?.last) return []
  const { cards, winner } = before.last
  return cards.map((card) => ({ from: card, to: chair(winner), as: { card } }))
}
