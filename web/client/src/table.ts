import { changed } from './changes.ts'
import type { Client } from './client.ts'
import type { Told, Wish } from './connection.ts'
import { Lost, Refused, TooLate } from './errors.ts'
import type { AddBots, Clock, Configure, Entry, Form, Happened, Hinted, Line, Player, Reply, Result, Summary, Sync, Worth } from './protocol/native.ts'

/** An entry of the table's log, or something soft. `table` is there whenever it has changed. */
export type Fact<Event = unknown> = Omit<Happened, 'changes' | 'events'> & { events: Event[] }

/** We were told anew how things are: all of it is in the table. `missed`: something has happened of which we were not told. */
export interface Synced {
  entry: 'synced'
  missed: boolean
}

export type Happening<Event = unknown> = Pick<Fact<Event>, 'seq' | 'at' | 'events' | 'story' | 'result' | 'seed'> & { entry: Entry | Synced }

/** What the strongest bot would do in our place: the move, and in words; and what is thought of the best moves, if anything is. */
export type Hint<Move = unknown> = Pick<Hinted, 'seq'> & { move: Move; label: string; weighed?: readonly (Worth & { move: Move })[] }

/** Who is called when something happens, and not a moment later. The table is up to date by then. */
export interface Listener<Event = unknown> {
  /** We were told anew how things are, as after a lost connection. */
  synced?(missed: boolean): void
  happened?(fact: Fact<Event>): void
  /** We are not at the table any more. `error`: the server did not let us come back. */
  gone?(why: string, error?: Refused): void
}

/** So many lines of chat the server would tell us, too. */
const LINES_KEPT = 100
/** What is more is forgotten, for somebody who does not read, and they are told so. */
const MOST_UNREAD = 1000
/** Before a request that could not be served just now is made again, in milliseconds. */
const BREATH = 1100
/** Refusals after which nothing has happened, and the same may be granted a moment later. */
const PASSING = new Set(['too_fast', 'unavailable'])
/** Why we have no place any more, by the code of what we are told when we want to come back to it. */
const GONE: Readonly<Record<string, string>> = { no_such_table: 'closed', no_such_seat: 'left', not_seated: 'kicked', bench_closed: 'benched' }

/** A place at a table: a seat, or a spectator's. Its fields are how things are now, as far as the server has told.
 *
 * Every request waits for a connection, if there is none, and rejects with `Refused` if the server says no. What passes by itself is
 * waited out. If the connection is lost before the answer is there, it is sent again where that does no harm; where it might, it
 * rejects with `Lost`, once the table has been seen again. */
export class Table<View = unknown, Move = unknown, Event = unknown> implements AsyncIterable<Happening<Event>> {
  readonly id: string
  /** What the seat is kept by; empty for a spectator, and where we have come back to a seat by who we are. Whoever has it can `resume`. */
  token: string
  /** The table as everybody may know it. */
  summary!: Summary
  /** Ours, which may be another one in the next game; null for a spectator. */
  seat!: number | null
  /** The game as we see it; null before the first one. */
  view!: View | null
  /** What we may do now. It may be something out of turn, for which nobody waits. */
  moves!: readonly Move[]
  /** What else we may do, too much to list: moves to be filled in. */
  forms!: readonly Form[]
  /** Whether we may ask for a hint now. */
  hints!: boolean
  /** The moves in words, where the address asks for them. */
  labels!: readonly string[]
  /** The seats that the game can't go on without. */
  waitingFor!: readonly number[]
  /** The waits that end by themselves, in the server's time: see `client.now()`. */
  clocks!: readonly Clock[]
  /** Of the last game, if none is being played. */
  result!: Result | null
  /** In a lesson: how many moves of its script were made; null where the game has left it, or is none. */
  lesson!: number | null
  /** What was said last. */
  chat!: readonly Line[]
  /** The number of the last entry of the table's log that we know of. */
  seq!: number
  /** Why we are not at the table any more: it is `closed`, or we have `left`, were `kicked`, `replaced` by another connection with
   * our token, or `benched` as a spectator, or have `hung up`. Empty while we are. */
  gone = ''

