/** How the log of Fortress is told. */
import type { Heard, Turn } from '@croupier/table'
import type { Event, View } from '../../protocol/fortress'

export const turn = (view: View): Turn => ({ seat: view.active })

const HEARD: Partial<Record<Event['event'], Heard>> = {
  played: 'card',
  laid: 'card',
  discarded: 'card',
  drew: 'draw',
  brought: 'draw',
  returned: 'draw',
  castles_revealed: 'flip',
  shuffled: 'sweep',
  levelled: 'magic',
  ability_used: 'magic',
  trickster_used: 'magic',
  attack_declared: 'call',
  castle_hit: 'blow',
  destroyed: 'blow',
}
export const heard = ({ event }: Event): Heard | null => HEARD[event] ?? null
