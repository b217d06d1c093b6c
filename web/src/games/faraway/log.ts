/** How the log of Faraway is told: everybody's turn is at the same time. */
import type { Heard, Turn } from '@croupier/table'
import type { Event, View } from '../../protocol/faraway'

export const turn = (view: View): Turn => ({ seat: null, round: view.turn + 1 })

export const out = (view: View, seat: number): boolean => !view.players.includes(seat)

const HEARD: Partial<Record<Event['event'], Heard>> = { played: 'card', revealed: 'flip', chose: 'magic', took: 'draw' }
export const heard = ({ event }: Event): Heard | null => HEARD[event] ?? null
