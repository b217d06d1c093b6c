import { capital, cards, common, does, playingCards, whom, whose, type Who } from '@croupier/table/words/en'
import type { View } from '../hearts'

const SUITS: Record<string, string> = { '♣': 'clubs', '♦': 'diamonds', '♥': 'hearts', '♠': 'spades' }
const pts = (count: number) => (count === 1 ? '1 point' : `${count} points`)

export const en = {
  ...common,
  leaving: 'A bot plays on with your cards. As long as the game lasts you can come back and take your seat again.',
  heldCards: cards,
  points: pts,
  handPoints: (count: number) => `${pts(count)} in this hand`,
  total: (count: number) => `${pts(count)} in all`,
  hand: (number: number, limit: number) => `Hand ${number}, to ${limit}`,

  // What is to be done.
  passTo: (name: string) => `Choose three cards for ${name}`,
  passes: 'The others are choosing',
  waitsFor: (name: string) => `${name} is to play`,
  leadAny: 'You lead',
  leadTwo: 'You lead the two of clubs',
  noHearts: 'You lead: no hearts yet',
  follow: (suit: string) => `Follow ${SUITS[suit]}`,
  discard: 'Nothing to follow with: any card',
  noPoints: 'Any card, but no points in the first trick',
  chooseMore: (count: number) => (count === 3 ? 'Choose three cards' : `${count} more`),
  pass: (name: string) => `Pass to ${name}`,
  play: (card: string) => `Play ${card}`,
  chooseCard: 'Choose a card',
  goOn: 'Next hand',
  chosen: 'has chosen',
  choosing: 'is choosing',

  // What happens.
  trick: 'The trick',
  takes: (who: Who, count: number) => `${does(who, 'take', 'takes')} it${count ? `: ${pts(count)}` : ''}`,
  got: (name: string) => `From ${name}:`,
  broken: 'Hearts are broken',
  unbroken: 'Hearts are not broken',
  passing: { left: 'Passing to the left', right: 'Passing to the right', across: 'Passing across', hold: 'Nothing is passed' } satisfies Record<View['direction'], string>,
  taken: (who: Who, list: readonly string[]) => `${capital(whose(who))} points: ${list.map(playingCards.name).join(', ')}`,

  // Points.
  sheet: 'Points',
  handShort: 'Hand',
  sum: 'Total',
  moon: (who: Who) => `${does(who, 'have', 'has')} shot the moon!`,
  moonMeans: (who: Who) => `All 26 points went to ${whom(who)}, and so everybody else gets 26.`,
  you: 'You',
  limit: (limit: number) => (limit === 1 ? 'One hand decides.' : `The game ends at ${limit} points; the fewest win.`),
}
