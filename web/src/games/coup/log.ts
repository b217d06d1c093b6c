/** How the log of Coup is told. */
import type { Turn } from '@croupier/table'
import type { Event, View } from '../../protocol/coup'

export const turn = (view: View): Turn => ({ seat: view.current })

export const passes = (event: Event): number | null => (event.event === 'allowed' ? event.seat : null)

export const out = (view: View, seat: number): boolean => view.out.includes(seat)
