/** How the log of Palace is told. */
import type { Turn } from '@croupier/table'
import type { View } from '../../protocol/palace'

export const turn = (view: View): Turn => ({ seat: view.phase === 'play' ? view.active : null })

export const out = (view: View, seat: number): boolean => view.order.includes(seat)
