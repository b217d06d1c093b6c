import type { Clock, Entry, GameInfo, Happened, Message, Player, Reply, Result, Summary, Sync } from '../protocol/native'
import { t } from '../words'
import { code, type Wish } from './connection'
import type { House } from './house.svelte'
import { memory } from './memory.svelte'

/** One line of what has happened and what was said. */
export interface Line {
  key: number
  kind: 'story' | 'note' | 'chat'
  text: string
  /** Who speaks. */
  name?: string
  own?: boolean
  /** In a replay: when that was. */
  step?: number
}

/** A clock, and when it began, so that its hand can be drawn. */
export interface Running extends Clock {
  since: number
}

/** Where we are. `door`: outside, with a choice to make. `away`: the server has taken us from the table. */
export type Stage = 'arriving' | 'door' | 'here' | 'away'

type Told = Extract<Message, { type: 'fact' | 'replaced' | 'resync' | 'listed' }>

/** Between two moves of others, in milliseconds, at pace 1: bots are quicker than the eye. */
const BETWEEN_MOVES = 800
/** The last move of a game is looked at a little longer, before the result covers it. */
const FINALE = 1800
/** So many moves may wait to be shown; when there are more, they are shown faster. */
const UNHURRIED = 4
/** Nobody can follow that many: show how things are. */
const TOO_MANY = 40
const LINES_KEPT = 400
/** After a longer silence a player may have thought of another move. */
const RESENT_WITHIN = 10_000

/** A table as we see it from our place. What is shown may be a little behind what has arrived: see `pump`. */
export class Table {
  stage = $state<Stage>('arriving')
  /** Why we are away, in a sentence. */
  reason = $state('')
  /** Whether another page of ours may have taken the seat. */
  replaced = $state(false)
  summary = $state.raw<Summary | null>(null)
  seat = $state<number | null>(null)
  view = $state.raw<unknown>(null)
  moves = $state.raw<readonly unknown[]>([])
  clocks = $state.raw<readonly Running[]>([])
  result = $state.raw<Result | null>(null)
  /** What the latest fact that was shown said. */
  events = $state.raw<readonly unknown[]>([])
  lines = $state.raw<readonly Line[]>([])
  /** Who plays, or played last, by seat; people may have left since. */
  cast = $state.raw<readonly Player[]>([])
  /** What somebody has let everybody hear last. */
  sound = $state.raw<{ seat: number; name: string } | null>(null)
  /** A request is on its way. */
  busy = $state(false)
  /** The game is over, but its last move is still being looked at. */
  finale = $state(false)
  /** Whether it is only watched again: nothing can be done here, and nobody is there. */
  readonly replayed: boolean = false

  /** The last fact that arrived. */
  private seq = 0
  private queue: Happened[] = []
  private timer: ReturnType<typeof setTimeout> | undefined
  private nextAt = 0
  private watching = false
  private lastKey = 0
  private unanswered: { move: unknown; key: string; until: number } | null = null

  constructor(
    readonly id: string,
    private readonly house: House,
  ) {}

  // Not $derived: those would end with the page that has opened the table, and we may come back from a replay.

  get me(): Player | undefined {
    return this.seat === null ? undefined : this.summary?.players.find((player) => player.seat === this.seat)
  }

  get host(): boolean {
    return this.seat !== null && this.summary?.host === this.seat
  }

  get playing(): boolean {
    return this.summary?.phase === 'playing'
  }

  /** Whether the game waits for us. (We may have moves out of turn, too: nobody is in a hurry then.) */
  get awaited(): boolean {
    return this.playing && this.moves.length > 0 && (!this.clocks.length || this.clocks.some((clock) => this.seat !== null && clock.seats.includes(this.seat)))
  }

  /** The clock to look at: our own, or that of those who are waited for. */
  get clock(): Running | undefined {
    return this.clocks.find((clock) => this.seat !== null && clock.seats.includes(this.seat)) ?? this.clocks[0]
  }

  /** What there is to know about the game that is played here. */
  get game(): GameInfo | undefined {
    return this.summary ? this.house.game(this.summary.game) : undefined
  }

  /** Whether the connection receives from this table. */
  get attached(): boolean {
    return this.stage === 'here'
  }

  /** The name of somebody who plays, or played last. */
  name(seat: number): string {
    return this.cast.find((player) => player.seat === seat)?.name ?? t.seat(seat + 1)
  }

  // Coming and going.

  /** Take the seat we hold, or go on watching; otherwise look at the table from its door. */
  async arrive(): Promise<void> {
    if (this.stage === 'away') return
    const token = memory.token(this.id)
    try {
      if (token) {
        this.seated(await this.house.request({ type: 'return', table: this.id, token, avatar: memory.avatar }))
        this.resend()
      } else if (this.watching) await this.watch()
      else await this.knock()
    } catch (error) {
      await this.turnedAway(error)
    }
  }

