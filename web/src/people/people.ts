/** What the server tells of people. */
import { language } from '@croupier/table'
import { house } from '../lib/house.svelte'
import { me } from '../lib/me.svelte'

export type Result = 'won' | 'drawn' | 'lost'

export interface Standing {
  game: string
  won?: number
  drawn?: number
  lost?: number
  rating?: number
  margin?: number
  provisional?: boolean
}

export interface Profile {
  person: string
  name: string
  avatar: string
  since: number
  own?: boolean
  games: Standing[]
}

export interface Participant {
  name: string
  place: number
  person?: string
  bot?: string
  avatar?: string
  left?: boolean
  expelled?: boolean
}

export interface Played {
  table: string
  number: number
  game: string
  at: number
  players: Participant[]
  rated: boolean
  result?: Result
  gain?: number
  cursor: string
}

export interface Against {
  game: string
  won: number
  lost: number
  drawn: number
}

export interface Leader {
  place: number
  person: string
  name: string
  avatar: string
  rating: number
  margin: number
  games: number
}

export interface Evening {
  games: number
  people: { name: string; person?: string; won?: number }[]
  last?: number
  gains?: Record<string, number>
  counting?: boolean
}

/** Games on a page, and people on one; see people/history.py. */
export const GAMES = 20
export const LEADERS = 50
/** Games that it takes to be among the best. */
export const FEWEST = 10

export async function ask<T>(path: string): Promise<T> {
  const answer = await me.fetch(path)
  const said = await answer.json()
  if (!answer.ok) throw new Error(said.error)
  return said
}

const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium' })
const moment = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
export const dated = (at: number) => day.format(at)
export const timed = (at: number) => moment.format(at)

/** A game may not be installed here any more. */
export const title = (game: string) => house.games.find(({ name }) => name === game)?.title ?? game