  /** Whether we receive what happens, and nothing is missing. */
  private here = false
  private readonly listeners = new Set<Listener<Event>>()
  /** Those who wait until we are here again, or gone. */
  private returning: (() => void)[] = []
  /** Who waits for a hint. */
  private hinted: ((found: Hinted | Error) => void) | null = null

  constructor(
    private readonly client: Client,
    reply: Reply,
    private readonly password = '',
  ) {
    this.id = reply.sync!.table.id
    this.token = reply.token ?? ''
    this.adopt(reply.sync!)
  }

  /** Who we are at the table; undefined for a spectator. */
  get player(): Player | undefined {
    return this.summary.players.find((player) => player.seat === this.seat)
  }

  /** Whether a game is on. */
  get playing(): boolean {
    return this.summary.phase === 'playing'
  }

  /** Whether the game waits for a move of ours. */
  get awaited(): boolean {
    return this.waitsForUs && this.moves.length + this.forms.length > 0
  }

  private get waitsForUs(): boolean {
    return this.playing && this.seat !== null && this.waitingFor.includes(this.seat)
  }

  /** Be called from now on, at first with how things are. Returns what ends that. */
  listen(listener: Listener<Event>): () => void {
    this.listeners.add(listener)
    listener.synced?.(this.playing)
    if (this.gone) listener.gone?.(this.gone)
    return () => this.listeners.delete(listener)
  }

  /** What happens from now on, in order and none of it twice: first a `synced`, and another whenever the connection was lost. It
   * ends when we have no place here any more.
   *
   * Who asks what happens next is there, and has seen all that there was to see: if a bot has taken over the seat, it is taken
   * back, and nobody has to `proceed`. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Happening<Event>, void, void> {
    let unread: Happening<Event>[] = []
    let wake = () => {}
    let looked: View | null = null
    const push = (happening: Happening<Event>) => {
      if (unread.push(happening) > MOST_UNREAD) unread = [this.synced(true)]
      wake()
    }
    const stop = this.listen({ synced: (missed) => push(this.synced(missed)), happened: push, gone: () => wake() })
    try {
      while (unread.length || !this.gone) {
        if (unread.length) yield unread.shift()!
        else if (this.playing && this.player?.stood_in) await this.comeBack()
        else if (this.waitsForUs && !this.awaited && looked !== this.view) {
          looked = this.view
          await this.proceed().catch(() => undefined)
        } else await new Promise<void>((resolve) => (wake = resolve))
      }
    } finally {
      stop()
    }
  }

  private synced(missed: boolean): Happening<Event> {
    return { entry: { entry: 'synced', missed }, seq: this.seq, at: this.client.now(), events: [] }
  }

  // What everybody can ask for.

  /** Make a move: one of `moves`, or one that fits a form. Resolves when it is in the journal. It is never made twice. Rejects with
   * `TooLate` if the game had gone on before it arrived. */
  async play(move: Move): Promise<void> {
    const key = `${Date.now()}-${Math.random()}`
    const { moves, forms, view, awaited, due } = this
    let late = false
    const wish = (): Wish => {
      // Where the game has gone on, the key only asks whether the move was made. What others do meanwhile makes no difference to
      // whoever is waited for.
      const same = alike(view, this.view) || (awaited && this.awaited && due === this.due)
      late = !(same && alike([moves, forms], [this.moves, this.forms]))
      return { type: 'play', move: late ? null : move, key }
    }
    try {
      await this.ask(wish, never)
    } catch (error) {
      throw late && error instanceof Refused ? new TooLate(error.code, 'the game had gone on before the move arrived', error.data) : error
    }
  }

  /** Alone against bots: enough seen, let the game go on. */
  proceed(): Promise<void> {
    return this.ask({ type: 'proceed' })
  }

  /** Alone against bots, where `hints` says so: what would the strongest of them do? Nobody else is told. Rejects with `TooLate` if
   * the game has gone on before it was found, with `Lost` if the connection was lost. */
  async hint(): Promise<Hint<Move>> {
    const found = new Promise<Hinted | Error>((resolve) => (this.hinted = resolve))
    try {
      await this.ask({ type: 'hint' })
      const hint = await found
      if (hint instanceof Error) throw hint
      if (!hint.error) return hint as unknown as Hint<Move>
      const { code, message, data } = hint.error
      throw code === 'moved_on' ? new TooLate(code, message, data) : new Refused(code, message, data)
    } finally {
      this.hinted = null
    }
  }

