import { common, does, type Parts, type Who, whom, whose } from '@croupier/table/words/en'
import type { Action, Character, Claimable } from '../coup'

const roles: Record<Character, string> = {
  duke: 'Duke',
  assassin: 'Assassin',
  captain: 'Captain',
  ambassador: 'Ambassador',
  contessa: 'Contessa',
}

const deeds: Record<Action, string> = {
  income: 'Income',
  foreign_aid: 'Foreign aid',
  tax: 'Tax',
  steal: 'Steal',
  exchange: 'Exchange',
  assassinate: 'Assassinate',
  coup: 'Coup',
}

const GAINS: Record<Action, string> = {
  income: 'take 1 coin',
  foreign_aid: 'take 2 coins',
  tax: 'take 3 coins',
  steal: 'take 2 coins from somebody',
  exchange: 'exchange cards',
  assassinate: 'pay 3 coins: somebody loses a card',
  coup: 'pay 7 coins: somebody loses a card',
}

const NOUNS: Record<Action, string> = {
  income: 'income',
  foreign_aid: 'foreign aid',
  coup: 'coup',
  tax: 'tax',
  assassinate: 'assassination',
  steal: 'theft',
  exchange: 'exchange',
}

const AIMS: Record<Claimable, (target: string) => string> = {
  tax: () => 'take tax',
  assassinate: (target) => `assassinate ${target}`,
  steal: (target) => `steal from ${target}`,
  exchange: () => 'exchange cards',
}

/** In the middle of a sentence. */
const within = (sentence: string) => sentence.replace(/^You /, 'you ')
/** Some people: all of them, if there are few. */
const people = (who: readonly Who[]) => {
  const names = who.map(whom)
  return names.length > 2 ? `${names[0]} and ${names.length - 1} others` : names.join(' and ')
}
const list = (cards: readonly Character[]) => cards.map((card) => roles[card]).join(' and ')

