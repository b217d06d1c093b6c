import type { NameInfo, Summary } from '@croupier/table/native'

/** On the wire a bot is called "BOT Ada", since most clients have nothing but names. Here it is Ada, and her picture says what
 * she is; unless somebody else at the table is called Ada. */

interface Named {
  name: string
  bot?: string | null
}

const MARK = 'BOT '

/** The same people by the names that they have on the page. */
export function called<T extends Named>(players: readonly T[]): T[] {
  const people = new Set(players.filter((player) => !player.bot).map((player) => player.name))
  return players.map((player) => {
    const name = player.name.slice(MARK.length)
    return player.bot && player.name.startsWith(MARK) && !people.has(name) ? { ...player, name } : player
  })
}

/** A table as the page speaks of it. */
export function introduced(table: Summary): Summary {
  return { ...table, players: called(table.players), cast: called(table.cast) }
}

/** A sentence of the server about these players, with their names on the page. */
export function retold(sentence: string, players: readonly Named[]): string {
  return players.reduce((text, { name, bot }) => (bot ? text.replaceAll(MARK + name, name) : text), sentence)
}

/** A name as a game's tables can have it: the same wherever that is possible. */
export function fitted(name: string, naming: NameInfo | undefined, otherwise: string): string {
  if (!naming) return name
  const { longest, pattern } = naming
  const possible = (text: string) => !pattern || new RegExp(`^(?:${pattern})$`, 'u').test(text)
  let found = name
  if (!possible(found)) {
    const plain = [...found.normalize('NFD')].filter((letter) => letter === ' ' || possible(letter))
    found = plain.join('').trim().replace(/ +/g, ' ')
  }
  return [...found].slice(0, longest).join('').trim() || otherwise
}

/** Names are the same if this is: without case and width, as the server compares them. */
export const compared = (name: string) => name.normalize('NFKC').toLowerCase().trim().replace(/\s+/g, ' ')
