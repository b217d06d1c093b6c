/** How the log of Palace is told. */
import type { Heard, Turn } from '@croupier/table'
import type { Event, View } from '../../protocol/palace'

export const turn = (view: View): Turn => ({ seat: view.phase === 'play' ? view.active : null })

export const out = (view: View, seat: number): boolean => view.order.includes(seat)

const HEARD: Partial<Record<Event['event'], Heard>> = { chose: 'card', played: 'card', flipped: 'flip', picked_up: 'sweep', burned: 'fire' }
export const heard = ({ event }: Event): Heard | null => HEARD[event] ?? null
