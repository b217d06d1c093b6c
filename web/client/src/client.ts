import { Connection, type SocketClass, type Wish } from './connection.ts'
import type { GameInfo, Join, Open, Reply, Return, Seek, Summary, Watch, Welcome } from './protocol/native.ts'
import { Table } from './table.ts'

export interface ClientOptions {
  /** Where there is none built in, as in Node 20: that of the package `ws`. */
  WebSocket?: SocketClass
  /** A connection stands, for the first time or again. */
  connected?(welcome: Welcome): void
  /** It is gone, or could not be made; the next is tried by itself. */
  lost?(): void
}

/** Told all tables there are (`anew`), at first and after a lost connection; and then those that have changed, closed ones too. */
export type Listing = (tables: readonly Summary[], anew: boolean) => void

/** A server, by one connection that comes back by itself. It has one place at a time: for two tables, make two clients. */
export class Client {
  online = false
  /** What can be played; empty until there is a connection. */
  games: readonly GameInfo[] = []
  /** Where we are. */
  table: Table<any, any, any> | null = null

  private readonly connection: Connection
  private listing: Listing | null = null

  /** `address`: of the server, `https://cards.example`. What else the connection is to ask for goes with it, as
   * `?language=fr&labels=1`. */
  constructor(address: string, { WebSocket = globalThis.WebSocket, connected, lost }: ClientOptions = {}) {
    if (!WebSocket) throw new TypeError('there is no WebSocket here: new Client(address, { WebSocket })')
    this.connection = new Connection(endpoint(address), WebSocket, {
      connected: (welcome) => {
        this.online = true
        this.games = welcome.games
        void this.table?.comeBack()
        this.list()
        connected?.(welcome)
      },
      lost: () => {
        this.online = false
        this.table?.lost()
        lost?.()
      },
      told: (message) => {
        if (message.type === 'listed') this.listing?.([message.table], false)
        else this.table?.told(message)
      },
    })
  }

  /** The server's time, in milliseconds since 1970. */
  now(): number {
    return this.connection.now()
  }

  /** Any request of the protocol. Rejects with `Refused`; with `Lost` when the connection is lost before the reply. `read` makes
   * of the reply what is resolved with, before anything else arrives. */
  request<T = Reply>(wish: Wish, read: (reply: Reply) => T = (reply) => reply as T): Promise<T> {
    return this.connection.request(wish, read)
  }

  /** Open a table, and sit down at it as its host. */
  open<View = unknown, Move = unknown, Event = unknown>(game: string, wish: Omit<Open, 'type' | 'id' | 'game'>): Promise<Table<View, Move, Event>> {
    return this.take({ type: 'open', game, ...wish }, wish.password)
  }

  /** Take a seat at a table that has not begun. `table` is its id, or its code. */
  join<View = unknown, Move = unknown, Event = unknown>(table: string, wish: Omit<Join, 'type' | 'id' | 'table'>): Promise<Table<View, Move, Event>> {
    return this.take({ type: 'join', table, ...wish }, wish.password)
  }

  /** Find a game: take a seat where others wait for players, or at a new table where others are sent to who look for the same game. It
   * begins by itself, as soon as there are enough. */
  seek<View = unknown, Move = unknown, Event = unknown>(game: string, wish: Omit<Seek, 'type' | 'id' | 'game'>): Promise<Table<View, Move, Event>> {
    return this.take({ type: 'seek', game, ...wish })
  }

  /** Look on without a seat. */
  watch<View = unknown, Move = unknown, Event = unknown>(table: string, wish: Pick<Watch, 'password'> = {}): Promise<Table<View, Move, Event>> {
    return this.take({ type: 'watch', table, ...wish }, wish.password)
  }

  /** Come back to a seat that we have the token of, from wherever; without one, to the seat of the person that this connection has
   * said it is (`identify`). */
  resume<View = unknown, Move = unknown, Event = unknown>(table: string, token?: string, wish: Pick<Return, 'avatar'> = {}): Promise<Table<View, Move, Event>> {
    return this.take({ type: 'return', table, token, ...wish })
  }

  /** The open tables that strangers may know of. */
  tables(game?: string): Promise<readonly Summary[]> {
    return this.request({ type: 'list', game }, (reply) => reply.tables ?? [])
  }

  /** One by its id or, while it is open, its code; also one that is in no list. */
  find(table: string): Promise<Summary | undefined> {
    return this.request({ type: 'list', table }, (reply) => reply.tables?.[0])
  }

  /** The open tables, kept up to date. Returns what ends that. */
  follow(listing: Listing): () => void {
    this.listing = listing
    if (this.online) this.list()
    return () => {
      if (this.listing !== listing) return
      this.listing = null
      if (this.online) void this.request({ type: 'unfollow' }).catch(() => undefined)
    }
  }

  /** Hang up for good. A seat is kept, as after a lost connection. */
  close(): void {
    this.table?.end('hung up')
    this.connection.close()
  }

  /** @internal */
  reset(): void {
    this.connection.reset()
  }

  /** @internal */
  left(table: Table<any, any, any>): void {
    if (this.table === table) this.table = null
  }

  private take<T extends Table<any, any, any>>(wish: Wish, password?: string): Promise<T> {
    return this.request(wish, (reply) => {
      this.table?.end('hung up')
      return (this.table = new Table(this, reply, password)) as T
    })
  }

  private list(): void {
    const { listing } = this
    if (!listing) return
    const listed = (reply: Reply) => this.listing === listing && listing(reply.tables ?? [], true)
    void this.request({ type: 'follow' }, listed).catch(() => undefined) // with the next connection, it is asked again
  }
}

/** Where the server speaks the native protocol: see docs/protocols/native.md. */
function endpoint(address: string): string {
  const url = new URL(address)
  url.protocol = url.protocol.replace('http', 'ws')
  if (!url.pathname.endsWith('/ws')) url.pathname = `${url.pathname.replace(/\/$/, '')}/ws`
  url.searchParams.set('views', '1')
  url.searchParams.set('changes', '1')
  return url.href
}
