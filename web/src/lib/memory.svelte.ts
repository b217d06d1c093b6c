import type { GameInfo } from '../protocol/native'
import { t } from '../words'
import { PICTURES } from './avatars'
import { read, write } from './storage'

/** What this browser remembers: who you are and where you sit. */

export interface Seat {
  table: string
  token: string
  game: string
  name: string
  at: number
}

/** What has been remembered; at the first time, something made up that is remembered from now on. */
function once(key: string, madeUp: string): string {
  const found = read(key, '') || madeUp
  write(key, found)
  return found
}

/** Which tables of the lobby are shown. */
export interface Filters {
  /** Of one game; empty: of all. */
  game: string
  show: 'all' | 'join' | 'watch'
}

class Memory {
  /** What you are called. */
  name = $state(once('name', t.guest(10 + Math.floor(Math.random() * 90))))
  /** The name of your picture. */
  avatar = $state(once('avatar', PICTURES[Math.floor(Math.random() * PICTURES.length)]!.name))
  filters = $state.raw(read<Filters>('filters', { game: '', show: 'all' }))
  private opponents = $state.raw(read<Record<string, string>>('bots', {}))
  /** How slowly other people's moves are shown: 1 is for watching, 0 shows everything at once. */
  pace = $state(read('pace', 1))
  /** Whether tables are to be silent. */
  muted = $state(read('muted', false))
  private kept = $state.raw(read<Record<string, Seat>>('seats', {}))
  /** The seats you hold, latest first. */
  seats = $derived(Object.values(this.kept).sort((a, b) => b.at - a.at))

  /** What others call you, even if you have left the field empty. */
  player = $derived(this.name.trim() || t.player)

  rename(name: string): void {
    this.name = name
    write('name', name.trim())
  }

  setAvatar(name: string): void {
    this.avatar = name
    write('avatar', name)
  }

  filter(filters: Partial<Filters>): void {
    this.filters = { ...this.filters, ...filters }
    write('filters', this.filters)
  }

  /** The kind of bot you played a game against last; the usual one before that. */
  opponent(game: GameInfo): string {
    const last = this.opponents[game.name]
    return game.bots.some((bot) => bot.name === last) ? last! : (game.bots[0]?.name ?? '')
  }

  setOpponent(game: GameInfo, bot: string): void {
    this.opponents = { ...this.opponents, [game.name]: bot }
    write('bots', this.opponents)
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
