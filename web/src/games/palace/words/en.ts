import { cards, common, does, ordinal, playingCards as names, type Who, whom } from '@croupier/table/words/en'

/** What may be played on a rank; on nothing, anything may. */
function demand(rank?: string): string {
  if (rank === undefined) return 'Anything goes'
  if (rank === '7') return '7 or lower'
  return rank === 'A' ? 'An Ace' : `${names.rank(rank)} or higher`
}

const times = (count: number) => (count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`)

export const en = {
  /** What it means to leave a running game. */
  leaving: 'A bot plays on with your cards. As long as the game lasts you can come back and take your seat again.',
  ...common,
  out: (place: number) => `You are out: ${ordinal(place)} place!`,
  place: ordinal,

  // What somebody has to do.
  chooseThree: 'Choose three cards to lay open',
  choosesThree: (name: string) => `${name} chooses three cards`,
  isToPlay: (name: string) => `${name} is to play`,
  botPlays: 'A bot plays for you',
  turnToFlip: 'Your turn: turn over a hidden card',
  stuck: 'Nothing fits: take the pile with a card',
  turnToPlay: (rank?: string) => `Your turn: ${demand(rank).replace('An', 'an')}`,

  // What can be done.
  layOpen: 'Lay these open',
  chooseMore: (count: number) => `Choose ${count} more`,
  flip: 'Turn one over',
  flipThis: 'Turn over a hidden card',
  allAlike: (count: number) => `All ${count}`,
  chooseCard: 'Choose a card',
  takePile: 'Take the pile',
  play: (count: number, rank: string) => (count === 1 ? `Play ${rank}` : `Play ${count} × ${rank}`),

  // The pile.
  demand,
  /** These always may be played. */
  besides: 'or 2, 4, 10',
  pile: (count: number) => `Pile: ${cards(count)}`,
  onPile: (count: number) => `${count} on the pile`,
  pileBurned: 'The pile burned',
  tookPile: (who: Who, count: number) => `${does(who, 'took', 'took')} ${count}`,
  /** Who laid what of late; beside the cards, what became of the pile. */
  lastPlays: 'The last plays',
  burnsIt: 'The pile burned',
  takesIt: 'Took the pile',
  foursTransparent: 'Fours are transparent',
  cardsBurned: (count: number) => `${cards(count)} burned`,
  /** Beneath their number. */
  burned: (_count: number) => 'burned',

  // The end.
  howItEnded: 'How it ended',
  you: 'You',
  leftWith: (who: Who, count: number) => `${does(who, 'are', 'is')} left with ${cards(count)}.`,
  inTheHand: 'In hand',
  lyingOpen: 'Face up',
  lyingHidden: 'Face down',
  largestPile: (who: Who, count: number) => `The largest pile, of ${cards(count)}, went to ${whom(who)}.`,
  deeds: (piles: number, taken: number, burned: number) =>
    [
      piles ? `took the pile ${times(piles)}, ${cards(taken)} in all` : 'never took the pile',
      ...(burned ? [`burned it ${times(burned)}`] : []),
    ].join('; '),

  // The others.
  isOut: 'out',
  inHand: (count: number) => `${count} in hand`,
}
