/** What of the page a move of Faraway is made with. */
import type { Move } from '../../protocol/faraway'

export const points = ({ move, card }: Move): string[] => [`${move === 'choose' ? 'sanctuary' : 'region'}:${card}`]
