import type { Changes, Player, Summary } from './protocol/native.ts'

/** A table as it is now, out of how it was and what has changed about it. */
export function changed(table: Summary, { fields, unset, players, left, cast, uncast }: Changes): Summary {
  const now: Record<string, unknown> = { ...table, ...fields }
  for (const name of unset ?? []) delete now[name]
  return { ...(now as unknown as Summary), players: rows(table.players, players, left), cast: rows(table.cast, cast, uncast) }
}

/** In the order of their seats. */
function rows(before: readonly Player[], changed: readonly Player[] = [], gone: readonly number[] = []): Player[] {
  const seats = new Set([...gone, ...changed.map(({ seat }) => seat)])
  return [...before.filter(({ seat }) => !seats.has(seat)), ...changed].sort((one, other) => one.seat - other.seat)
}
