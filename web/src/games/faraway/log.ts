/** How the log of Faraway is told: everybody's turn is at the same time. */
import type { Turn } from '@croupier/table'
import type { View } from '../../protocol/faraway'

export const turn = (view: View): Turn => ({ seat: null, round: view.turn + 1 })

export const out = (view: View, seat: number): boolean => !view.players.includes(seat)
