import { capital, common, does, type Parts, playingCards as names, type Who, whom, whose } from '@croupier/table/words/en'
import type { Place, Verb } from '../cambia'
import type { Mark } from '../fleeting.svelte'

const VERBS: Record<Verb, string> = {
  snap: 'Snap',
  give: 'Give',
  replace: 'Replace',
  choose: 'Choose',
  look: 'Look at',
  lift: 'Lift',
}
const MARKS: Record<Mark, string> = { looked: 'looked at', swapped: 'swapped', new: 'new' }

/** Where a card lies: "your card 2", "Ann’s card 1". */
const at = (place: Place | null) => (place === null ? 'a card' : `${whose(place.owner)} card ${place.number}`)
const seen = (face?: string, mark?: Mark) => [face && names.name(face), mark && MARKS[mark]].filter(Boolean).map((one) => `, ${one}`).join('')
const both = (faces: readonly string[]) => faces.map(names.the).join(' and ')
const listed = (names: readonly string[]) => new Intl.ListFormat('en-GB').format(names)
const round = (number: number, of?: number) => (of === undefined ? `Round ${number}` : `Round ${number} of ${of}`)

export const en = {
  /** What it means to leave a running game. */
  leaving: 'You give up the game: your cards stay out of it, and you come last.',
  ...common,
  cambia: 'Cambia!',
  noCards: 'no cards',
  theCards: 'The cards',

  // Cards in hands.
  cardsOf: (owner: Who) => (owner === null ? 'Your cards' : `${whose(owner)} cards`),
  card: (place: Place, face?: string, mark?: Mark) => (place.owner === null ? `Your card ${place.number}` : at(place)) + seen(face, mark),
  touchCard: (verb: Verb, place: Place, face?: string, mark?: Mark) => `${VERBS[verb]} ${at(place)}${seen(face, mark)}`,

  // The middle.
  stockpile: 'Stockpile',
  drawFromStockpile: 'Draw from the stockpile',
  discardPile: (face: string) => `Discard pile: ${names.name(face)}`,
  discarded: 'Discard pile',
  drawFromDiscardPile: (face: string) => `Draw the ${names.name(face)} from the discard pile`,
  drew: (who: Who) => does(who, 'drew', 'drew'),

  // What can be done.
  call: 'Call Cambia!',
  callPerhaps: 'Cambia…',
  notYet: 'Not yet',
  draw: 'Draw',
  putBack: 'Put it back',
  throwAway: 'Throw it away',
  swapThem: 'Swap them',
  leaveThem: 'Leave them',
  goOn: 'Go on',
  skip: 'Skip',
  snap: 'Snap',
  snapLike: (face: string) => `Snap ${names.like(face)}`,
  snapIt: 'Snap it!',
  tapACard: 'Tap a card',
  snappedAlready: 'Too late to snap',
  seenThem: 'I have seen them',

  // What is asked of the reader.
  waitingForAll: 'Waiting until everybody is here',
  remember: 'Remember these cards!',
  beginsSoon: 'The game begins in a moment',
  youAreOut: 'You are out of this game',
  tapToSnap: 'Tap the card to snap',
  tapToGive: (name: string) => `Tap a card to give ${name}`,
  holding: (face: string) => capital(names.the(face)),
  holdingForWhich: (face: string) => `${capital(names.the(face))}: for which card?`,
  deciding: (faces: readonly string[]) => capital(both(faces)),
  theOther: 'And the other card?',
  choices: {
    peek_self: 'Look at one of your cards',
    peek_other: 'Look at somebody else’s card',
    swap_blind: 'Swap two cards, unseen',
    swap_peek: 'Look at two cards',
  },
  /** With what comes next, if that is for the reader. */
  itIs: (faces: readonly string[], next: string) => `It is ${both(faces)}${next && `. ${next}`}`,
  yourLastTurn: 'Your last turn',
  isToPlay: (name: string) => `${name} is to play`,
  waitingFor: (names: readonly string[]) => `Waiting for ${listed(names)}`,
  hasLastTurn: (name: string) => `${name} has a last turn`,

  // What another player is doing, in a word or two.
  isOut: 'out',
  owesACard: 'owes a card',
  steps: { start: 'to play', holding: 'holds a card', choosing: 'may act', deciding: 'decides' },

  // What has happened.
  dealt: 'The cards are dealt.',
  reshuffled: 'The discard pile was reshuffled.',
  draws: (who: Who) => `${does(who, 'draw')} a card.`,
  drawsOpen: (who: Who, face: string) => `${does(who, 'draw')} ${names.the(face)} from the pile.`,
  throws: (who: Who, face: string) => `${does(who, 'throw')} ${names.the(face)}.`,
  keepsAndThrows: (who: Who, number: number, face: string) =>
    `${does(who, 'keep')} it as card ${number} and ${who === null ? 'throw' : 'throws'} ${names.the(face)}.`,
  looks: (who: Who, place: Place | null) => `${does(who, 'look')} at ${at(place)}.`,
  looksAtTwo: (who: Who, one: Place | null, other: Place | null) => `${does(who, 'look')} at ${at(one)} and ${at(other)}.`,
  swaps: (who: Who, one: Place | null, other: Place | null) => `${does(who, 'swap')} ${at(one)} and ${at(other)}.`,
  oneIsGone: 'Too late: one of the two cards is gone.',
  leavesIt: (who: Who) => `${does(who, 'leave')} it at that.`,
  calls: (who: Who) => `${does(who, 'call')} Cambia!`,
  snaps: (who: Who, face: string) => `${does(who, 'snap')} ${names.the(face)}!`,
  snapsOf: (who: Who, face: string, owner: Who) => `${does(who, 'snap')} ${whose(owner)} ${names.name(face)}!`,
  snapsWrong: (who: Who, place: Place | null) => `${does(who, 'snap')} ${at(place)}: wrong.`,
  snapsLate: (who: Who, place: Place | null) => `${does(who, 'snap')} ${at(place)}: too late.`,
  snapsNothing: (who: Who) => `${does(who, 'snap')} a card that is gone: too late.`,
  penalty: (count: number) => (count === 1 ? 'A penalty card.' : `${count} penalty cards.`),
  gives: (who: Who, target: Who) => `${does(who, 'give')} ${whom(target)} a card.`,
  givesNothing: (who: Who, target: Who) => `${does(who, 'give')} ${whom(target)} nothing.`,
  forfeits: (who: Who) => `${does(who, 'are', 'is')} out of the game.`,
  ends: {
    cambia: 'The last turn is over: all cards are turned over.',
    deck_exhausted: 'There is no card left to draw: all cards are turned over.',
    forfeit: 'Nobody else is left.',
    max_turns: 'That was the last turn: all cards are turned over.',
  },

  // Rounds of a match.
  round,
  lastRound: (number: number) => `Round ${number}, the last`,
  roundBegins: (number: number) => `Round ${number} begins.`,
  roundIsOver: (number: number, of?: number) => `${round(number, of)} is over`,
  nextRound: 'The next round begins in a moment.',
  onToNextRound: 'On to the next round',
  allRounds: 'All rounds',
  inAll: 'In all',
  withPointsOff: 'The totals include what was taken off for the best of each round, and what was added.',

  // Why it ended so.
  calledRightly: (who: Who, score: string, equals: readonly Who[]) =>
    equals.length
      ? `${does(who, 'called', 'called')} Cambia with ${score}. ${capital(listed(equals.map(whom)))} had the same, but the caller wins a tie.`
      : `${does(who, 'called', 'called')} Cambia with ${score}, and nobody had less.`,
  calledInVain: (who: Who, score: string, winners: readonly Who[], least: string) =>
    `${does(who, 'called', 'called')} Cambia with ${score}, but ${listed(winners.map(whom))} had ${least}.`,
  callerWentOut: (who: Who) => `${does(who, 'called', 'called')} Cambia and went out of the game.`,
  hadLeast: (winners: readonly Who[], least: string) => `${capital(listed(winners.map(whom)))} had the least: ${least}.`,

  // All cards turned over.
  cardsOfAll: 'Everybody’s cards',
  you: 'You',
  winner: 'winner',
  calledCambia: 'called Cambia',
  /** Of a match so far, with what its rules have added to a round. */
  total: (total: string, added?: string) => (added ? `${added}, ${total} in all` : `${total} in all`),

  // What the cards do.
  whatCardsDo: 'What the cards do',
  whatCardsDoQuestion: 'What do the cards do?',
  cardsDo: {
    redKings: 'count −1',
    joker: 'counts 0',
    ace: 'counts 1; J counts 11, Q 12, all others their number',
    blackKings: 'count 13',
    lookAtOwn: 'thrown right after drawing: look at one of your own cards',
    lookAtOther: 'look at somebody else’s card',
    swapUnseen: 'swap any two cards, unseen',
    lookAndSwap: 'look at any two cards, then swap them or not',
  },
  snapRule: (anybodys: boolean): Parts => [
    '',
    'Snap',
    ` a card of the same rank as the top of the discard pile, whenever you like: ${anybodys ? 'one of yours, or somebody else’s, to whom you then give one of yours' : 'one of yours'}.`,
  ],
  wrongSnap: (cards: number) => `A wrong one costs ${cards === 1 ? 'a card' : `${cards} cards`}.`,
  howToSnap: ['Tap ', 'Snap', ' and the card. Or tap a card first: it is lifted, and another tap snaps it. By keyboard: S, and the number of your card.'] as Parts,
  cambiaRule: ['Instead of drawing you may call ', 'Cambia', ': everybody else has one more turn, and the lowest sum wins.'] as Parts,
}
