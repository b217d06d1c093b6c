import { PICTURES, storage } from '@croupier/table'
import type { GameInfo } from '@croupier/table/native'
import { t } from '../words'
import { easiest } from './bots'
import { compared } from './names'
import { players } from './options'
import { nearest } from './players'

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
  const found = storage.read(key, '') || madeUp
  storage.write(key, found)
  return found
}

/** Which tables of the lobby are shown. */
export interface Filters {
  /** Of one game; empty: of all. */
  game: string
  show: 'all' | 'join' | 'watch'
}

/** How many bots one plays against who has not said otherwise. */
const USUAL_BOTS = 3
/** So many people are remembered whom we do not want to hear. */
const IGNORED_KEPT = 200
/** Of so many games it is remembered who we were in them. */
const GAMES_KEPT = 200

class Memory {
  /** What you are called. */
  name = $state(once('name', t.guest(10 + Math.floor(Math.random() * 90))))
  /** The name of your picture. */
  avatar = $state(once('avatar', PICTURES[Math.floor(Math.random() * PICTURES.length)]!.name))
  filters = $state.raw(storage.read<Filters>('filters', { game: '', show: 'all' }))
  private opponents = $state.raw(storage.read<Record<string, string>>('bots', {}))
  private crowds = $state.raw(storage.read<Record<string, number>>('crowds', {}))
  /** How slowly other people's moves are shown: 1 is for watching, 0 shows everything at once. */
  pace = $state(storage.read('pace', 1))
  /** Whether tables are to be silent. */
  muted = $state(storage.read('muted', false))
  /** Whom we do not want to hear, by name as it is compared. */
  private unheard = $state.raw<readonly string[]>(storage.read('unheard', []))
  private kept = $state.raw(storage.read<Record<string, Seat>>('seats', {}))
  /** The seats you hold, latest first. */
  seats = $derived(Object.values(this.kept).sort((a, b) => b.at - a.at))

  /** What others call you, even if you have left the field empty. */
  player = $derived(this.name.trim() || t.player)

  rename(name: string): void {
    this.name = name
    storage.write('name', name.trim())
  }

  /** As we are called on another device. */
  become(name: string, avatar: string): void {
    this.rename(name)
    if (avatar) this.setAvatar(avatar)
  }

  setAvatar(name: string): void {
    this.avatar = name
    storage.write('avatar', name)
  }

  filter(filters: Partial<Filters>): void {
    this.filters = { ...this.filters, ...filters }
    storage.write('filters', this.filters)
  }

  /** The kind of bot you want to play a game against; an easy one, until you have said. */
  opponent(game: GameInfo): string {
    return this.decided(game) ? this.opponents[game.name]! : easiest(game)
  }

  /** Whether you have ever said how strong the bots should be. */
  decided(game: GameInfo): boolean {
    return game.bots.some((bot) => bot.name === this.opponents[game.name])
  }

  setOpponent(game: GameInfo, bot: string): void {
    this.opponents = { ...this.opponents, [game.name]: bot }
    storage.write('bots', this.opponents)
  }

  /** How many bots you want to play a game against, if it is for so many. */
  crowd(game: GameInfo): number {
    return nearest(players(game), (this.crowds[game.name] ?? USUAL_BOTS) + 1) - 1
  }

  setCrowd(game: GameInfo, bots: number): void {
    this.crowds = { ...this.crowds, [game.name]: bots }
    storage.write('crowds', this.crowds)
  }

  setPace(pace: number): void {
    this.pace = pace
    storage.write('pace', pace)
  }

  setMuted(muted: boolean): void {
    this.muted = muted
    storage.write('muted', muted)
  }

  /** Whether we do not want to hear somebody. */
  ignores(name: string): boolean {
    return this.unheard.includes(compared(name))
  }

  ignore(name: string, ignored: boolean): void {
    const others = this.unheard.filter((other) => other !== compared(name))
    this.unheard = ignored ? [...others, compared(name)].slice(-IGNORED_KEPT) : others
    storage.write('unheard', this.unheard)
  }

  /** From which seat we play this game of the table, counted from 1: its replay begins there. */
  played(table: string, game: number, seat: number): void {
    const { [`${table}/${game}`]: _, ...others } = storage.read<Record<string, number>>('played', {})
    const games = [...Object.entries(others), [`${table}/${game}`, seat]].slice(-GAMES_KEPT)
    storage.write('played', Object.fromEntries(games))
  }

  playedAs(table: string, game: number): number | null {
    return storage.read<Record<string, number>>('played', {})[`${table}/${game}`] ?? null
  }

  /** The hash of the seed of this game, as it was shown at its start: whatever is said later, this was said first. */
  pledged(table: string, game: number, hash: string): void {
    if (this.pledge(table, game) !== null) return
    const pledges = [...Object.entries(storage.read<Record<string, string>>('pledges', {})), [`${table}/${game}`, hash]].slice(-GAMES_KEPT)
    storage.write('pledges', Object.fromEntries(pledges))
  }

  pledge(table: string, game: number): string | null {
    return storage.read<Record<string, string>>('pledges', {})[`${table}/${game}`] ?? null
  }

  token(table: string): string | undefined {
    return this.reread()[table]?.token
  }

  keep(seat: Seat): void {
    this.kept = { ...this.reread(), [seat.table]: seat }
    storage.write('seats', this.kept)
  }

  forget(table: string): void {
    const { [table]: _, ...others } = this.reread()
    this.kept = others
    storage.write('seats', others)
  }

  /** Other pages of ours write too. */
  private reread(): Record<string, Seat> {
    return storage.read('seats', this.kept)
  }
}

export const memory = new Memory()
