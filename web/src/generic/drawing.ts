/** What of a view is drawn where. The server says what its fields are; see `kernel/layout.py`. */
import { recognised } from './notation'
import type { Field } from '@croupier/table/native'

export type View = Record<string, unknown>

/** A field with what is in it now. */
export interface Thing {
  field: Field
  value: unknown
}

export interface Drawing {
  /** What lies on the table, and what there is to know. */
  piles: Thing[]
  facts: Thing[]
  /** What everybody has one of. */
  shares: Thing[]
  /** What somebody is, such as the dealer. */
  posts: Thing[]
  hand: readonly unknown[]
  /** What the hand is called, where it is not called so. */
  handTitle: string
}

const LYING = new Set(['pile', 'deck', 'cards'])

export function drawing(layout: readonly Field[], view: View, seats: number): Drawing {
  const found: Drawing = { piles: [], facts: [], shares: [], posts: [], hand: [], handTitle: '' }
  for (const field of layout) {
    const thing = { field, value: view[field.name] }
    const { value } = thing
    if (field.kind === 'hidden' || field.kind === 'turn' || value === undefined) continue
    if (shared(field, value, seats)) found.shares.push(thing)
    else if (field.kind === 'hand' && Array.isArray(value)) {
      found.hand = [...found.hand, ...value]
      if (field.name !== 'hand') found.handTitle = field.title
    } else if (field.kind === 'seat' || field.kind === 'seats') found.posts.push(thing)
    else if (LYING.has(field.kind) && !(field.kind === 'cards' && (empty(value) || signs(value)))) found.piles.push(thing)
    else if (!empty(value)) found.facts.push(thing)
  }
  return found
}

const empty = (value: unknown) => value === null || (Array.isArray(value) && !value.length)

/** Whether a list has nothing in it but ranks, suits or the like: no card would be called that. */
const signs = (value: unknown) => Array.isArray(value) && value.every((one) => typeof one === 'string' && one.length < 3 && !recognised(one))

/** Whether everybody has something of it; a list may be shorter, before and after. */
function shared(field: Field, value: unknown, seats: number): boolean {
  if (!field.by_seat || value === null || typeof value !== 'object') return false
  return !Array.isArray(value) || value.length === seats
}

/** What somebody has of it. */
export const shareOf = (thing: Thing, seat: number): unknown => (thing.value as Record<string, unknown>)[String(seat)]

/** What somebody is. Everybody is no news. */
export function postsOf(posts: readonly Thing[], seat: number, seats: number): string[] {
  const has = ({ value }: Thing) => (Array.isArray(value) ? value.includes(seat) && value.length < seats : value === seat)
  return posts.filter(has).map(({ field }) => field.title)
}

/** A value in a word. */
export function inWord(field: Field, value: unknown): string {
  return field.labels?.[String(value)] ?? String(value).replaceAll('_', ' ')
}
