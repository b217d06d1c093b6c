/** What the pages of Faraway say, in English. The other languages have the same entries; the compiler sees to it. */
import type { Biome, Card, Counted } from '../cards'

type Counts = ReadonlyMap<Counted, number>
interface Lack {
  what: Counted
  need: number
  seen: number
}
interface Count {
  /** There was a quest, and it is fulfilled. */
  quest: boolean
  per: readonly Counted[]
  each: number
  found: number
  points: number
  /** How many of them lie where they don't count. */
  hidden: number
}

const ONE: Record<Counted, string> = {
  stone: 'stone',
  chimera: 'chimera',
  thistle: 'thistle',
  clue: 'clue',
  night: 'night card',
  red: 'red card',
  green: 'green card',
  blue: 'blue card',
  yellow: 'yellow card',
  colorless: 'grey card',
  wonder_set: 'set of three wonders',
  color_set: 'set of four colours',
}
const SETS: Partial<Record<Counted, string>> = {
  wonder_set: 'a stone, a chimera and a thistle',
  color_set: 'a red, a green, a blue and a yellow card',
}

const colour = (biome: Biome) => (biome === 'colorless' ? 'grey' : biome)
const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)
const points = (count: number) => (count === 1 ? '1 point' : `${count} points`)

/** “night card”, “stones”. */
function signs(what: Counted, count: number): string {
  if (count === 1) return ONE[what]
  return what.endsWith('_set') ? ONE[what].replace('set', 'sets') : `${ONE[what]}s`
}

