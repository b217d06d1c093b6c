import { Client, Refused, type Table as Place, type Wish } from '@croupier/client'
import { keepTime, language, storage } from '@croupier/table'
import type { GameInfo, Open, Reply, Summary } from '@croupier/table/native'
import { t } from '../words'
import { known as ahead } from './ahead'
import { EarlyWebSocket } from './early'
import { sentence } from './errors'
import { me } from './me.svelte'
import { memory } from './memory.svelte'
import { takeKey } from './keys'
import { fitted, introduced } from './names'
import { drawn } from './drawn'
import { Table } from './table.svelte'

/** The server as this page knows it: the connection, the games, the list of tables, and the table we are at. */
export class House {
  online = $state(false)
  /** Whether there has been a connection before: being without one is news only then. */
  known = $state(false)
  /** The last attempt to connect has failed, or the connection that stood has. */
  failed = $state(false)
  /** Whether there is a network at all, as far as the browser knows. */
  networked = $state(navigator.onLine)
  /** Without a network, those of the last visit. */
  games = $state.raw<readonly GameInfo[]>(ahead.games ?? storage.read(`games.${language}`, []))
  tables = $state.raw<ReadonlyMap<string, Summary>>(new Map())
  /** When the list of tables came; 0 before. */
  listedAt = $state(0)
  table = $state.raw<Table | null>(null)
  /** Something to tell the player, for a moment. */
  notice = $state('')

  /** When the server has said who we are, or that it can't. */
  identified: Promise<void> = Promise.resolve()
  private welcomed = () => {}
  private readonly welcome = new Promise<void>((resolve) => (this.welcomed = resolve))
  private noticeTimer: ReturnType<typeof setTimeout> | undefined
  private readonly client = new Client(`${location.origin}?labels=1&drawn=${drawn.join()}&language=${language}`, {
    WebSocket: EarlyWebSocket,
    connected: (welcome) => {
      this.games = welcome.games
      storage.write(`games.${language}`, welcome.games)
      this.online = this.known = true
      this.welcomed()
      this.failed = false
      this.identified = this.identify()
      void this.table?.arrive()
    },
    lost: () => {
      this.online = false
      this.failed = true
    },
  })

  constructor() {
    keepTime(() => this.now())
    this.list(ahead.tables ?? [])
    for (const change of ['online', 'offline']) addEventListener(change, () => (this.networked = navigator.onLine))
  }

  /** The server's time. */
  now(): number {
    return this.client.now()
  }

  /** The server, if it is there: people are told at once that it is not, and what they have asked for is not done later. */
  get server(): Client {
    if (!this.online) throw new Error(t.noConnection)
    return this.client
  }

  async request(wish: Wish): Promise<Reply> {
    return this.server.request(wish)
  }

  /** Say who we are, before anything else: what is asked for next waits for it at the server. */
  private async identify(): Promise<void> {
    try {
      me.person = (await this.request({ type: 'identify', key: me.key })).person ?? ''
    } catch (error) {
      if (!(error instanceof Refused)) return
      if (error.code === 'banned') this.complain(error)
      if (error.code !== 'revoked') return
      me.renew()
      this.tell(t.me.signedOut)
      await this.identify()
    }
  }

  /** A request whose refusal the player should read. Whether it was granted. */
  async ask(wish: Wish): Promise<boolean> {
    try {
      await this.request(wish)
      return true
    } catch (error) {
      this.complain(error)
      return false
    }
  }

  complain(error: unknown): void {
    this.tell(sentence(error))
  }

  tell(text: string): void {
    this.notice = text
    clearTimeout(this.noticeTimer)
    this.noticeTimer = setTimeout(() => (this.notice = ''), 5000)
  }

  game(name: string): GameInfo | undefined {
    return this.games.find((game) => game.name === name)
  }

  /** The same as today's server has it, and not the one of our last visit. */
  async about(name: string): Promise<GameInfo | undefined> {
    await this.welcome
    return this.game(name)
  }

  /** Keep the list of tables up to date. Returns what ends that. */
  follow(): () => void {
    return this.client.follow((tables, anew) => {
      if (anew) {
        this.tables = new Map()
        this.listedAt = Date.now()
      }
      this.list(tables)
    })
  }

  /** What we are called at the tables of a game. */
  called(game: string | undefined): string {
    return fitted(memory.player, game === undefined ? undefined : this.game(game)?.naming, t.player)
  }

  /** Go to a table: to the seat we have there, or to its door. */
  enter(id: string): Table {
    takeKey(id)
    if (this.table?.id !== id) {
      this.exit()
      this.table = new Table(id, this)
      const seen = this.tables.get(id)
      if (this.online) void this.table.arrive()
      else if (seen && me.unknown) this.table.glimpse(seen)
    }
    return this.table
  }

  /** Open a table and sit down at it. */
  async open(wish: Omit<Open, 'id' | 'type' | 'player' | 'avatar'>): Promise<Table> {
    const player = this.called(wish.game)
    const place = await this.server.open(wish.game, { player, avatar: memory.avatar, ...wish, name: wish.name || t.newTable.usualName(player) })
    const table = this.seated(place)
    table.unlocked(wish.password ?? '')
    return table
  }

  /** Sit down where others look for a game, too. */
  async seek(game: string): Promise<Table> {
    const player = this.called(game)
    return this.seated(await this.server.seek(game, { player, avatar: memory.avatar, name: t.newTable.usualName(player) }))
  }

  private seated(place: Place): Table {
    const table = (this.table = new Table(place.id, this))
    table.take(place)
    return table
  }

  /** Turn away from the table. A seat is kept: it waits for our return. */
  exit(): void {
    this.client.table?.close()
    this.table = null
  }

  private list(changed: readonly Summary[]): void {
    const tables = new Map(this.tables)
    for (const table of changed) {
      if (table.phase === 'closed') tables.delete(table.id)
      else tables.set(table.id, introduced(table))
    }
    this.tables = tables
  }
}

export const house = new House()