export const en = {
  /** What it means to leave a running game. */
  leaving: 'Your cards are turned over for all to see, and you are out.',
  ...common,
  roles,
  lostRole: (character: Character) => `${roles[character]}, lost`,
  coins: (count: number) => (count === 1 ? '1 coin' : `${count} coins`),
  deck: 'Cards in the deck',
  deckShort: 'Deck',
  deckLabel: 'Cards in the deck:',

  // The actions.
  deeds,
  deedInFull(action: Action, claimed?: Character, held = false): string {
    const claim = claimed ? `, claiming ${roles[claimed]}${held ? ', which you hold' : ''}` : ''
    return `${deeds[action]}: ${GAINS[action]}${claim}`
  },
  noClaim: 'no claim',
  aim: {
    coup: (name: string) => `Coup against ${name}`,
    assassinate: (name: string) => `Assassinate ${name}`,
    steal: (name: string) => `Steal from ${name}`,
  },
  targets: 'Targets',
  back: 'Back',
  mustCoup: (coins: number, limit: number) => `You have ${coins} coins. With ${limit} or more, a coup is the only thing you may do.`,

  // The answers.
  yourAnswer: 'Your answer',
  allow: 'Allow',
  allowMeans: 'let it pass',
  callBs: 'Call BS',
  callBsMeans: (character: Character) => `challenge the ${roles[character]}`,
  blockAs: 'Block as',
  youHoldIt: 'you hold it ✓',
  aBluff: 'a bluff',
  goAhead: 'Go ahead',
  ifNobodyObjects: 'if nobody objects',
  giveUp: 'Give it up',
  feeIsLost: 'the 3 coins are lost',
  nothingHappens: 'nothing happens',

  // Cards to choose.
  chooseCards: (count: number): string => (count === 1 ? 'Choose a card' : 'Choose two cards'),
  turnOver: (cards: readonly Character[]) => `Turn over the ${list(cards)}`,
  keep: (cards: readonly Character[]) => `Keep ${list(cards)}`,

  // What is asked of the reader.
  youWin: 'You win!',
  youAreOut: 'You are out',
  youWereKicked: 'You were kicked',
  paused: 'The game is paused',
  chooseLoss: 'Choose a card to lose',
  chooseKept: (count: number): string => (count === 1 ? 'Choose the card you keep' : 'Choose the two you keep'),
  againstWhom: 'Against whom?',
  youMustCoup: 'You must stage a coup',
  whatDoYouDo: 'What do you do?',
  whatDoYouSay: 'What do you say to that?',
  inAMoment: 'It goes ahead in a moment',
  yourBlock: 'Your block',
  yourAction: 'Your action',
  goAheadNow: 'You can go ahead now',
  seconds: (count: number) => `${count} s`,
  youLetItPass: 'You let it pass',
  waitingFor: (who: readonly Who[]) => (who.length ? `Waiting for ${people(who)}` : 'You wait'),
  afterKick: 'You were kicked: your cards are open and you are out. You may watch the rest of the game, and play in the next one.',
  watchTheRest: 'You may watch the rest of the game.',

  /** What another player is doing, in a word or two. */
  states: {
    winner: 'winner',
    gone: 'gone',
    out: 'out',
    missing: 'missing',
    losing: 'must lose',
    allows: 'allows',
    blocks: 'blocks',
    asked: 'may reply',
    exchanges: 'exchanges',
    toPlay: 'to play',
    acts: 'acts',
    claims: 'claims',
  },

  // What is going on.
  goingOn: 'What is going on',
  wins: (who: Who) => `${does(who, 'win')}!`,
  nobodyElse: 'Nobody else has a card left.',
  mustLose: (who: Who) => does(who, 'must lose a card', 'must lose a card'),
  reasons: {
    coup: 'That is what a coup does.',
    assassinate: 'The assassin has struck.',
    bs_wrong: 'BS was called on the truth.',
    bs_caught: 'A bluff was caught.',
  },
  struck: { coup: 'A coup against you! You lose a card.', assassinate: 'The assassin has struck! You lose a card.' },
  cardAtStake: (last: boolean): string => (last ? 'It would take your last card: you would be out.' : 'It would cost you a card.'),
  coinsAtStake: (count: number) => `It would cost you ${count === 1 ? '1 coin' : `${count} coins`}.`,
  exchanging: (who: Who) => `${does(who, 'exchange')} cards`,
  twoDrawn: 'Two cards were drawn from the deck.',
  blocks: (who: Who, character: Character, against: Who, action: Action) =>
    `${does(who, 'claim')} ${roles[character]} to block ${whose(against)} ${NOUNS[action]}`,
  hasIt: (who: Who, character: Character) => `${does(who, 'do have', 'does have')} the ${roles[character]}`,
  mayStillBlock: (who: Who, action: Action) => `${does(who, 'may still block', 'may still block')} the ${NOUNS[action]}.`,
  wantsAid: (who: Who) => `${does(who, 'want')} to take foreign aid`,
  aidMeans: '2 coins, unless somebody blocks as Duke.',
  claims: (who: Who, character: Character, action: Claimable, target: Who) =>
    `${does(who, 'claim')} ${roles[character]} to ${AIMS[action](whom(target))}`,
  turn: (who: Who) => (who === null ? 'Your turn' : `${whose(who)} turn`),
  mayAnswer: (who: readonly Who[]) => `May still answer: ${people(who)}`,
  nobodyObjects: 'Nobody objects',
  haveAllowed: (who: readonly Who[]) => `✓ ${people(who)}`,
  goesAheadIn: (seconds: number) => `Goes ahead in ${seconds} s`,
  atLeast: (seconds: number) => `At least ${seconds} s to answer`,
  byItselfIn: (seconds: number) => `Goes ahead by itself in ${seconds} s`,

  // What has happened.
  challenged(who: Who, accused: Who, character: Character, rightly: boolean): string {
    const verdict = rightly
      ? `and rightly: ${within(does(accused, 'have', 'has'))} no ${roles[character]}.`
      : `but ${within(does(accused, 'do have', 'does have'))} the ${roles[character]}.`
    return `${does(who, 'call')} BS, ${verdict}`
  },
  losesLast: (who: Who, character: Character) => `${does(who, 'lose')} ${who === null ? 'your' : 'their'} last card, the ${roles[character]}.`,
  loses: (who: Who, character: Character) => `${does(who, 'lose')} the ${roles[character]}.`,
  isOut: (who: Who) => `${does(who, 'are', 'is')} out.`,
  hasLeft: (who: Who) => `${does(who, 'have', 'has')} left the game.`,
  blockStands: (who: Who) => (who === null ? 'Your block stands.' : `${whose(who)} block stands.`),
  givesUp: (who: Who) => `${does(who, 'give')} up the action.`,
  nothingComesOfIt: 'The action does not take place.',
  letsItPass: (who: Who) => `${does(who, 'let')} it pass.`,
  hasExchanged: (who: Who) => `${does(who, 'have', 'has')} exchanged cards.`,
  everybodyIsHere: 'Everybody is here: the game goes on.',
  done(who: Who, action: Action, target: Who): string {
    switch (action) {
      case 'income':
        return `${does(who, 'take')} income.`
      case 'foreign_aid':
        return `${does(who, 'get')} foreign aid.`
      case 'tax':
        return `${does(who, 'take')} tax.`
      case 'steal':
        return `${does(who, 'steal')} from ${whom(target)}.`
      case 'assassinate':
        return `${does(who, 'assassinate')} ${whom(target)}.`
      case 'exchange':
        return `${does(who, 'draw')} two cards.`
      case 'coup':
        return `${does(who, 'stage')} a coup against ${whom(target)}.`
    }
  },

  // The end.
  howItEnded: 'How it ended',
  winsWith: (who: Who, cards: readonly Character[]) => `${does(who, 'win')} with ${list(cards)}`,
  you: 'You',
  leftTheGame: 'left the game',

  // A pause.
  goesOnWhen: 'It goes on when everybody is back.',
  isMissing: (name: string): Parts => ['', name, ' is missing'],
  noLimit: 'there is no limit to the wait',
  outIn: (time: string) => `out in ${time}`,
  kick: (name: string) => `Kick ${name}`,
  kickMeans: 'A kicked player turns over all cards and is out.',
  hostMay: (host: string) => `${host} is the host, and can go on without them.`,

  // Before the game.
  cardsAreYours: 'You keep these cards when the game begins. Nobody else sees them.',

  // Who does what.
  whoDoesWhat: 'Who does what',
  whoDoesWhatQuestion: 'Who does what?',
  powers: {
    duke: 'Tax: take 3 coins. Blocks foreign aid.',
    assassin: 'Assassinate: pay 3 coins, somebody loses a card.',
    captain: 'Steal: take 2 coins from somebody. Blocks stealing.',
    ambassador: 'Exchange: draw 2 cards, keep what you like. Blocks stealing.',
    contessa: 'Blocks assassination.',
  } satisfies Record<Character, string>,
  anybodyMay: 'Anybody may take income (1 coin), foreign aid (2 coins), or stage a coup for 7 coins. With 10 coins or more you must stage a coup.',
  bluffing: {
    official:
      'You need not have what you claim. If you are caught bluffing, you lose a card; if you doubt the truth, you lose one too, and the action goes on.',
    note: 'You need not have what you claim. If you are caught bluffing, you lose a card; if you doubt the truth, you lose one too. Either way the turn is over.',
  },

  close: 'Close',
}