  say(text: string): Promise<void> {
    return this.ask({ type: 'say', text })
  }

  /** Let everybody hear one of the game's sounds. */
  sound(sound: string): Promise<void> {
    return this.ask({ type: 'sound', sound })
  }

  /** Ready for the game, or no more: at tables that begin by themselves. */
  ready(ready = true): Promise<void> {
    return this.ask({ type: 'ready', ready }, never)
  }

  /** Before the game, where there are teams: take another place, which is free or a bot's. */
  sit(seat: number): Promise<void> {
    return this.ask({ type: 'sit', seat }, never)
  }

  /** Give up the seat, or stop watching. In some games a bot plays on, and we may `resume`. */
  async leave(): Promise<void> {
    try {
      await this.ask({ type: 'leave' }, never)
    } catch (error) {
      if (!this.gone) throw error
    }
    this.end('left')
  }

  /** Hang up. The seat is kept for a while, and whoever has the `token` can come back to it. */
  close(): void {
    if (this.gone) return
    this.end('hung up')
    this.client.reset()
  }

  /** Come back to our place. After a lost connection that is done for us; it also takes back a seat that a bot plays. */
  comeBack(): Promise<void> {
    const { id: table, token, password } = this
    return this.sync(token || this.seat !== null ? { type: 'return', table, token: token || undefined } : { type: 'watch', table, password })
  }

  // What the host can ask for.

  /** Begin the game, or another one after it. */
  start(): Promise<void> {
    const { games } = this.summary
    return this.ask({ type: 'start' }, () => this.playing || this.summary.games > games)
  }

  /** When the table is `over`: put the finished game away, and deal everybody in for another. */
  reopen(): Promise<void> {
    return this.ask({ type: 'reopen' }, () => this.summary.phase !== 'over')
  }

  /** Before the game: change options, and how it begins. What is left out stays as it is. */
  configure(changes: Pick<Configure, 'options' | 'auto_start' | 'countdown'>): Promise<void> {
    return this.ask({ type: 'configure', ...changes }, never)
  }

  /** Before the game: seat some bots, of this kind or the game's usual one. */
  addBots(count = 1, bot?: AddBots['bot']): Promise<void> {
    const here = () => this.summary.players.filter((player) => player.bot).length
    const enough = here() + count
    return this.ask(() => ({ type: 'add_bots', bot, count: enough - here() }), () => here() >= enough)
  }

  /** Take somebody's seat away, a bot's too. */
  kick(seat: number): Promise<void> {
    return this.ask({ type: 'kick', seat })
  }

  /** Make somebody else the host. */
  handOver(seat: number): Promise<void> {
    return this.ask({ type: 'hand_over', seat })
  }

  /** Let people look on; or send all spectators away, and let nobody look on. */
  bench(open: boolean): Promise<void> {
    return this.ask({ type: 'bench', open }, never)
  }

  /** Let somebody (null: all spectators) be heard no more; or let them be heard again. */
  silence(seat: number | null, silent = true): Promise<void> {
    return this.ask({ type: 'silence', seat, silent })
  }

  /** `done`: whether it can be seen, after a lost connection, that it need not be sent again; without it, that can't be seen, and to do
   * it twice might do harm. */
  private async ask(wish: Wish | (() => Wish), done?: () => boolean): Promise<void> {
    for (;;) {
      await this.attached()
      try {
        await this.client.request(typeof wish === 'function' ? wish() : wish)
        return
      } catch (error) {
        if (error instanceof Lost) {
          await this.attached()
          if (!done) throw error
          if (done()) return
        } else if (passes(error)) await breath()
        else throw error
      }
    }
  }

  /** Resolves when we are here, as soon as we are. The connection may be another table's by the time that we are gone. */
  private async attached(): Promise<void> {
    if (!this.here && !this.gone) await new Promise<void>((resolve) => this.returning.push(resolve))
    if (this.gone) throw new Refused('not_seated', `not at the table any more: ${this.gone}`)
  }

  // Coming and going.

