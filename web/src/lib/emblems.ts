import { house } from './house.svelte'

const drawings = import.meta.glob<string>('../games/*/emblem.svg', { eager: true, query: '?url', import: 'default' })

/** The drawing that stands for a game: ours, or what it has brought along; undefined for a game that has none. */
export function emblem(game: string): string | undefined {
  return drawings[`../games/${game}/emblem.svg`] ?? house.game(game)?.emblem ?? undefined
}
