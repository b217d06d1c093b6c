/** What of the page a move of Cambia is made with. */
import type { Move } from '../../protocol/cambia'

export function points(move: Move): string[] {
  switch (move.move) {
    case 'draw_stockpile':
      return ['stock', 'move:draw_stockpile']
    case 'draw_discardpile':
      return ['discard']
    case 'discard':
    case 'call_cambia':
      return [`move:${move.move}`]
    case 'snap':
      return ['snap', `card:${move.card}`]
    case 'replace':
    case 'give':
      return [`card:${move.card}`]
    case 'use_special': {
      const cards = [move.card1, move.card2].flatMap((named) => (named?.card ? [`card:${named.card}`] : []))
      return cards.length ? cards : [`move:${move.special}`]
    }
  }
}