  /** Be told anew how things are. */
  private async sync(wish: Wish): Promise<void> {
    this.here = false
    while (!this.here && !this.gone) {
      try {
        await this.client.request(wish, (reply) => this.adopt(reply.sync!))
      } catch (error) {
        if (!(error instanceof Refused)) return // We come back with the next connection.
        if (passes(error)) await breath()
        else this.end(GONE[error.code] ?? error.code, error)
      }
    }
  }

  /** @internal */
  lost(): void {
    this.here = false
    this.hinted?.(new Lost())
  }

  /** @internal */
  end(why: string, error?: Refused): void {
    if (this.gone) return
    this.gone = why
    this.here = false
    this.client.left(this)
    this.settle()
    this.hinted?.(new Lost())
    for (const listener of this.listeners) listener.gone?.(why, error)
  }

  private settle(): void {
    for (const resolve of this.returning.splice(0)) resolve()
  }

  // What the server says.

  /** @internal */
  told(message: Told): void {
    if (message.type === 'fact') this.heard(message)
    else if (message.type === 'hinted') this.hinted?.(message)
    else if (message.type === 'resync') this.adopt(message.sync)
    // (If we are about to take the seat back, a reply follows at once.)
    else if (message.type === 'replaced' && this.here) this.end('replaced')
  }

  private adopt(sync: Sync): void {
    const missed = sync.seq !== this.seq
    this.summary = sync.table
    this.seat = sync.seat
    if (sync.seat === null) this.token = '' // Thrown out of the game, we may look on.
    this.seq = sync.seq
    this.chat = sync.chat
    this.result = sync.result
    this.offered(sync)
    this.here = true
    this.settle()
    for (const listener of this.listeners) listener.synced?.(missed)
  }

  private heard(message: Happened): void {
    const { soft, seq, entry, changes } = message
    if (!this.here || (soft ? seq < this.seq : seq <= this.seq)) return
    // Something did not reach us.
    if (seq > (soft ? this.seq : this.seq + 1)) return void this.sync({ type: 'see' })
    const fact = { ...message, table: changes ? changed(this.summary, changes) : message.table } as Fact<Event>
    const before = this.seat
    this.seq = seq
    this.summary = fact.table ?? this.summary
    this.seat = fact.seat ?? before
    this.result = fact.result ?? (entry.entry === 'started' || entry.entry === 'reopened' ? null : this.result)
    if (entry.entry === 'said') this.chat = [...this.chat, { ...entry, at: fact.at }].slice(-LINES_KEPT)
    this.offered(message)
    for (const listener of this.listeners) listener.happened?.(fact)
    this.follow(entry, before)
  }

  private offered({ view, moves, forms, labels, awaited, clocks, lesson, hints }: Happened | Sync): void {
    this.view = (view ?? null) as View | null
    this.moves = (moves ?? []) as Move[]
    this.forms = forms ?? []
    this.labels = labels ?? []
    this.waitingFor = awaited ?? []
    this.clocks = clocks
    this.lesson = lesson ?? null
    this.hints = hints ?? false
  }

  /** What it means for us, who had this seat. */
  private follow(entry: Entry, seat: number | null): void {
    if (entry.entry === 'closed') this.end('closed')
    else if (entry.entry === 'benched' && !entry.open && seat === null) this.end('benched')
    else if (seat !== null && 'seat' in entry && entry.seat === seat) {
      if ((entry.entry === 'left' && entry.why !== 'kicked') || (entry.entry === 'stood_in' && entry.why === 'left')) this.end('left')
      // Of the game only, where we may look on; or of the table.
      else if (entry.entry === 'left' || entry.entry === 'kicked') void this.sync({ type: 'see' })
    }
  }

  /** When our clock runs out, or that of those who are waited for. */
  private get due(): number | undefined {
    return (this.clocks.find((clock) => this.seat !== null && clock.seats.includes(this.seat)) ?? this.clocks[0])?.due
  }
}

/** Of requests that do no harm if they are granted twice. */
const never = () => false

const passes = (error: unknown) => error instanceof Refused && PASSING.has(error.code)

const alike = (one: unknown, other: unknown) => one === other || JSON.stringify(one) === JSON.stringify(other)

const breath = () => new Promise((resolve) => setTimeout(resolve, BREATH))
