/** The passwords of tables that we know, as long as this tab lives: what an invitation brings, and what was typed here.
 *
 * An invitation has it behind the `#`, which browsers send to no server. */

const name = (table: string) => `croupier.key.${table}`

export function keyOf(table: string): string {
  try {
    return sessionStorage.getItem(name(table)) ?? ''
  } catch {
    return ''
  }
}

export function keepKey(table: string, key: string): void {
  try {
    sessionStorage.setItem(name(table), key)
  } catch {
    // Then it is typed again.
  }
}

/** The address of a table for others, with what lets them in. */
export const invitation = (origin: string, table: string, key: string) => `${origin}/t/${table}${key ? `#key=${encodeURIComponent(key)}` : ''}`

/** Take the key out of the address, where it would be seen by whoever looks at the screen, or is sent it. */
export function takeKey(table: string): void {
  const given = /^#key=(.+)$/.exec(location.hash)?.[1]
  if (!given) return
  history.replaceState(history.state, '', location.pathname + location.search)
  try {
    keepKey(table, decodeURIComponent(given))
  } catch {
    // Somebody has cut it off in the middle of a letter.
  }
}
