import { Refused, TooLate, type Fact, type Hint, type Table as Place, type Wish } from '@croupier/client'
import type { Running, Table as Seen, Telling, Turn } from '@croupier/table'
import type { Clock, Entry, Form, GameInfo, Line as Spoken, Player, Result, Summary } from '@croupier/table/native'
import { tick } from 'svelte'
import { t } from '../words'
import { code, sentence } from './errors'
import type { House } from './house.svelte'
import { keepKey, keyOf, takeKey } from './keys'
import { NOBODY, sentences, telling, turnOf, type Line } from './log'
import { me } from './me.svelte'
import { memory } from './memory.svelte'
import { introduced, retold } from './names'

/** Where we are. `door`: outside, with a choice to make. `away`: the server has taken us from the table. */
export type Stage = 'arriving' | 'door' | 'here' | 'away'

/** Between two moves of others, in milliseconds, at pace 1: bots are quicker than the eye. */
const BETWEEN_MOVES = 800
/** The last move of a game is looked at a little longer, before the result covers it. */
const FINALE = 1800
/** So many moves may wait to be shown; when there are more, they are shown faster. */
const UNHURRIED = 4
/** Nobody can follow that many: show how things are. */
const TOO_MANY = 40
const LINES_KEPT = 400
/** A request that takes longer is shown to be on its way, in milliseconds. */
const SLOW = 1000
/** Refusals that are not the rules': nobody else's move is the reason for them. */
const NOT_THE_RULES = new Set(['too_fast', 'unavailable', 'internal', 'stood_in', 'not_seated', 'bad_move'])

/** A table as we see it from our place. What is shown may be a little behind what has arrived: see `pump`. */
export class Table implements Seen {
  stage = $state<Stage>('arriving')
  /** Why we are away, in a sentence. */
  reason = $state('')
  /** Whether another page of ours may have taken the seat. */
  replaced = $state(false)
  summary = $state.raw<Summary | null>(null)
  seat = $state<number | null>(null)
  view = $state.raw<unknown>(null)
  /** What the server offers: see `moves`. */
  private offered = $state.raw<readonly unknown[]>([])
  /** What else we may do, too much to list. */
  forms = $state.raw<readonly Form[]>([])
  /** The moves in words, of a game that has no page here. */
  private said = $state.raw<readonly string[]>([])
  /** In a lesson: the moves that are asked for. No others are offered then. */
  asked = $state.raw<((move: unknown) => boolean) | null>(null)
  /** In a lesson: how many moves of its script were made, by what is shown; null where the game has left it. */
  lesson = $state<number | null>(null)
  /** Whether there are hints now; a lesson says itself what to do. */
  hints = $state(false)
  clocks = $state.raw<readonly Running[]>([])
  /** The seats that the game waits for. */
  waitingFor = $state.raw<readonly number[]>([])
  result = $state.raw<Result | null>(null)
  /** What the latest fact that was shown said. */
  events = $state.raw<readonly unknown[]>([])
  /** What each of those said that were shown since the page was last drawn. */
  moments = $state.raw<readonly (readonly unknown[])[]>([])
  lines = $state.raw<readonly Line[]>([])
  /** Who plays, or played last, by seat; people may have left since. */
  cast = $state.raw<readonly Player[]>([])
  /** What somebody has let everybody hear last. */
  sound = $state.raw<{ seat: number; name: string } | null>(null)
  /** A request is on its way. */
  busy = $state(false)
  /** It has been for longer than usual. */
  sending = $state(false)
  /** The game is over, but its last move is still being looked at. */
  finale = $state(false)
  /** The table's password, if we know it. */
  key = $state('')
  /** Whether it is only watched again: nothing can be done here, and nobody is there. */
  readonly replayed: boolean = false

  /** The same as the server has told it last; null outside. */
  private place: Place | null = null
  /** We are coming back to it. */
  private returning = false
  /** Facts to be shown, and at last why there are no more. */
  private queue: (Fact | string)[] = []
  private timer: ReturnType<typeof setTimeout> | undefined
  private undrawn = false
  private nextAt = 0
  private lastKey = 0
  private lastTurn: Turn = NOBODY
  private requests = 0
  /** Who or what has moved the game on last, and when. */
  private latest: { seq: number; seat: number | null } = { seq: 0, seat: null }

