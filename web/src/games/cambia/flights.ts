/** What goes from where to where on the table of Cambia. Each card has a name of its own there, face up or down, and goes from
 * hand to hand by itself. */
import type { Flight } from '@croupier/table'
import type { Event, View } from '../../protocol/cambia'

const BACK = {}

export function flights(events: readonly Event[], _: View, before: View | null): Flight[] {
  const found: Flight[] = []
  const held = before?.held
  for (const event of events) {
    switch (event.event) {
      case 'dealt': {
        const [most = 0] = event.hands.map((hand) => hand.length).sort((a, b) => b - a)
        // One for each, and round again.
        for (let i = 0; i < most; i++) found.push(...event.hands.flatMap((hand) => hand.slice(i, i + 1).map((card) => ({ from: 'stock', to: card }))))
        if (event.top) found.push({ from: 'stock', to: event.top.id, was: BACK })
        break
      }
      case 'drew':
        if (event.source === 'stockpile') found.push({ from: 'stock', to: event.card, was: event.face ? BACK : undefined })
        break
      case 'replaced':
        // What we have seen is turned down.
        if (held?.face && held.id === event.card) found.push({ from: event.card, to: event.card, was: { card: held.face } })
        break
      case 'discarded':
      case 'snapped': {
        const open = held?.face && held.id === event.card
        if (before?.top) found.push({ from: 'discard', to: 'discard', as: { card: before.top.face } })
        found.push({ from: event.card, to: event.card, was: open ? undefined : BACK })
        break
      }
      case 'penalised':
        found.push({ from: 'stock', to: event.card })
        break
      case 'reshuffled':
        found.push({ from: 'discard', to: 'stock', as: BACK })
        break
    }
  }
  return found
}
