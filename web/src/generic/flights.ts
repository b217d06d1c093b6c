/** What goes from where to where in a game that we know nothing about: what is new on the table came from whoever has moved, what is
 * new in our hand from the deck. What was seen before goes by itself. */
import type { Flight } from '@croupier/table'
import type { Drawing, Thing } from './drawing'

const BACK = { card: null }
/** More than these at once are not drawn one by one. */
const MOST = 6

export function flights(events: readonly unknown[], now: Drawing, before: Drawing, own: number | null): Flight[] {
  const mover = events.map(seatOf).find((seat) => seat !== null) ?? null
  const chair = mover === null || mover === own ? [] : [`seat ${mover}`]
  const onTable = fresh(now.piles.flatMap(lying), before.piles.flatMap(lying))
  const inHand = fresh(now.hand, before.hand)
  const found: Flight[] = [
    ...onTable.map((card) => ({ from: [String(card), ...chair], to: String(card) })),
    ...inHand.map((card) => ({ from: [String(card), 'deck', ...chair], to: String(card) })),
  ]
  const drawn = Math.min(MOST, left(before) - left(now) - inHand.length)
  for (let i = 0; i < drawn && chair.length; i++) found.push({ from: 'deck', to: chair, as: BACK })
  return found
}

/** Whose event that is, where it says so in the usual way. */
function seatOf(event: unknown): number | null {
  const seat = (event as { seat?: unknown } | null)?.seat
  return typeof seat === 'number' ? seat : null
}

const lying = ({ field, value }: Thing): readonly unknown[] =>
  field.kind === 'deck' || typeof value === 'number' || value === null ? [] : Array.isArray(value) ? value.flat() : [value]

/** How many cards there are to draw. */
function left({ piles }: Drawing): number {
  const decks = piles.flatMap(({ field, value }) => (field.kind === 'deck' ? [Array.isArray(value) ? value.length : Number(value)] : []))
  return decks.reduce((sum, count) => sum + count, 0)
}

/** What was not there before, as often as it was not. */
function fresh(now: readonly unknown[], before: readonly unknown[]): unknown[] {
  const known = [...before]
  return now.filter((card) => {
    const at = known.indexOf(card)
    if (at >= 0) known.splice(at, 1)
    return at < 0
  })
}
