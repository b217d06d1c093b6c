/** What goes from where to where on the table of Coup. Cards have no names there but their places: nobody may know one again. */
import type { Flight } from '@croupier/table'
import type { Event, View } from '../../protocol/coup'

const BACK = { character: null }
const COIN = { coin: true }
const chair = (seat: number) => `seat ${seat}`
const purse = (seat: number) => `coins ${seat}`
const card = (seat: number, slot: number) => `${seat} card ${slot}`
const times = (count: number, flight: Flight): Flight[] => Array.from({ length: count }, () => flight)

export function flights(events: readonly Event[], view: View, before: View | null): Flight[] {
  // Cards are dealt while people sit down: they are seen to come when the game begins.
  if (!before) return view.seats.flatMap((seat) => [0, 1].map((slot) => ({ from: 'deck', to: card(seat, slot), ...(seat === view.seat ? { was: BACK } : {}) })))
  const found: Flight[] = []
  const own = (seat: number) => seat === view.seat
  const turned = (seat: number) => ({ ...BACK, mini: !own(seat) })
  for (const event of events) {
    switch (event.event) {
      case 'coins_changed':
        found.push(...paid(event.coins.map(([seat, coins]) => [seat, coins - (before.coins[seat] ?? coins)])))
        break
      case 'revealed':
        // Its owner has seen it all the time.
        if (!own(event.seat)) found.push({ from: card(event.seat, event.slot), to: card(event.seat, event.slot), was: turned(event.seat) })
        break
      case 'swapped':
        found.push({ from: chair(event.seat), to: 'deck', as: BACK }, { from: 'deck', to: chair(event.seat), as: BACK, late: true })
        break
      case 'drew': {
        const held = (before.cards[event.seat] ?? []).filter((slot) => !slot.revealed).length
        const drawn = event.pool ? event.pool.length - held : 2
        for (let i = 0; i < drawn; i++) found.push({ from: 'deck', to: event.pool ? card(event.seat, held + i) : chair(event.seat), ...(event.pool ? { was: BACK } : { as: BACK }) })
        break
      }
      case 'exchanged':
        found.push(...times(2, { from: chair(event.seat), to: 'deck', as: BACK }))
        break
    }
  }
  return found
}

/** From those who have less to those who have more; what is left over comes from the bank, or goes there. */
function paid(changes: readonly (readonly [seat: number, coins: number])[]): Flight[] {
  const givers = changes.flatMap(([seat, coins]) => times(Math.max(0, -coins), { from: purse(seat), to: 'bank' }))
  const takers = changes.flatMap(([seat, coins]) => times(Math.max(0, coins), { from: 'bank', to: purse(seat) }))
  return Array.from({ length: Math.max(givers.length, takers.length) }, (_, i) => ({ from: givers[i]?.from ?? 'bank', to: takers[i]?.to ?? 'bank', as: COIN }))
}
