/** What of the page a move of Palace is made with. */
import type { Move } from '../../protocol/palace'

/** No cards: a hidden one is turned over. */
export const points = ({ cards }: Move): string[] => (cards.length ? cards.map((card) => `card:${card}`) : ['bar'])
