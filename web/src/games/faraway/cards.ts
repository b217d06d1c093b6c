/** The cards as the server's own file has them, and all about them that can be said in words. */
import box from '../../../../src/croupier/games/faraway/cards.json'

export type Wonder = 'stone' | 'chimera' | 'thistle'
export type Biome = 'red' | 'green' | 'blue' | 'yellow' | 'colorless'
/** What a card may show. */
export type Sign = Wonder | Biome | 'clue' | 'night'
/** What fame may count. */
export type Counted = Sign | 'wonder_set' | 'color_set'

export interface Card {
  kind: 'region' | 'sanctuary'
  /** By which the server knows it. */
  index: number
  /** The number that is printed on it. */
  number: number
  biome: Biome
  night: boolean
  clue: boolean
  wonders: readonly Wonder[]
  quest: readonly Wonder[]
  fame: { points: number; per: readonly Counted[] } | null
}

interface Stored {
  value?: number
  tile?: number
  biome: string
  night?: boolean
  clue?: boolean
  wonders?: string[]
  quest?: string[]
  fame?: { points: number; per?: string[] }
}

function read(kind: Card['kind'], stored: Stored, index: number): Card {
  return {
    kind,
    index,
    number: stored.value ?? stored.tile ?? index,
    biome: stored.biome as Biome,
    night: stored.night ?? false,
    clue: stored.clue ?? false,
    wonders: (stored.wonders ?? []) as Wonder[],
    quest: (stored.quest ?? []) as Wonder[],
    fame: stored.fame ? { points: stored.fame.points, per: (stored.fame.per ?? []) as Counted[] } : null,
  }
}

export const REGIONS: readonly Card[] = (box.regions as Stored[]).map((card, i) => read('region', card, i))
export const SANCTUARIES: readonly Card[] = (box.sanctuaries as Stored[]).map((card, i) => read('sanctuary', card, i))

/** All that a card adds to what is in sight. */
export function signs(card: Card): Sign[] {
  return [...card.wonders, ...(card.clue ? ['clue' as const] : []), ...(card.night ? ['night' as const] : []), card.biome]
}

export function tally<T extends string>(many: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>()
  for (const one of many) counts.set(one, (counts.get(one) ?? 0) + 1)
  return counts
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

export function biomeName(biome: Biome): string {
  return biome === 'colorless' ? 'grey' : biome
}

/** “night card”, “2 stones”. */
export function called(what: Counted, count = 1): string {
  if (count === 1) return ONE[what]
  if (what.endsWith('_set')) return `${count} ${ONE[what].replace('set', 'sets')}`
  return `${count} ${ONE[what]}s`
}

export function list(words: readonly string[], word = 'and'): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${word} ${words.at(-1)}`
}

/** “2 stones and a thistle”. */
export function amounts(many: readonly Counted[]): string {
  return list([...tally(many)].map(([what, count]) => (count === 1 ? `a ${called(what)}` : called(what, count))))
}

/** What a card is worth. */
export function worth(card: Card): string {
  if (!card.fame) return 'No points'
  const { points, per } = card.fame
  const said = points === 1 ? '1 point' : `${points} points`
  return per.length ? `${said} for each ${list(per.map((one) => called(one)), 'or').replace(/ card (?=or)/, ' ')}` : said
}

export function title(card: Card): string {
  return card.kind === 'region' ? `Region ${card.number}` : `Sanctuary ${card.number}`
}

/** A card line by line, as it is read out. */
export function lines(card: Card): { what: string; text: string }[] {
  const shown: Counted[] = [...card.wonders, ...(card.clue ? ['clue' as const] : [])]
  const set = SETS[card.fame?.per[0] ?? 'clue']
  return [
    { what: 'Biome', text: `${biomeName(card.biome)}, by ${card.night ? 'night' : 'day'}` },
    ...(shown.length ? [{ what: 'Shows', text: amounts(shown) }] : []),
    ...(card.quest.length ? [{ what: 'Quest', text: `needs ${amounts(card.quest)} in sight, or it scores nothing` }] : []),
    { what: 'Fame', text: `${worth(card).toLowerCase()}${set ? `: ${set}` : ''}` },
  ]
}

/** A card in one sentence. */
export function words(card: Card): string {
  return `${title(card)}: ${gist(card)}`
}

/** The same without its name. */
export function gist(card: Card): string {
  const shown: Counted[] = [...card.wonders, ...(card.clue ? ['clue' as const] : [])]
  const parts = [`${biomeName(card.biome)}${card.night ? ', night' : ''}`]
  if (shown.length) parts.push(`shows ${amounts(shown)}`)
  if (card.quest.length) parts.push(`needs ${amounts(card.quest)}`)
  parts.push(worth(card).toLowerCase())
  return parts.join('; ')
}
