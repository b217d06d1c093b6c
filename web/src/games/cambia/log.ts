/** How the log of Cambia is told. */
import type { Heard, Turn } from '@croupier/table'
import type { Event, View } from '../../protocol/cambia'

export const turn = (view: View): Turn => ({ seat: view.phase === 'playing' ? view.current : null })

export const out = (view: View, seat: number): boolean => view.players[seat]?.forfeited ?? false

const HEARD: Partial<Record<Event['event'], Heard>> = {
  drew: 'draw',
  replaced: 'card',
  discarded: 'card',
  given: 'card',
  swapped: 'card',
  peeked: 'flip',
  revealed: 'flip',
  round_started: 'sweep',
  reshuffled: 'sweep',
  special_opened: 'magic',
  called: 'call',
  snapped: 'snap',
  snap_failed: 'wrong',
}
export const heard = ({ event }: Event): Heard | null => HEARD[event] ?? null
