/** The cards as the server's own file has them, and all about them that can be said in words. */
import box from '../../../../src/croupier/games/faraway/cards.json'
import { t } from './words'

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

export function title(card: Card): string {
  return card.kind === 'region' ? t.region(card.number) : t.sanctuary(card.number)
}

/** What a card shows, but for its biome and the night. */
function shown(card: Card): Map<Counted, number> {
  return tally<Counted>(card.clue ? [...card.wonders, 'clue'] : card.wonders)
}

/** A card line by line, as it is read out. */
export function lines(card: Card): { what: string; text: string }[] {
  return [
    { what: t.biome, text: t.landscape(card.biome, card.night) },
    ...(shown(card).size ? [{ what: t.shows, text: t.shown(shown(card)) }] : []),
    ...(card.quest.length ? [{ what: t.quest, text: t.needed(tally(card.quest)) }] : []),
    { what: t.fame, text: t.worth(card) },
  ]
}

/** A card in one sentence. */
export function words(card: Card): string {
  return t.at(title(card), gist(card))
}

/** The same without its name. */
export function gist(card: Card): string {
  return t.gist(card, shown(card), tally(card.quest))
}
