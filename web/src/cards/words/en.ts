const RANKS: Record<string, string> = { J: 'Jack', Q: 'Queen', K: 'King', A: 'Ace', '★': 'Joker' }
const SUITS: Record<string, string> = { '♣': 'clubs', '♦': 'diamonds', '♥': 'hearts', '♠': 'spades' }

const isJoker = (card: string) => card.startsWith('★')
const rank = (value: string) => RANKS[value] ?? value
const name = (card: string) => (isJoker(card) ? 'Joker' : `${rank(card.slice(0, -1))} of ${SUITS[card.slice(-1)]}`)

export const en = {
  hidden: 'hidden card',
  /** What is printed on it. */
  joker: 'JOKER',
  rank,
  /** As a screen reader should say it. */
  name,
  /** "the 9 of clubs", "a Joker". */
  the: (card: string) => (isJoker(card) ? 'a Joker' : `the ${name(card)}`),
  /** Any card like that one: "a 9", "an Ace". */
  like: (card: string) => `${/^[A8]/.test(card) ? 'an' : 'a'} ${rank(card.slice(0, -1))}`,
}
