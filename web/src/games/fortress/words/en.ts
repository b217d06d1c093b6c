/** What the pages of Fortress say, in English. The other languages have the same entries; the compiler sees to it. */
import type { Attacked, RequestView, View } from '../../../protocol/fortress'
import { capital } from '../capital'
import type { Kind, Payment, Trigger } from '../cards'
import type { Zone } from '../fortress'

/** Somebody's name; null is who reads this. */
type Who = string | null
type Purpose = NonNullable<RequestView['purpose']>

const does = (who: Who, verb: string, third = `${verb}s`) => (who === null ? `You ${verb}` : `${who} ${third}`)
const whose = (who: Who) => (who === null ? 'your' : `${who}’s`)
const amount = (count: number) => (count === 1 ? '1 card' : `${count} cards`)

/** What lies somewhere: a card that can be seen, or what is known of it. */
function thing(zone: Zone, card: string | null): string {
  if (zone === 'castle') return 'castle'
  return card ?? (zone === 'trickster' ? 'face-down trickster' : zone)
}

function list(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

function payment({ kinds, card, level, count }: Payment): string {
  const what = card ?? `${kinds.join(' or a ')}${level ? ` of level ${level} or more` : ''}`
  return count > 1 ? `${count} ${what}s` : `a ${what}`
}

const lays = (who: Who, card: string | null) => `${does(who, 'lay')} ${card ?? 'a trickster'} face down`

/** What is asked, the button that chooses, and what others are told of it. */
const PURPOSES: Record<Purpose, [asked: string, verb: string, other: string]> = {
  cost: ['Choose what you pay with', 'Pay with', 'what to pay with'],
  add: ['Choose a card for your hand', 'Take', 'a card for the hand'],
  play: ['Choose a card to play', 'Play', 'a card to play'],
  destroy: ['Choose a card to destroy', 'Destroy', 'a card to destroy'],
  stun: ['Choose a card to stun', 'Stun', 'a card to stun'],
  discard: ['Choose a card to discard', 'Discard', 'a card to discard'],
  points: ['Choose whose points change', 'Choose', 'whose points change'],
  extra_attack: ['Choose a soldier to attack once more', 'Choose', 'a soldier to attack once more'],
  take: ['Choose a soldier to take over', 'Take over', 'a soldier to take over'],
  swap: ['Choose a soldier to swap', 'Swap', 'a soldier to swap'],
  redirect: ['Choose what the attack hits instead', 'Aim at', 'what the attack hits instead'],
  hand_limit: ['Too many cards in hand: discard down to ten', 'Discard', 'a card to discard, down to ten'],
}

const KIND: Record<Kind, string> = { soldier: 'soldier', mage: 'mage', trickster: 'trickster', decree: 'decree', castle: 'castle' }
const MARKS = { source: 'Choose', goal: 'Put it here', target: 'Choose as target' }

export const en = {
  /** What it means to leave a running game. */
  leaving: 'You lose the game.',
  // Cards
  kind: KIND,
  kinds: (kind: Kind, count: number) => (count === 1 ? KIND[kind] : `${KIND[kind]}s`),
  someCard: 'a card',
  cost: (payments: readonly Payment[], toll: number) => list([...payments.map(payment), ...(toll ? [`${toll} castle health`] : [])]),
  costs: (price: string) => `Costs ${price}`,
  titleWithCost: (title: string, price: string) => `${title} – costs ${price}`,
  triggers: {
    'on play': 'On play',
    'on lvl': 'On Lvl',
    'in play': 'In play, once per turn',
    field: 'Field',
    special: 'Special',
    response: 'Answer',
    always: 'Always',
    'by itself': 'By itself',
  } satisfies Record<Trigger, string>,
  atLevel: (level: number, trigger: string) => `Level ${level} · ${trigger}`,
  /** Before a text, in a list. */
  lead: (when: string) => `${when}:`,
  castleTitle: (health: number) => `castle, ${health} health`,
  fighterTitle: (kind: Kind, points: number) => `${KIND[kind]}, ${points} points`,
  /** What a screen reader says of a card. */
  reading: (name: string, title: string, price: string, texts: readonly { when: string; words: string }[]) =>
    [`${name}, ${title}`, ...(price ? [`costs ${price}`] : []), ...texts.map(({ when, words }) => `${when}: ${words.replace(/\.$/, '')}`)].join('. '),
  noText: 'Nothing but its walls.',
  lasts: (turns: number) => (turns === 1 ? '1 turn' : `${turns} turns`),

  // Decks
  unknownCard: 'It contains a card that does not exist.',
  tooManyCopies: (count: number, name: string, allowed: number) => `${count} copies of ${name}, but only ${allowed === 1 ? 'one is' : `${allowed} are`} allowed.`,
  tooFewCards: (missing: number, size: number) => `${missing} more ${missing === 1 ? 'card is' : 'cards are'} needed: a deck has ${size}.`,
  tooManyCards: (extra: number, size: number) => `${extra} ${extra === 1 ? 'card' : 'cards'} too many: a deck has ${size}.`,
  castleNeeded: 'It needs a castle.',
  myDeck: 'My deck',
  deckLike: (name: string) => `${name}, changed`,
  yourDeck: 'Your deck',
  yourDeckIs: (name: string) => `Your deck: ${name}`,
  behindWalls: (castle: string) => `Behind the walls of ${castle}.`,
  aboutBringing: 'You bring it when the game begins; nobody sees what is in it.',
  thatDeck: 'That one',
  anotherDeck: 'Choose or build another',
  noCastle: 'No castle yet',
  castleWithHealth: (name: string, health: number) => `${name}, ${health} health`,
  problem: (cards: number, problem: string) => `${cards} cards. ${problem}`,
  changeDeck: 'Change',
  copyDeck: 'Copy',
  buildDeck: 'Build a deck',
  builder: 'Deck builder',
  nameOfDeck: 'Name of the deck',
  castle: 'Castle',
  chooseCastle: 'Choose a castle…',
  countOf: (count: number, all: number) => `${count} of ${all}`,
  playable: 'This deck can be played.',
  show: 'Show',
  allCards: 'All cards',
  inDeck: 'In the deck',
  copiesOf: (name: string, kind: Kind) => `${name} (${KIND[kind]})`,
  oneMore: (name: string) => `One more ${name}`,
  oneFewer: (name: string) => `One ${name} fewer`,
  copiesAtMost: (copies: number, most: number) => `${copies} of at most ${most}`,
  emptyDeck: 'There is no card in this deck yet.',
  deleteDeck: 'Delete this deck',
  reallyDelete: 'Really delete it?',
  doneBuilding: 'Done',

  // Places on the table
  field: (owner: Who) => capital(`${whose(owner)} field`),
  deckOf: (owner: Who) => capital(`${whose(owner)} deck`),
  discardOf: (owner: Who) => capital(`${whose(owner)} discard pile`),
  pile: (label: string, count: number, top: string | null) => `${label}: ${amount(count)}${top === null ? '' : `, ${top} on top`}`,
  deckPile: 'Deck',
  discardPile: 'Discard',
  emptyPile: 'It is empty.',
  slot: (owner: Who, kind: Kind, number: number | null) => `${whose(owner)} ${KIND[kind]}${number === null ? '' : ` ${number}`}`,
  holds: (label: string, facts: readonly string[]) => `${label}: ${facts.join(', ')}`,
  marked: (name: string, as: keyof typeof MARKS) => `${name}. ${MARKS[as]}`,
  empty: 'empty',
  faceDown: 'face down',
  stunned: 'stunned',
  points: (count: number) => `${count} points`,
  level: (level: number) => `level ${level}`,
  attacksLeft: (count: number) => (count === 1 ? '1 attack left' : `${count} attacks left`),
  castleOf: (owner: Who) => `${whose(owner)} castle`,
  castleWhole: (label: string, name: string, health: number, all: number) => `${label}: ${name}, ${health} of ${all} health`,
  castleHidden: (label: string) => `${label}: not revealed yet`,
  hiddenName: 'hidden',
  handSize: (count: number) => `${count} cards in hand`,
  handOf: (owner: Who) => `${capital(whose(owner))} hand`,
  handIsEmpty: (owner: Who) => `${capital(whose(owner))} hand is empty.`,
  yourCards: 'Your cards',
  watching: 'Watching',
  turn: (turn: number) => `Turn ${turn}`,
  close: 'Close',
  thing,
  thingOf: (owner: Who, zone: Zone, card: string | null) => `${whose(owner)} ${thing(zone, card)}`,

  // What is to be done
  youWin: 'You win!',
  youLose: 'You have lost',
  wins: (name: string) => `${name} wins`,
  waitingForDeck: (name: string) => `Waiting for ${name} to choose a deck`,
  chooseDeck: 'Choose your deck',
  playWith: (deck: string) => `Play with ${deck}`,
  waitingForHand: (name: string) => `Waiting for ${name} to keep a hand`,
  goodHand: 'Is this a good hand to begin with?',
  answerOrAllow: 'Answer, or allow it',
  noAnswer: 'You have no answer to this',
  mayAnswer: (name: string) => `${name} may answer`,
  turnOfOther: (name: string) => `${name}’s turn`,
  drawFirst: 'Your turn: draw a card first',
  chooseTarget: 'Choose what to attack',
  chooseSlot: 'Choose where it goes',
  yourTurnToAct: 'Your turn: play, attack, or end it',
  nothingToDo: 'Nothing more to do in this turn',
  lostConnection: (name: string) => `${name} has lost the connection.`,
  actions: 'What you can do',
  layFaceDown: (card: string) => `Lay ${card} face down`,
  play: (card: string) => `Play ${card}`,
  attack: (target: string) => `Attack ${target}`,
  raise: (level: number) => `Raise to level ${level}`,
  /** The action is what it answers, if that is in question. */
  use: (card: string, action: string | null) => `Use ${card}${action === null ? '' : ` – to “${action}”`}`,
  answer: (card: string, action: string | null, more: boolean) => `Answer with ${card}${action === null ? '' : ` – to “${action}”`}${more ? ', then another' : ''}`,
  giveBack: (card: string) => `Give ${card} back`,
  nothing: 'Nothing',
  back: 'Back',
  showCards: 'Show the cards',
  draw: 'Draw a card',
  allow: 'Allow',
  allowByItself: 'Go on automatically when I have no answer',
  keepHand: 'Keep this hand',
  newHand: (cards: number) => `${cards} new ${cards === 1 ? 'card' : 'cards'}`,
  yes: 'Yes',
  no: 'No',
  endTurn: 'End the turn',
  toChooseFrom: 'Cards to choose from',
  severalCopies: (card: string, count: number) => `${card}. ${count} copies`,
  chooseCard: 'Choose a card',
  seeTable: 'See the table',

  // What we are asked, and others
  protect: (what: string | null) => `Save ${what ?? 'it'} from being destroyed?`,
  lastStand: 'Your castle is about to fall. Keep it at 1 health?',
  drawMore: (by: string) => `${by}: draw a card?`,
  levelAtOnce: (mage: string | null, level: number) => `Raise ${mage ?? 'the mage'} to level ${level} at once?`,
  asks: (purpose: Purpose, by: string | null) => {
    const asked = PURPOSES[purpose][0]
    if (by === null || purpose === 'hand_limit') return asked
    return purpose === 'cost' ? `${asked} for ${by}` : `${by}: ${asked.slice(0, 1).toLowerCase()}${asked.slice(1)}`
  },
  chooses: (purpose: Purpose, what: string) => `${PURPOSES[purpose][1]} ${what}`,
  otherChooses: (name: string, purpose: Purpose) => `${name} chooses ${PURPOSES[purpose][2]}`,
  otherIsAsked: (name: string) => `${name} is asked a question`,

  // What waits on the stack
  stack: 'What is going on',
  /** Of the topmost action, where several wait. */
  happensFirst: 'Happens first',
  answersTo: (number: number) => `(to ${number})`,
  read: (card: string) => `Read ${card}`,
  draws: (who: Who) => `${does(who, 'draw')} a card`,
  lays,
  plays: (who: Who, card: string) => `${does(who, 'play')} ${card}`,
  raises: (who: Who, mage: string, level: number) => `${does(who, 'raise')} ${mage} to level ${level}`,
  uses: (who: Who, card: string) => `${does(who, 'use')} ${card}`,
  attacks: (who: Who, target: string, card: string) => `${does(who, 'attack')} ${target} with ${card}`,
  answers: (who: Who, card: string) => `${does(who, 'answer')} with ${card}`,
  aboutFirstHand: 'Instead of this hand you may have a new one, of one card fewer each time. Single cards can be given back, too.',
  keepsHand: (who: Who) => `${does(who, 'keep')} the hand.`,

  // What has happened
  turnStarted: (turn: number, who: Who) => `Turn ${turn}: ${who ?? 'yours'}.`,
  castlesRevealed: (one: string, other: string, first: Who) => `${one} against ${other}. ${does(first, 'begin')}.`,
  /** By name, where they are known. Cards that were not drawn for an action are just had. */
  drew: (who: Who, cards: readonly string[], count: number, asAction: boolean) =>
    `${does(who, asAction ? 'draw' : 'get')} ${cards.length ? cards.join(', ') : count === 1 ? 'a card' : `${count} cards`}.`,
  enters: (card: string, cancelled: boolean) => (cancelled ? `${card} enters, its text cancelled.` : `${card} enters the field.`),
  laid: (who: Who, card: string | null) => `${lays(who, card)}.`,
  mageIsGone: 'The mage is gone, and reaches no level.',
  reaches: (mage: string, level: number, cancelled: boolean) => `${capital(mage)} is at level ${level}${cancelled ? ', its text cancelled' : ''}.`,
  works: (card: string) => `${card} works.`,
  fizzles: (card: string) => `${card} comes to nothing.`,
  isCancelled: (card: string) => `${card} is cancelled.`,
  blows: {
    castle_hit: 'The attack hits the castle.',
    target_loses: 'The attacker wins.',
    attacker_loses: 'The defender wins.',
    both_lose: 'Equal points: both are lost.',
    void: 'A trickster has stopped the attack; it may be repeated.',
    fizzled: 'The attack comes to nothing.',
  } satisfies Record<Attacked['result'], string>,
  destroyed: (things: readonly string[]) => `Destroyed: ${things.join(', ')}.`,
  changedSides: (soldiers: number) => `${soldiers === 1 ? 'A soldier changes' : 'Soldiers change'} sides.`,
  castleLeft: (owner: Who, health: number) => `${capital(whose(owner))} castle has ${health} health left.`,
  discards: (who: Who, card: string) => `${does(who, 'discard')} ${card}.`,
  timedOut: (who: Who) => `${capital(whose(who))} time was up.`,

  // The end
  howItEnded: 'How it ended',
  reasons: {
    castle: (loser: Who) => `${capital(whose(loser))} castle has fallen.`,
    deck_out: (loser: Who) => `There was nothing left to draw in ${whose(loser)} deck.`,
    forfeit: (loser: Who) => `${loser === null ? 'You have' : `${loser} has`} given up.`,
    disconnect: (loser: Who) => `${capital(whose(loser))} connection did not come back in time.`,
    timeout: (loser: Who) => `${capital(whose(loser))} time was up three times in a row.`,
  } satisfies Record<NonNullable<View['reason']>, (loser: Who) => string>,
  lastBlow: (winner: Who, card: string) => `${capital(whose(winner))} ${card} struck the last blow.`,
  left: (hand: number, deck: number) => `${amount(hand)} in hand, ${deck} in the deck`,
  length: (turns: number) => (turns === 0 ? 'Before the first turn.' : turns === 1 ? 'In the first turn.' : `After ${turns} turns.`),
  you: 'You',
  health: 'Health',
  healthLeft: (health: number, all: number) => `${health} of ${all}`,

  // Help
  howToPlay: 'How to play',
  howToPlayQuestion: 'How do you play?',
  goal: 'Bring the enemy castle down to 0 health, or outlast the enemy’s deck: a player who must draw and can’t has lost.',
  about: {
    soldier: 'Fights. While you have one, your castle can’t be attacked. One from hand each turn; attacks at once.',
    mage: 'Rises by one level each turn, and does more on each. May attack at level 3. One from hand each turn.',
    trickster: 'Is laid face down. Answers what the enemy does, in the enemy’s turn. Most stop an attack that they answer.',
    decree: 'Works for a few turns. You have one at a time.',
  },
  /** Headings and what follows them. Every second part of what follows is a word to be set off. */
  lessons: [
    ['Your turn:', ['draw a card (but not in the first turn of the game), then play cards, raise mages, use abilities and attack, in any order. Nobody attacks in the first turn.']],
    ['Battle:', ['the card with fewer points is destroyed; equal points destroy both. A castle loses as much health as the attacker has points.']],
    ['Costs', ['are shown as small shapes on a card: so many of your own cards are given up for it.']],
    [
      'Words on cards:',
      [
        '',
        'On play',
        ' happens when the card is played, ',
        'On Lvl',
        ' when a mage reaches that level. ',
        'In play',
        ' can be used once in each of your turns. ',
        'Field',
        ' applies as long as the card is on the field, and ',
        'Special',
        ' works in anybody’s turn. A ',
        'stunned',
        ' card can do nothing until its player’s turn is over.',
      ],
    ],
    ['Answers:', ['whatever one player does, the other may answer or allow. What came last happens first.']],
    ['On the table:', ['what you can use has a golden rim. Tap it, then tap where it goes. Hold a card, or rest the mouse on it, to read it.']],
  ] as [heading: string, parts: string[]][],
  backToTable: 'Back to the table',
}