  constructor(
    readonly id: string,
    private readonly house: House,
  ) {
    this.key = keyOf(id)
  }

  // Not $derived: those would end with the page that has opened the table, and we may come back from a replay.

  get moves(): readonly unknown[] {
    return this.asked ? this.offered.filter(this.asked) : this.offered
  }

  get labels(): readonly string[] {
    return this.said.filter((_, i) => !this.asked || this.asked(this.offered[i]))
  }

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
    return this.playing && this.seat !== null && !this.me?.stood_in && this.waitingFor.includes(this.seat)
  }

  protected get telling(): Telling | undefined {
    return this.summary ? telling(this.summary.game) : undefined
  }

  /** Whether the turn is ours; others may be waited for in it. */
  get ours(): boolean {
    return this.playing && this.seat !== null && this.view !== null && this.telling?.turn(this.view as never).seat === this.seat
  }

  /** Whether the host has silenced us. */
  get silenced(): boolean {
    return Boolean(this.seat === null ? this.summary?.bench?.silent : this.me?.silent)
  }

  /** Whether we are out of the game and only look on. */
  get out(): boolean {
    return this.playing && this.seat !== null && this.view !== null && Boolean(this.telling?.out?.(this.view as never, this.seat))
  }

  /** The clock to look at: our own, or that of those who are waited for. */
  get clock(): Running | undefined {
    return this.clocks.find((clock) => this.seat !== null && clock.seats.includes(this.seat)) ?? this.clocks[0]
  }

  /** What there is to know about the game that is played here. */
  get game(): GameInfo | undefined {
    return this.summary ? this.house.game(this.summary.game) : undefined
  }

  /** The name of somebody who plays, or played last. */
  name(seat: number): string {
    return this.cast.find((player) => player.seat === seat)?.name ?? t.seat(seat + 1)
  }

  /** Our seat in the game that is over; null: we have come since, and may have the seat of somebody who has left. */
  get placed(): number | null {
    const { players } = this
    const name = players.find((player) => player.seat === this.seat)?.name
    return this.cast.find((player) => player.name === name && (player.seat === this.seat || this.result?.teams))?.seat ?? null
  }

  // What pages ask for besides.

  get number(): number {
    return (this.summary?.games ?? 0) + (this.playing ? 1 : 0)
  }

  get players(): readonly Player[] {
    return this.summary?.players ?? []
  }

  get options(): Readonly<Record<string, unknown>> {
    return (this.summary?.options ?? {}) as Readonly<Record<string, unknown>>
  }

  get hostSeat(): number | null {
    return this.summary?.host ?? null
  }

  get pace(): number {
    return memory.pace
  }

  player(seat: number): Player {
    return this.players.find((player) => player.seat === seat) ?? { seat, name: this.name(seat) }
  }

  clockOf(seat: number): Running | undefined {
    return this.clocks.find((clock) => clock.seats.includes(seat))
  }

  proceed(): Promise<boolean> {
    return this.act({ type: 'proceed' })
  }

  kick(seat: number): Promise<boolean> {
    return this.act({ type: 'kick', seat })
  }

  // Coming and going.

  /** There is a connection: take the seat we hold; otherwise look at the table from its door. Where we have a place, it comes back
   * by itself. */
  async arrive(): Promise<void> {
    this.returning = this.place !== null
    if (this.stage === 'away' || this.place || this.house.table !== this) return
    const token = memory.token(this.id)
    try {
      if (token) this.take(await this.house.server.resume(this.id, token, { avatar: memory.avatar }))
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
        this.stage = 'arriving'
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

  /** Before there is a connection: the door, for somebody who can't have a seat here. */
  glimpse(table: Summary): void {
    this.summary = table
    this.stage = 'door'
  }

  /** What can be seen from outside. */
  private async knock(): Promise<void> {
    const response = await fetch(`/api/tables/${encodeURIComponent(this.id)}`)
    if (this.stage === 'here') return
    if (me.tables.includes(this.id)) return this.comeBack()
    if (!response.ok) return this.taken(t.away.noSuchTable)
    const record = (await response.json()) as { table: Summary }
    this.summary = introduced(record.table)
    if (record.table.phase === 'closed') return this.taken(t.away.closed)
    await this.house.identified
    if (me.person && record.table.players.some((player) => player.person === me.person)) return this.comeBack()
    this.stage = 'door'
  }

  /** To a seat that we hold from another device. */
  private async comeBack(): Promise<void> {
    me.tables = me.tables.filter((table) => table !== this.id) // if it is ours no more, we look from the door
    try {
      this.take(await this.house.server.resume(this.id, undefined, { avatar: memory.avatar }))
    } catch (error) {
      if (code(error) !== 'no_such_seat' && code(error) !== 'kicked') throw error
      this.stage = 'door'
    }
  }

  /** What we are called here. */
  get calledHere(): string {
    return this.house.called(this.summary?.game)
  }

  async join(password: string): Promise<void> {
    this.take(await this.house.server.join(this.id, { player: this.calledHere, avatar: memory.avatar, password }))
    this.unlocked(password)
  }

  async watch(password = this.key): Promise<void> {
    this.take(await this.house.server.watch(this.id, { password }))
    this.unlocked(password)
  }

  /** An invitation is opened in a page that is here already. */
  invited(): void {
    takeKey(this.id)
    this.key = keyOf(this.id)
  }

  /** Whoever knows the password hands it on with the invitation. */
  unlocked(password: string): void {
    if (!password || !this.summary?.locked || (this.seat === null && !this.summary.lobby?.private)) return
    this.key = password
    keepKey(this.id, password)
  }

  /** We have a place: a seat, or that of a spectator. */
  take(place: Place): void {
    if (this.house.table !== this) return place.close() // We have turned away meanwhile.
    this.place = place
    place.listen({
      synced: () => this.adopt(place),
      happened: (fact) => this.heard(fact),
      gone: (why, error) => this.place === place && this.left(why, error),
    })
  }

  /** Take back the seat that a bot, or another page of ours, plays from. */
  async takeBack(): Promise<void> {
    if (this.stage === 'away') this.stage = 'arriving'
    await this.whileBusy(() => this.place?.comeBack() ?? this.arrive())
  }

  /** The clock has run on while the line was gone: who has to hurry should not have to find out. */
  private remind(): void {
    if (this.awaited && this.clock && !this.busy) this.house.tell(t.frame.backAgain(Math.max(0, Math.round((this.clock.due - this.house.now()) / 1000))))
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
    return this.whileBusy(() => this.house.ask(wish))
  }

  /** Make a move. When the line is lost before we know what became of it, that is found out as soon as it is back. */
  async play(move: unknown): Promise<boolean> {
    return this.whileBusy(() => this.insist(move))
  }

  private async insist(move: unknown): Promise<boolean> {
    const { place } = this
    if (!place) return false
    const { seq } = place
    try {
      if (!this.house.online) throw new Error(t.noConnection)
      await place.play(move)
      return true
    } catch (error) {
      if (!place.gone) this.house.tell(error instanceof TooLate ? t.frame.moveLost : this.refusal(error, seq))
      return false
    }
  }

  /** Why a move that was offered could not be made: most often somebody else was faster. */
  private refusal(error: unknown, since: number): string {
    const { seq, seat } = this.latest
    if (!(error instanceof Refused) || NOT_THE_RULES.has(error.code) || seq <= since || seat === this.seat) return sentence(error)
    return seat === null ? t.frame.tooLate : t.frame.faster(this.name(seat))
  }

  /** What the strongest bot would do; null where we have no place. */
  async hint(): Promise<Hint | null> {
    return (await this.place?.hint()) ?? null
  }

  private async whileBusy<T>(doing: () => Promise<T>): Promise<T> {
    this.requests++
    this.busy = true
    const slow = setTimeout(() => (this.sending = true), SLOW)
    try {
      return await doing()
    } finally {
      clearTimeout(slow)
      if (!--this.requests) this.busy = this.sending = false
    }
  }

  // What we are told.

  private adopt(place: Place): void {
    const table = introduced(place.summary)
    this.clear()
    this.summary = table
    this.seat = place.seat
    this.view = kept(place.view, this.view)
    this.offered = kept(place.moves, this.offered)
    this.lesson = place.lesson
    this.forms = kept(place.forms, this.forms)
    this.said = this.inWords(place.labels)
    this.hints = place.hints && place.lesson === null
    this.waitingFor = place.waitingFor
    this.events = this.moments = []
    this.result = place.result
    this.clocks = this.wind(place.clocks, this.house.now())
    this.remember(table)
    this.recall(place.chat)
    this.stage = 'here'
    this.finale = false
    const { token } = place
    if (token) memory.keep({ table: this.id, token, game: table.game, name: table.name, at: Date.now() })
    if (this.returning) this.remind()
    this.returning = false
  }

  private heard(fact: Fact): void {
    const { entry, seq } = fact
    if (entry.entry === 'moved') this.latest = { seq, seat: entry.seat }
    if (entry.entry === 'expired') this.latest = { seq, seat: entry.by ?? null }
    this.queue.push(fact)
    if (this.concerns(fact)) this.flush()
    else this.pump()
  }

  /** We are not at the table any more. */
  private left(why: string, error?: Refused): void {
    this.place = null
    if (error && why !== 'kicked') return void this.turnedAway(error)
    // The seat has another connection: another page of ours.
    if (why === 'replaced') return this.taken(t.away.elsewhere, true)
    this.queue.push(why)
    this.pump()
  }

  /** Our own moves are shown at once, and what we can answer: the time for it has begun, and others can see it already. */
  private concerns(fact: Fact): boolean {
    const seat = this.place?.seat ?? null
    if (seat === null) return false
    const own = fact.entry.entry === 'moved' && fact.entry.seat === seat && !fact.entry.bot
    return own || Boolean(fact.moves?.length || fact.forms?.length) || Boolean(fact.awaited?.includes(seat))
  }

  /** Show what has arrived, at a pace that people can follow. */
  private pump(): void {
    clearTimeout(this.timer)
    if (document.hidden || this.queue.length > TOO_MANY || memory.pace === 0 || this.out) return this.flush()
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

  private show(fact: Fact | string): void {
    if (typeof fact === 'string') return this.conclude(fact)
    const { entry } = fact
    const before = this.summary
    const turn = turnOf(entry, fact.story ?? [], this.view, this.lastTurn, this.telling)
    if (fact.table) this.summary = kept(introduced(fact.table), this.summary)
    if (fact.seat != null) this.seat = fact.seat
    if (entry.entry === 'started') {
      this.result = null
      this.remember(this.summary!)
      if (entry.pledge) memory.pledged(this.id, this.summary!.games + 1, entry.pledge)
    }
    if (entry.entry === 'reopened') {
      this.result = null
      this.finale = false
    }
    // What has not changed stays the same thing: nobody's words should make a page think that something has happened.
    this.view = kept(fact.view ?? null, this.view)
    this.offered = kept(fact.moves ?? [], this.offered)
    this.lesson = fact.lesson ?? null
    this.forms = kept(fact.forms ?? [], this.forms)
    this.said = this.inWords(fact.labels)
    this.hints = (fact.hints ?? false) && this.lesson === null
    this.waitingFor = kept(fact.awaited ?? [], this.waitingFor)
    this.clocks = kept(this.wind(fact.clocks, fact.at), this.clocks)
    if (fact.events.length || entry.entry === 'started') this.tell(fact.events)
    if (fact.result) this.finish(fact.result)
    for (const line of sentences(fact, this.telling)) {
      this.write({ ...line, text: retold(line.text, this.cast), at: fact.at, turn })
    }
    this.note(entry, fact.at, turn, before)
    if (fact.events.length && memory.pace > 0) {
      const hurry = Math.min(1, UNHURRIED / Math.max(1, this.queue.length))
      this.nextAt = Date.now() + (fact.result ? FINALE : BETWEEN_MOVES * hurry) * memory.pace
    }
    if (entry.entry === 'left' && entry.seat === this.seat && entry.why !== 'kicked') this.forget()
    if (entry.entry === 'closed') this.gone(entry.operator ? t.away.closedByOperator : t.away.closings[entry.why])
  }

  private tell(events: readonly unknown[]): void {
    this.events = events
    this.moments = this.undrawn ? [...this.moments, events] : [events]
    this.undrawn = true
    void tick().then(() => (this.undrawn = false))
  }

  /** Nothing more is to be shown, since we are not at the table any more. */
  private conclude(why: string): void {
    if (why === 'benched') this.taken(t.away.benched)
    else if (why === 'left') this.taken(t.away.left)
    else if (why === 'kicked') this.gone(t.away.sentAway)
  }

  private finish(result: Result): void {
    this.result = result
    this.finale = memory.pace > 0
    if (this.finale) setTimeout(() => (this.finale = false), FINALE * memory.pace)
  }

  private remember(table: Summary): void {
    const playing = table.phase === 'playing'
    if (playing) this.cast = table.players
    // Seats may have changed hands since; who has given up is at the table, and not among those who played to the end.
    else if (this.result && !this.cast.length) this.cast = [...new Map([...table.players, ...table.cast].map((player) => [player.seat, player])).values()]
    if (playing && this.seat !== null) memory.played(this.id, table.games + 1, this.seat)
  }

  private inWords(labels: readonly string[] = []): readonly string[] {
    const players = this.summary?.players ?? []
    return kept(labels.map((label) => retold(label, players)), this.said)
  }

  private wind(clocks: readonly Clock[], since: number): Running[] {
    return clocks.map((clock) => {
      const known = this.clocks.find((other) => other.name === clock.name && other.due === clock.due)
      return { ...clock, since: known?.since ?? since }
    })
  }

  private note(entry: Entry, at: number, turn: Turn, before: Summary | null): void {
    const who = (seat: number) => before?.players.find((player) => player.seat === seat)?.name ?? t.seat(seat + 1)
    if (entry.entry === 'said') {
      const own = entry.seat != null && entry.seat === this.seat
      const name = entry.name || t.spectator
      if (own || !memory.ignores(name)) this.write({ kind: 'chat', text: entry.text, name, own, at, turn })
      return
    }
    if (entry.entry === 'sounded') {
      if (entry.seat !== this.seat && memory.ignores(who(entry.seat))) return
      this.sound = { seat: entry.seat, name: entry.sound }
    }
    // Who has left a game loses the seat after it, which is no news.
    if (entry.entry === 'left' && entry.why === 'gone' && before?.players.some(({ seat, gone }) => seat === entry.seat && gone)) return
    const text = words(entry, who)
    if (text) this.write({ kind: 'note', text: retold(text, this.summary?.players ?? []), at, turn })
  }

  /** What was said before we came, or while we were away. */
  private recall(chat: readonly Spoken[]): void {
    const known = new Set(this.lines.filter((line) => line.kind === 'chat').map((line) => `${line.at} ${line.text}`))
    const lines = [...this.lines]
    for (const { seat, name, text, at } of chat) {
      if (known.has(`${at} ${text}`)) continue
      const before = lines.findLastIndex((line) => line.at <= at)
      const own = seat !== null && seat === this.seat
      const turn = lines[before]?.turn ?? NOBODY
      lines.splice(before + 1, 0, { key: ++this.lastKey, kind: 'chat', text, name: name || t.spectator, own, at, turn })
    }
    this.lines = lines.slice(-LINES_KEPT)
  }

  private write(line: Omit<Line, 'key'>): void {
    this.lastTurn = line.turn
    this.lines = [...this.lines, { ...line, key: ++this.lastKey }].slice(-LINES_KEPT)
  }
}

const alike = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** What was there, unless it has changed. */
const kept = <T>(now: T, before: T): T => (alike(now, before) ? before : now)

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
    case 'benched':
      return entry.open ? t.log.benchOpen : t.log.benchClosed
    case 'silenced':
      return (entry.silent ? t.log.silenced : t.log.heardAgain)(entry.seat === null ? null : who(entry.seat))
    case 'reseated':
      return t.log.reseated(who(entry.seat))
    case 'handed_over':
      return t.log.handedOver(who(entry.seat))
    case 'started':
      return t.log.started
    case 'reopened':
      return t.log.reopened
    case 'sounded':
      return t.log.sounded(who(entry.seat), (t.sounds as Record<string, string>)[entry.sound] ?? entry.sound)
    case 'countdown_begun':
      return t.log.countdownBegun(entry.seconds)
    case 'countdown_stopped':
      return t.log.countdownStopped
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
