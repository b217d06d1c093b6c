/** What this browser remembers: who you are and where you sit. Private windows may refuse; then nothing is kept. */

export interface Seat {
  table: string
  token: string
  game: string
  name: string
  at: number
}

/** For what a game's page wants to be remembered, too: its keys begin with the name of the game. */
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

class Memory {
  /** What you are called. */
  name = $state(read('name', '') || `Guest ${10 + Math.floor(Math.random() * 90)}`)
  /** How slowly other people's moves are shown: 1 is for watching, 0 shows everything at once. */
  pace = $state(read('pace', 1))
  /** Whether tables are to be silent. */
  muted = $state(read('muted', false))
  private kept = $state.raw(read<Record<string, Seat>>('seats', {}))
  /** The seats you hold, latest first. */
  seats = $derived(Object.values(this.kept).sort((a, b) => b.at - a.at))

  rename(name: string): void {
    this.name = name
    write('name', name.trim())
  }

  setPace(pace: number): void {
    this.pace = pace
    write('pace', pace)
  }

  setMuted(muted: boolean): void {
    this.muted = muted
    write('muted', muted)
  }

  token(table: string): string | undefined {
    return this.reread()[table]?.token
  }

  keep(seat: Seat): void {
    this.kept = { ...this.reread(), [seat.table]: seat }
    write('seats', this.kept)
  }

  forget(table: string): void {
    const { [table]: _, ...others } = this.reread()
    this.kept = others
    write('seats', others)
  }

  /** Other pages of ours write too. */
  private reread(): Record<string, Seat> {
    return read('seats', this.kept)
  }
}

export const memory = new Memory()
