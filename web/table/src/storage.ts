/** What the browser keeps for this page; the keys of a game's page begin with the name of the game. Private windows may refuse:
 * then nothing is kept. */

export function read<T>(key: string, otherwise: T): T {
  try {
    const found = localStorage.getItem(`croupier.${key}`)
    return found === null ? otherwise : (JSON.parse(found) as T)
  } catch {
    return otherwise
  }
}

export function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(`croupier.${key}`, JSON.stringify(value))
  } catch {
    // Playing works without a memory.
  }
}
