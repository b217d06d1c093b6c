/** How the log of Fortress is told. */
import type { Turn } from '../../lib/log'
import type { View } from '../../protocol/fortress'

export const turn = (view: View): Turn => ({ seat: view.active })
