import { language, type Page, type Table } from '@croupier/table'
import type { Component } from 'svelte'
import { house } from './house.svelte'
import { tellBy } from './log'

type Own = Component<{ table: Table }>

/** What draws a table: a component of ours, or something that has come in a file of its own. */
export type Drawing = Own | Pick<Page, 'mount'>

const pages = import.meta.glob<{ default: Own }>('../games/*/Page.svelte')
const endings = import.meta.glob<{ default: Own }>('../games/*/Ending.svelte')
const lobbies = import.meta.glob<{ default: Own }>('../games/*/Lobby.svelte')

/** A game's page: it draws the game and offers its moves, and all around it is the same for every game. Undefined for a game that
 * has none. */
export async function page(game: string): Promise<Drawing | undefined> {
  return (await pages[`../games/${game}/Page.svelte`]?.())?.default ?? (await brought(game))
}

/** How a game explains its result, if it does; the view is that of the game that is over. */
export async function ending(game: string): Promise<Drawing | undefined> {
  return (await endings[`../games/${game}/Ending.svelte`]?.())?.default ?? (await brought(game))?.ending
}

/** What a game shows in the waiting room, when it has something to show before it begins. */
export async function lobby(game: string): Promise<Own | undefined> {
  return (await lobbies[`../games/${game}/Lobby.svelte`]?.())?.default
}

const words = import.meta.glob<{ t: { leaving?: string } }>('../games/*/words/index.ts')

/** What it means to leave a running game, in the game's own words; undefined where it has none for that. */
export async function leaving(game: string): Promise<string | undefined> {
  return (await words[`../games/${game}/words/index.ts`]?.())?.t.leaving ?? (await brought(game))?.leaving
}

const rulebooks = import.meta.glob<{ default: string }>('../../../docs/games/*.md')

/** How a game is played, as HTML, in our language if there is one; undefined where nobody has written that down. */
export async function rules(game: string): Promise<string | undefined> {
  const ours = rulebooks[`../../../docs/games/${game}.${language}.md`] ?? rulebooks[`../../../docs/games/${game}.md`]
  if (ours) return (await ours()).default
  const address = (await house.about(game))?.rules
  if (!address) return undefined
  const response = await fetch(address)
  if (!response.ok) throw new Error(response.statusText)
  return response.text()
}

/** The page that a game from elsewhere brings along, in a file of its own. */
async function brought(game: string): Promise<Page | undefined> {
  if (`../games/${game}/Page.svelte` in pages) return undefined
  const address = (await house.about(game))?.page
  if (!address) return undefined
  const { default: found } = (await import(/* @vite-ignore */ address)) as { default?: Page }
  if (typeof found?.mount !== 'function') throw new TypeError(address) // whose default export is no page
  if (found.log) tellBy(game, found.log)
  return found
}
