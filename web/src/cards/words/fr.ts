import type { en } from './en'

const RANKS: Record<string, string> = { J: 'Valet', Q: 'Dame', K: 'Roi', A: 'As', '★': 'Joker' }
const SUITS: Record<string, string> = { '♣': 'trèfle', '♦': 'carreau', '♥': 'cœur', '♠': 'pique' }
const ARTICLES: Record<string, string> = { A: "l'", Q: 'la ' }

const isJoker = (card: string) => card.startsWith('★')
const rank = (value: string) => RANKS[value] ?? value
const name = (card: string) => (isJoker(card) ? 'Joker' : `${rank(card.slice(0, -1))} de ${SUITS[card.slice(-1)]}`)

export const fr: typeof en = {
  hidden: 'carte cachée',
  joker: 'JOKER',
  rank,
  name,
  the: (card) => (isJoker(card) ? 'un Joker' : `${ARTICLES[card[0]!] ?? 'le '}${name(card)}`),
  like: (card) => `${card.startsWith('Q') ? 'une' : 'un'} ${rank(card.slice(0, -1))}`,
}
