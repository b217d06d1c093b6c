import type { Component } from 'svelte'
import { language } from './language'
import type { Table } from './table.svelte'

/** A game's page: it draws the game and offers its moves. All around it is the same for every game. */
export type Page = Component<{ table: Table }>

const pages = import.meta.glob<{ default: Page }>('../games/*/Page.svelte')
const lobbies = import.meta.glob<{ default: Page }>('../games/*/Lobby.svelte')

/** The page in a game's folder; undefined for a game that has none. */
export async function page(game: string): Promise<Page | undefined> {
  return (await pages[`../games/${game}/Page.svelte`]?.())?.default
}

const endings = import.meta.glob<{ default: Page }>('../games/*/Ending.svelte')

/** How a game explains its result, in a folder that has that; the view is that of the game that is over. */
export async function ending(game: string): Promise<Page | undefined> {
  return (await endings[`../games/${game}/Ending.svelte`]?.())?.default
}

/** What a game shows in the waiting room, when it has something to show before it begins. */
export async function lobby(game: string): Promise<Page | undefined> {
  return (await lobbies[`../games/${game}/Lobby.svelte`]?.())?.default
}

const words = import.meta.glob<{ t: { leaving?: string } }>('../games/*/words/index.ts')

/** What it means to leave a running game, in the game's own words; undefined where it has none for that. */
export async function leaving(game: string): Promise<string | undefined> {
  return (await words[`../games/${game}/words/index.ts`]?.())?.t.leaving
}

const rulebooks = import.meta.glob<{ default: string }>('../../../docs/games/*.md')

/** How a game is played, as HTML, in our language if there is one; undefined where nobody has written that down. */
export async function rules(game: string): Promise<string | undefined> {
  const ours = rulebooks[`../../../docs/games/${game}.${language}.md`] ?? rulebooks[`../../../docs/games/${game}.md`]
  return (await ours?.())?.default
}
