/** English: what several games say, and how its sentences are made.
 *
 * Files of words import nothing but other files of words: pages wait for them, and would wait for ever for words that
 * wait for a page. */

/** What several games say. Each takes it into its own words. */
export const common = {
  over: 'The game is over',
  yourTurn: 'Your turn',
  yourCards: 'Your cards',
  yourHand: 'Your hand',
  theOthers: 'The others',
  actions: 'Actions',
  /** Of somebody else: they have lost the connection. */
  away: 'away',
  backToTable: 'Back to the table',
  /** With what is going on, where there is something to say. */
  watching: (status = '') => (status ? `You are watching. ${status}.` : 'You are watching.'),
}

/** Somebody in a sentence: a name, or null for whoever reads it. */
export type Who = string | null

/** Text some of which stands out: every second part, beginning with the second. */
export type Parts = readonly string[]

/** "Ann draws", "You draw". */
export const does = (who: Who, verb: string, third = `${verb}s`) => (who === null ? `You ${verb}` : `${who} ${third}`)
/** Somebody as an object: "Ann", "you". */
export const whom = (who: Who) => who ?? 'you'
export const whose = (who: Who) => (who === null ? 'your' : `${who}’s`)

export const cards = (count: number) => (count === 1 ? '1 card' : `${count} cards`)

export function ordinal(place: number): string {
  const teens = place % 100 > 10 && place % 100 < 14
  return `${place}${teens ? 'th' : (['th', 'st', 'nd', 'rd'][place % 10] ?? 'th')}`
}

/** "Ann, Ben and Cleo". */
export const list = (names: readonly string[]) => [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(' and ')

export const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

const RANKS: Record<string, string> = { J: 'Jack', Q: 'Queen', K: 'King', A: 'Ace', '★': 'Joker' }
const SUITS: Record<string, string> = { '♣': 'clubs', '♦': 'diamonds', '♥': 'hearts', '♠': 'spades' }

const isJoker = (card: string) => card.startsWith('★')
const rank = (value: string) => RANKS[value] ?? value
const name = (card: string) => (isJoker(card) ? 'Joker' : `${rank(card.slice(0, -1))} of ${SUITS[card.slice(-1)]}`)

/** How playing cards are called. */
export const playingCards = {
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

/** What the parts of the library say. */
export const parts = {
  secondsLeft: (seconds: number) => `${seconds} seconds left`,
  close: 'Close',
}
