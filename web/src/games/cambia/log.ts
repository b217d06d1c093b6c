/** How the log of Cambia is told. */
import type { Turn } from '@croupier/table'
import type { View } from '../../protocol/cambia'

export const turn = (view: View): Turn => ({ seat: view.phase === 'playing' ? view.current : null })

export const out = (view: View, seat: number): boolean => view.players[seat]?.forfeited ?? false
