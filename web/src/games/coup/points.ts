/** What of the page a move of Coup is made with. */
import type { Move } from '../../protocol/coup'

export function points(move: Move): string[] {
  switch (move.move) {
    case 'propose':
      return [`deed:${move.action}`, `seat:${move.target}`]
    case 'allow':
    case 'accept':
      return ['answer:allow']
    case 'call_bs':
      return ['answer:bs']
    case 'block':
      return [`answer:${move.character}`]
    case 'confirm':
    case 'withdraw':
      return [`answer:${move.move}`]
    case 'lose':
      return [`card:${move.card}`]
    case 'keep':
      return move.cards.map((card) => `card:${card}`)
  }
}