function list(words: readonly string[], word = 'and'): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${word} ${words.at(-1)}`
}

/** “2 stones and a thistle”. */
function amounts(counts: Counts): string {
  return list([...counts].map(([what, count]) => (count === 1 ? `a ${ONE[what]}` : `${count} ${signs(what, count)}`)))
}

/** What a card is worth. */
function worth({ fame }: Card): string {
  if (!fame) return 'no points'
  if (!fame.per.length) return points(fame.points)
  const each = list(fame.per.map((one) => ONE[one]), 'or').replace(/ card (?=or)/, ' ')
  return `${points(fame.points)} for each ${each}`
}

export const en = {
  /** What it means to leave a running game. */
  leaving: 'You are out of the game, with all your cards; the others play on.',
  // Cards
  region: (number: number) => `Region ${number}`,
  sanctuary: (number: number) => `Sanctuary ${number}`,
  signs,
  /** On the signs of the biomes. */
  letters: { red: 'R', green: 'G', blue: 'B', yellow: 'Y' },
  biome: 'Biome',
  landscape: (biome: Biome, night: boolean) => `${colour(biome)}, by ${night ? 'night' : 'day'}`,
  shows: 'Shows',
  shown: amounts,
  quest: 'Quest',
  needed: (quest: Counts) => `needs ${amounts(quest)} in sight, or it scores nothing`,
  questSoFar: (lacking: Counts) => (lacking.size ? `Quest still needs ${amounts(lacking)}` : 'Quest fulfilled'),
  worthNow: (score: number) => `${points(score)} if it ended now`,
  fame: 'Fame',
  worth: (card: Card) => {
    const set = SETS[card.fame?.per[0] ?? 'clue']
    return set ? `${worth(card)}: ${set}` : worth(card)
  },
  gist: (card: Card, shown: Counts, quest: Counts) => {
    const parts = [`${colour(card.biome)}${card.night ? ', night' : ''}`]
    if (shown.size) parts.push(`shows ${amounts(shown)}`)
    if (quest.size) parts.push(`needs ${amounts(quest)}`)
    return [...parts, worth(card)].join('; ')
  },
  /** A card, or what else is said of a place, after where it is. */
  at: (where: string, what: string) => `${where}: ${what}`,
  place: (number: number) => `Place ${number}`,
  placeTaken: (number: number) => `Place ${number}: chosen, face down`,
  someCard: 'A card, face down',
  faceDown: 'face down',

  // The table; null is who reads this.
  round: (number: number) => `Round ${number}`,
  ofRounds: (all: number) => `of ${all}`,
  roundOf: (number: number, all: number) => `Round ${number} of ${all}`,
  phase: 'Phase',
  phases: { play: 'Play', sanctuary: 'Sanctuaries', shop: 'Shop' },
  you: 'You',
  others: 'The others',
  journey: (owner: string | null) => (owner === null ? 'Your journey' : `${owner}’s journey`),
  sanctuaries: (owner: string | null) => (owner === null ? 'Your sanctuaries' : `${owner}’s sanctuaries`),
  openCards: (owner: string) => `${owner}’s open cards`,
  inHand: 'In hand',
  yourCards: 'Your cards',
  yourHand: 'Your hand',
  offer: 'Sanctuaries on offer',
  shop: 'Shop',
  inShop: 'In the shop',
  shopOrder: 'Order of choosing',
  shopRule: 'The lowest number takes first.',
  youInOrder: 'you',
  done: 'done',

  // What others are doing
  away: 'away',
  hasChosen: 'has chosen',
  isChoosing: 'is choosing…',
  choosesAmong: (count: number) => `has ${count} to choose from`,
  isTaking: 'takes a region…',

  // What is to be done
  over: 'The journey is over. Now the way back…',
  chooseRegion: 'Choose a region for your journey',
  foundSanctuaries: (count: number) => (count === 1 ? 'You have found a sanctuary' : `Keep one of these ${count} sanctuaries`),
  takeRegion: 'Take a region from the shop',
  waiting: (those: readonly string[], chosen: boolean) => `${chosen ? 'Chosen. Waiting' : 'Waiting'} for ${list(those)}`,
  waitingForSanctuaries: (those: readonly string[]) => `Waiting for ${list(those)} to choose a sanctuary`,
  taking: (those: readonly string[], next: boolean) => `${list(those)} ${those.length === 1 ? 'takes' : 'take'} a region${next ? '; you are next' : ''}`,
  watching: (status: string) => `You are watching. ${status}.`,
  firstOutlook: 'Low numbers are first in the shop',
  lower: (last: number) => `Lower than ${last}: no sanctuary`,
  higher: (last: number, offer: number) => `Higher than ${last}: ${offer > 1 ? `1 of ${offer} sanctuaries` : 'a sanctuary'}`,
  aboutLastRegion: 'It scores first, and sees only itself and your sanctuaries.',
  aboutRegion: 'On the way back it sees only what comes after it.',
  aboutSanctuaries: 'All your regions will see it. The others go under the deck.',
  aboutTaking: 'Tap a card to choose it; hold it to see it large.',
  chooseCard: 'Choose a card',
  acts: {
    play: (number: number) => `Play ${number}`,
    choose: (number: number) => `Keep ${number}`,
    take: (number: number) => `Take ${number}`,
  },

  // The way back
  wayBack: 'The way back',
  aboutWayBack: 'From the last region to the first: each sees itself, what lies to its right, and the sanctuaries.',
  // Why it ended as it did; null is who reads this.
  wonBy: (who: string | null, margin: number) => `${who ?? 'You'} won by ${points(margin)}.`,
  shared: (those: readonly (string | null)[], total: number) => `${capital(list(those.map((who) => who ?? 'you')))} share the victory, with ${points(total)}.`,
  tied: (who: string | null, total: number, lowest: number) => `Equal at ${points(total)}: ${who ?? 'you'} won with the lowest region, ${lowest}.`,
  lastLeft: (who: string | null) => `${who ?? 'You'} won: everybody else has left.`,
  alone: (total: number) => `A journey alone: ${points(total)}.`,
  decisive: (region: number, scored: number, sanctuaries: number) => `Region ${region} alone brought ${points(scored)}${sanctuaries ? `, the sanctuaries ${sanctuaries}` : ''}.`,
  leftOver: 'Left in hand',
  whose: 'Whose journey',
  theJourney: 'The journey',
  theSanctuaries: 'The sanctuaries',
  nth,
  total: 'Total',
  soFar: 'So far',
  inSight: 'In sight',
  /** Before how many there are of it. */
  sign: (what: Counted) => `${signs(what, 2)}: `,
  stepByStep: 'Step by step',
  back: 'Back',
  nextRegion: 'Next region',
  nextSanctuaries: 'Sanctuaries',
  allAtOnce: 'All at once',
  sightAtFirst: (sanctuaries: number): string => (sanctuaries ? 'The sanctuaries are in sight from the start.' : 'No sanctuaries: nothing is in sight at first.'),
  turnedOver: 'All regions are turned over. The last one is revealed first.',
  regionScored: (place: number, number: number, scored: number) => `${nth(place)} region, ${number}: ${points(scored)}`,
  sanctuariesScored: (scored: number) => `The sanctuaries: ${points(scored)}`,
  noSanctuaryScores: 'None of them has fame of its own.',
  /** Before, in and after what is stressed. */
  lesson: (lost: number): [string, string, string] => [
    `${lost === 1 ? 'One quest was' : `${lost} quests were`} not fulfilled. A region with a quest needs the wonders `,
    'after',
    ' it, to its right.',
  ],
  shortSanctuary: 'Sanct.',
  sideBySide: 'Side by side',
  regions: 'Region',

  // Why a card has so many points
  noFame: 'No fame of its own; it helps the others.',
  questFailed: (lacking: readonly Lack[], toTheLeft: boolean) => {
    const short = list(lacking.map(({ what, need, seen }) => `${need} ${signs(what, need)} (${seen || 'none'} in sight)`))
    return `Quest failed: it needs ${short}.${toTheLeft ? ' What is missing lies to its left, where it sees nothing.' : ''}`
  },
  flat: (quest: boolean, scored: number) => `${quest ? 'Quest fulfilled. ' : ''}${points(scored)}.`,
  counted: ({ quest, per, each, found, points, hidden }: Count) => {
    const what = found === 1 && per.length === 1 ? ONE[per[0]!] : list(per.map((one) => signs(one, 2))).replaceAll(/ cards (?=and)/g, ' ')
    const more = hidden > 0 ? ` ${hidden} more to its left ${hidden === 1 ? 'does' : 'do'} not count.` : ''
    return `${quest ? 'Quest fulfilled. ' : ''}${each} × ${found} ${what} = ${points}.${more}`
  },
}

function nth(place: number): string {
  const teens = place % 100 > 10 && place % 100 < 14
  return `${place}${teens ? 'th' : (['th', 'st', 'nd', 'rd'][place % 10] ?? 'th')}`
}
