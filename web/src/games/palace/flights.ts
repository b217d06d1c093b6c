/** What goes from where to where on the table of Palace. */
import type { Flight } from '@croupier/table'
import type { Event, View } from '../../protocol/palace'

const BACK = {}
const chair = (seat: number) => `seat ${seat}`

export function flights(events: readonly Event[], view: View, before: View | null): Flight[] {
  if (!events.length) return view.phase === 'setup' ? dealt(view) : []
  const found: Flight[] = []
  /** What was put on the pile, and from where. */
  let played: { card: string; from: string[]; was?: object }[] = []
  for (const event of events) {
    switch (event.event) {
      case 'chose':
        // Our own are seen on their way by themselves.
        if (event.seat !== view.seat) found.push(...event.cards.map((card) => ({ from: chair(event.seat), to: card, was: BACK })))
        break
      case 'played':
        played = event.cards.map((card) => ({ card, from: [card, chair(event.seat)] }))
        break
      case 'flipped':
        played = [{ card: event.card, from: [`down ${event.seat} ${(before?.face_down[event.seat] ?? 1) - 1}`, chair(event.seat)], was: BACK }]
        break
      case 'burned':
        found.push(...gone(played, before, () => 'burned'))
        played = []
        break
      case 'picked_up':
        // In our own hand each has its place; somebody else's is not seen.
        found.push(...gone(played, before, (card) => (event.seat === view.seat ? card : chair(event.seat))))
        played = []
        break
    }
  }
  found.push(...played.map(({ card, from, was }) => ({ from, to: card, was })))
  return found
}

function dealt(view: View): Flight[] {
  const own = [...view.hand, ...(view.seat === null ? [] : view.face_up[view.seat]!)]
  const others = view.hands.flatMap((_, seat) => (seat === view.seat ? [] : [{ from: 'pile', to: chair(seat), as: BACK }]))
  return [...others, ...own.map((card) => ({ from: 'pile', to: card, was: BACK }))]
}

/** The pile goes, when what was played has been seen on it. */
function gone(played: readonly { card: string; from: string[]; was?: object }[], before: View | null, to: (card: string) => string): Flight[] {
  const last = played.map(({ card, from }) => ({ from, via: 'pile', to: to(card), as: { card } }))
  const beneath = (before?.pile ?? []).map((card) => ({ from: to(card) === card ? [card, 'pile'] : card, to: to(card), as: { card }, late: true }))
  return [...last, ...beneath]
}