  private async turnedAway(error: unknown): Promise<void> {
    switch (code(error)) {
      case 'no_such_seat':
      case 'kicked':
        this.forget()
        this.seat = null
        return this.arrive()
      case 'no_such_table':
        return this.gone(t.away.closed)
      case 'unavailable':
        setTimeout(() => this.house.online && this.stage !== 'away' && void this.arrive(), 1000)
        return
      case '':
        return // The connection is lost: the next one tries again.
      default:
        this.house.complain(error)
    }
  }

  /** What can be seen from outside. */
  private async knock(): Promise<void> {
    const response = await fetch(`/api/tables/${encodeURIComponent(this.id)}`)
    if (this.stage === 'here') return
    if (!response.ok) return this.taken(t.away.noSuchTable)
    const record = (await response.json()) as { table: Summary }
    this.summary = record.table
    if (record.table.phase === 'closed') return this.taken(t.away.closed)
    this.stage = 'door'
  }

  async join(password: string): Promise<void> {
    const { player, avatar } = memory
    this.seated(await this.house.request({ type: 'join', table: this.id, player, avatar, password }))
  }

  async watch(): Promise<void> {
    this.adopt((await this.house.request({ type: 'watch', table: this.id })).sync!)
    this.watching = true
  }

  /** We have a seat: keep what brings us back to it. */
  seated(reply: Reply): void {
    const { sync, token } = reply
    if (!sync || !token) return
    memory.keep({ table: this.id, token, game: sync.table.game, name: sync.table.name, at: Date.now() })
    this.watching = false
    this.adopt(sync)
  }

  /** Take back the seat that a bot, or another page of ours, plays from. */
  async takeBack(): Promise<void> {
    if (this.stage === 'away') this.stage = 'arriving'
    this.busy = true
    await this.arrive()
    this.busy = false
  }

  /** Give up the seat, or stop watching. In some games a bot plays on, and we may come back. */
  async leave(): Promise<void> {
    if (!(await this.house.ask({ type: 'leave' }))) return
    if (!this.playing) this.forget()
  }

  private taken(reason: string, replaced = false): void {
    this.stage = 'away'
    this.reason = reason
    this.replaced = replaced
    this.clear()
  }

  private gone(reason: string): void {
    this.forget()
    this.taken(reason)
  }

  private forget(): void {
    memory.forget(this.id)
  }

  // What we ask for.

  async act(wish: Wish): Promise<boolean> {
    this.busy = true
    const granted = await this.house.ask(wish)
    this.busy = false
    return granted
  }

  async play(move: unknown): Promise<boolean> {
    const key = `${Date.now()}-${Math.random()}`
    if (this.house.online) this.unanswered = { move, key, until: Date.now() + RESENT_WITHIN }
    const granted = await this.act({ type: 'play', move, key })
    if (this.house.online) this.unanswered = null
    return granted
  }

  /** The connection was lost before we knew what became of our move: its key keeps it from being made twice. */
  private resend(): void {
    const { move, key, until } = this.unanswered ?? { until: 0 }
    this.unanswered = null
    const offered = this.moves.some((other) => JSON.stringify(other) === JSON.stringify(move))
    if (offered && Date.now() < until) void this.act({ type: 'play', move, key })
  }

  // What we are told.

  told(message: Told): void {
    if (message.type === 'fact') this.heard(message)
    else if (message.type === 'resync') this.adopt(message.sync)
    // The seat has another connection: another page of ours. (When we take back our own, a reply follows at once.)
    else if (message.type === 'replaced' && !this.busy) this.taken(t.away.elsewhere, true)
  }

  private adopt(sync: Sync): void {
    this.clear()
    this.seq = sync.seq
    this.summary = sync.table
    this.seat = sync.seat
    this.view = sync.view
    this.moves = sync.moves
    this.events = []
    this.result = sync.result
    this.clocks = this.wind(sync.clocks, this.house.now())
    this.remember(sync.table)
    this.stage = 'here'
    this.finale = false
  }

  private heard(fact: Happened): void {
    if (this.stage !== 'here' || fact.seq <= this.seq) return
    if (fact.seq > this.seq + 1) return void this.catchUp()
    this.seq = fact.seq
    this.queue.push(fact)
    // Our own moves are shown at once, and with them all that came before.
    if (fact.entry.entry === 'moved' && fact.entry.seat === this.seat && !fact.entry.bot) this.flush()
    else this.pump()
  }

  /** Something did not reach us. */
  private async catchUp(): Promise<void> {
    try {
      this.adopt((await this.house.request({ type: 'see' })).sync!)
    } catch (error) {
      await this.turnedAway(error)
    }
  }

