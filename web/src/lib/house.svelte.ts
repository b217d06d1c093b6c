import { keepTime, language, storage } from '@croupier/table'
import type { GameInfo, Open, Reply, Summary } from '@croupier/table/native'
import { t } from '../words'
import { Connection, sentence, type Wish } from './connection'
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
  /** Those of the last visit until we hear of today's: the lobby is there without a network, too. */
  games = $state.raw<readonly GameInfo[]>(storage.read(`games.${language}`, []))
  tables = $state.raw<ReadonlyMap<string, Summary>>(new Map())
  /** When the list of tables came; 0 before. */
  listedAt = $state(0)
  table = $state.raw<Table | null>(null)
  /** Something to tell the player, for a moment. */
  notice = $state('')

  private welcomed = () => {}
  private readonly welcome = new Promise<void>((resolve) => (this.welcomed = resolve))
  private following = false
  private noticeTimer: ReturnType<typeof setTimeout> | undefined
  private skew = 0
  private connection = new Connection(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws?views=1&changes=1&labels=1&drawn=${drawn.join()}&language=${language}`, {
    connected: (welcome) => {
      this.games = welcome.games
      storage.write(`games.${language}`, welcome.games)
      this.online = this.known = true
      this.welcomed()
      this.failed = false
      if (this.following) void this.follow()
      void this.table?.arrive()
    },
    lost: () => {
      this.online = false
      this.failed = true
    },
    told: (message) => {
      if (message.type === 'listed') this.list([message.table])
      else this.table?.told(message)
    },
    time: (at) => {
      this.skew = at - Date.now()
    },
  })

  constructor() {
    keepTime(() => this.now())
    for (const change of ['online', 'offline']) addEventListener(change, () => (this.networked = navigator.onLine))
  }

  /** The server's time. */
  now(): number {
    return Date.now() + this.skew
  }

  request(wish: Wish): Promise<Reply> {
    return this.connection.request(wish)
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

  /** Keep the list of tables up to date, until told otherwise. */
  async follow(): Promise<void> {
    this.following = true
    if (!this.online) return
    try {
      const reply = await this.request({ type: 'follow' })
      this.tables = new Map()
      this.list(reply.tables ?? [])
      this.listedAt = Date.now()
    } catch {
      // The connection is lost; with the next one, follow() runs again.
    }
  }

  unfollow(): void {
    this.following = false
    this.request({ type: 'unfollow' }).catch(() => undefined)
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
      if (this.online) void this.table.arrive()
    }
    return this.table
  }

  /** Open a table and sit down at it. */
  async open(wish: Omit<Open, 'id' | 'type' | 'player' | 'avatar'>): Promise<Table> {
    const player = this.called(wish.game)
    const reply = await this.request({ type: 'open', player, avatar: memory.avatar, ...wish, name: wish.name || t.newTable.usualName(player) })
    const table = new Table(reply.sync!.table.id, this)
    this.table = table
    table.seated(reply)
    table.unlocked(wish.password ?? '')
    return table
  }

  /** Turn away from the table. A seat is kept: it waits for our return. */
  exit(): void {
    if (this.table?.attached) this.connection.reset()
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
