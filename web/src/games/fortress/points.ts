/** What of the page a move of Fortress is made with. */
import type { Move, Place, View } from '../../protocol/fortress'

export function points(move: Move, view: View): string[] {
  const lying = ({ seat, zone, number }: Place) => `${seat === view.seat ? '' : 'rival:'}${zone}${zone === 'castle' ? '' : `:${number}`}`
  switch (move.move) {
    case 'bring_deck':
      return ['bring']
    case 'accept_hand':
      return ['accept']
    case 'draw_card':
      return ['draw']
    case 'end_turn':
      return ['end']
    case 'allow_action':
      return ['allow']
    case 'mulligan':
      return ['mulligan']
    case 'answer':
      return [move.yes ? 'yes' : 'no']
    case 'play_card':
      return [lying(move.start), lying(move.end)]
    case 'attack_card':
      return [lying(move.attacker), lying(move.target)]
    case 'level_mage':
      return [lying(move.mage)]
    case 'destroy_card':
      return [lying(move.target)]
    case 'choose_card':
      return move.place ? [lying(move.place), `choice:${offered(view, move.place)}`] : ['nothing']
    default:
      return [lying(move.place)]
  }
}

/** Which card of those in question lies there, where they are laid out to be chosen from. */
function offered({ request }: View, { seat, zone, number }: Place): number | null | undefined {
  const index = request?.region.findIndex((one) => one.seat === seat && one.zone === zone && one.number === number) ?? -1
  return request?.cards[index]
}