  /** Show what has arrived, at a pace that people can follow. */
  private pump(): void {
    clearTimeout(this.timer)
    if (document.hidden || this.queue.length > TOO_MANY || memory.pace === 0) return this.flush()
    while (this.queue.length) {
      const wait = this.nextAt - Date.now()
      if (wait > 0) {
        this.timer = setTimeout(() => this.pump(), wait)
        return
      }
      this.show(this.queue.shift()!)
    }
  }

  private flush(): void {
    while (this.queue.length) this.show(this.queue.shift()!)
  }

  private clear(): void {
    clearTimeout(this.timer)
    this.queue = []
    this.nextAt = 0
  }

  private show(fact: Happened): void {
    const { entry } = fact
    const before = this.summary
    if (fact.table) this.summary = fact.table
    if (entry.entry === 'started') {
      if (fact.seat != null) this.seat = fact.seat
      this.result = null
      this.remember(fact.table!)
    }
    if (entry.entry === 'reopened') {
      this.result = null
      this.finale = false
    }
    this.view = fact.view ?? null
    this.moves = fact.moves ?? []
    this.clocks = this.wind(fact.clocks, fact.at)
    if (fact.events.length || entry.entry === 'started') this.events = fact.events
    if (fact.result) this.ended(fact.result)
    for (const text of fact.story ?? []) this.write({ kind: 'story', text })
    this.note(entry, before)
    if (fact.events.length && memory.pace > 0) {
      const hurry = Math.min(1, UNHURRIED / Math.max(1, this.queue.length))
      this.nextAt = Date.now() + (fact.result ? FINALE : BETWEEN_MOVES * hurry) * memory.pace
    }
    const gone = entry.entry === 'left' || entry.entry === 'kicked'
    if (gone && entry.seat === this.seat) {
      if (entry.entry === 'left' && entry.why !== 'kicked') this.gone(t.away.left)
      else void this.sentAway()
    } else if (entry.entry === 'closed') {
      this.gone(t.away.closings[entry.why])
    }
  }

  /** The host has thrown us out: of the game only, where we may look on; or of the table. */
  private async sentAway(): Promise<void> {
    try {
      this.adopt((await this.house.request({ type: 'see' })).sync!)
    } catch (error) {
      if (code(error)) this.gone(t.away.sentAway)
    }
  }

  private ended(result: Result): void {
    this.result = result
    this.finale = memory.pace > 0
    if (this.finale) setTimeout(() => (this.finale = false), FINALE * memory.pace)
  }

  private remember(table: Summary): void {
    if (table.phase === 'playing' || (this.result && !this.cast.length)) this.cast = table.players
  }

  private wind(clocks: readonly Clock[], since: number): Running[] {
    return clocks.map((clock) => {
      const known = this.clocks.find((other) => other.name === clock.name && other.due === clock.due)
      return { ...clock, since: known?.since ?? since }
    })
  }

  private note(entry: Entry, before: Summary | null): void {
    if (entry.entry === 'said') {
      const own = entry.seat != null && entry.seat === this.seat
      this.write({ kind: 'chat', text: entry.text, name: entry.name || t.spectator, own })
      return
    }
    if (entry.entry === 'sounded') this.sound = { seat: entry.seat, name: entry.sound }
    const who = (seat: number) => before?.players.find((player) => player.seat === seat)?.name ?? t.seat(seat + 1)
    const text = words(entry, who)
    if (text) this.write({ kind: 'note', text })
  }

  private write(line: Omit<Line, 'key'>): void {
    this.lines = [...this.lines, { ...line, key: ++this.lastKey }].slice(-LINES_KEPT)
  }
}

/** What happened at the table, apart from the game. */
export function words(entry: Entry, who: (seat: number) => string): string {
  switch (entry.entry) {
    case 'joined':
      return t.log.joined(entry.name)
    case 'left':
      return entry.why === 'kicked' ? t.log.sentAway(who(entry.seat)) : t.log.left(who(entry.seat))
    case 'kicked':
      return t.log.kicked(who(entry.seat))
    case 'configured':
      return t.log.configured
    case 'handed_over':
      return t.log.handedOver(who(entry.seat))
    case 'started':
      return t.log.started
    case 'reopened':
      return t.log.reopened
    case 'sounded':
      return t.log.sounded(who(entry.seat), entry.sound)
    case 'stood_in':
      return t.log.stoodIn(who(entry.seat))
    case 'absent':
      return t.log.absent(who(entry.seat))
    case 'back':
      return t.log.back(who(entry.seat))
    case 'resumed':
      return t.log.resumed
    default:
      return ''
  }
}
