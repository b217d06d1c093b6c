/** How the log of Fortress is told. */
import type { Turn } from '@croupier/table'
import type { View } from '../../protocol/fortress'

export const turn = (view: View): Turn => ({ seat: view.active })
