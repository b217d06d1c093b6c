/** How the log of Coup is told. */
import type { Heard, Turn } from '@croupier/table'
import type { Event, View } from '../../protocol/coup'

export const turn = (view: View): Turn => ({ seat: view.current })

export const passes = (event: Event): number | null => (event.event === 'allowed' ? event.seat : null)

export const out = (view: View, seat: number): boolean => view.out.includes(seat)

const HEARD: Partial<Record<Event['event'], Heard>> = {
  proposed: 'card',
  swapped: 'draw',
  exchanged: 'draw',
  blocked: 'call',
  challenged: 'call',
  revealed: 'blow',
}
const PAYS = ['income', 'foreign_aid', 'tax', 'steal']
export const heard = (event: Event): Heard | null => (event.event === 'executed' && PAYS.includes(event.action) ? 'coins' : (HEARD[event.event] ?? null))
