import { language } from '@croupier/table'
import type { GameRecord, Played, Replay as Part, Step, Summary } from '@croupier/table/native'
import { t } from '../words'
import { sentence } from './errors'
import type { Evidence } from './fairness'
import type { House } from './house.svelte'
import { NOBODY, sentences, turnOf, type Line } from './log'
import { memory } from './memory.svelte'
import { called, retold } from './names'
import { page } from './pages'
import { Table, words } from './table.svelte'

/** Between two steps while it runs, in milliseconds, at pace 1. */
const BETWEEN_STEPS = 1400
/** A game of so many steps is fetched whole; of a longer one, what is looked at. */
const ALL_AT_ONCE = 2000
const LINES_SHOWN = 300

/** How an address calls the place of a spectator, where one's own would be meant otherwise. */
const NOBODYS = 'none'

/** What is watched, and from where. */
export interface Choice {
  /** Which of the table's games; 0: the latest. */
  game: number
  /** Undefined: our own, if we have played. */
  seat: number | null | undefined
  open: boolean
  step: number
}

/** What the address says. */
export function chosen(search: string): Choice {
  const asked = new URLSearchParams(search)
  const number = (name: string) => Math.max(0, Math.floor(Number(asked.get(name)) || 0))
  const seat = asked.get('seat') === NOBODYS ? null : asked.has('seat') ? number('seat') : undefined
  return { game: number('game'), seat, open: asked.get('open') === '1', step: number('step') }
}

/** A finished game, as a table at which nothing can be done but to look. */
export class Replay extends Table {
  override readonly replayed = true
  about = $state.raw<Played | null>(null)
  /** How many games the table has finished. */
  games = $state(0)
  /** How many steps there are. One more, and the result is shown. */
  count = $state(0)
  step = $state(0)
  open = $state(false)
  running = $state(false)
  /** Why there is nothing to see, in a sentence. */
  problem = $state('')

  private chosen = $state(0)
  private known = new Map<number, Step>()
  /** The step that the page shows. */
  private shown = -1
  /** Counts the choices of a place: what was asked for from another one is not shown any more. */
  private turn = 0
  private ticking: ReturnType<typeof setTimeout> | undefined

  constructor(id: string, house: House) {
    super(id, house)
  }

  over = $derived(this.count > 0 && this.step === this.count)

  /** Where this very moment is to be found again. */
  get address(): string {
    const asked = new URLSearchParams({ game: String(this.number) })
    if (this.seat !== null) asked.set('seat', String(this.seat))
    else if (memory.playedAs(this.id, this.number) !== null) asked.set('seat', NOBODYS)
    if (this.open) asked.set('open', '1')
    if (this.step) asked.set('step', String(this.step))
    return `/t/${this.id}/replay?${asked}`
  }

  /** The same of the whole game, for programs elsewhere. */
  get link(): string {
    return `${location.origin}/t/${this.id}/replay?game=${this.number}`
  }

  /** Where all there is to know about the game can be had as a file. */
  get record(): string {
    return `${this.source}/record?language=${language}`
  }

  /** All that a check of the deal needs to see, asked for anew. */
  async evidence(): Promise<Evidence> {
    const about = this.about!
    const record = await get<GameRecord>(this.record)
    const missing = new Set(record.log?.filter((line) => line.whence).map((line) => line.seq))
    const steps = new Map<number, Step>()
    for (let first = 0, count = 1; missing.size && first < count; ) {
      const part = await get<Part>(`${this.source}?${new URLSearchParams({ first: String(first), open: '1', language })}`)
      for (const step of part.steps) {
        steps.set(step.seq, step)
        missing.delete(step.seq)
      }
      count = part.steps.length ? part.count : 0
      first += part.steps.length
    }
    return { record, about, steps, seen: memory.pledge(this.id, about.number) }
  }

  /** Where the server tells about the game. */
  get source(): string {
    return `/api/tables/${encodeURIComponent(this.id)}/games/${this.number}`
  }

  async begin(choice: Choice): Promise<void> {
    try {
      const { table } = await get<{ table: Summary }>(`/api/tables/${encodeURIComponent(this.id)}?language=${language}`)
      this.games = table.games
      this.summary = { ...table, players: [], phase: 'playing', host: null, watchers: 0 }
      if (!table.games) throw new Error(t.replay.noneYet)
      await this.choose({ ...choice, game: choice.game || table.games })
    } catch (error) {
      this.fail(error)
    }
  }

  /** Look at it from another place, or at another game. */
  async choose(choice: Partial<Choice>): Promise<void> {
    const { game = this.number, open = this.open, step = this.step } = choice
    const seat = 'seat' in choice ? choice.seat : this.seat
    const first = game === this.about?.number ? Math.min(step, this.count - 1) : step
    this.turn++
    this.known.clear()
    this.chosen = game
    this.seat = seat === undefined ? memory.playedAs(this.id, game) : seat
    this.open = open
    this.step = step
    try {
      const part = await this.fetch(first)
      if (!part) return
      this.introduce(part.about)
      this.count = part.count
      await this.go(this.step) // somebody may have gone on meanwhile
      void this.fetchRest()
      // A page from elsewhere brings along how the log is told.
      void page(part.about.game).then(() => this.retell(), () => undefined)
    } catch (error) {
      this.fail(error)
    }
  }

  /** Show a step; the one after the last is the result. */
  async go(step: number): Promise<void> {
    this.step = Math.max(0, Math.min(step, this.count))
    this.result = this.over ? this.about!.result : null // at once: the page shows it as soon as it is the end
    const shown = Math.min(this.step, this.count - 1)
    const wanted = this.step
    if (!this.known.has(shown)) {
      try {
        await this.fetch(shown)
      } catch (error) {
        return this.fail(error)
      }
    }
    const found = this.known.get(shown)
    if (!found || this.step !== wanted) return
    this.view = found.view
    this.events = found.events
    this.moments = shown === this.shown + 1 ? [found.events] : []
    this.shown = shown
    this.waitingFor = found.awaited
    this.lines = this.storyUntil(shown)
    this.stage = 'here'
  }

  toggle(): void {
    if (this.running) return this.pause()
    this.running = true
    if (this.over) void this.go(0)
    this.tick()
  }

  pause(): void {
    this.running = false
    clearTimeout(this.ticking)
  }

  private tick(): void {
    this.ticking = setTimeout(
      async () => {
        await this.go(this.step + 1)
        if (this.over) this.pause()
        else if (this.running) this.tick()
      },
      BETWEEN_STEPS * (memory.pace || 0.25),
    )
  }

  /** Nobody is waited for any more. */
  override get awaited(): boolean {
    return false
  }

  override get number(): number {
    return this.chosen
  }

  /** Nothing that a page offers is done. */
  override async act(): Promise<boolean> {
    return false
  }

  private introduce(about: Played): void {
    this.about = about
    this.cast = called(about.players)
    this.summary = { ...this.summary!, name: about.name, game: about.game, options: about.options, players: [...this.cast] }
  }

  /** The steps from there on, as many as one answer has; undefined when something else has been chosen meanwhile. */
  private async fetch(first: number): Promise<Part | undefined> {
    const turn = this.turn
    const asked = new URLSearchParams({ first: String(first), language })
    if (this.seat !== null) asked.set('seat', String(this.seat))
    if (this.open) asked.set('open', '1')
    const part = await get<Part>(`${this.source}?${asked}`)
    if (turn !== this.turn) return undefined
    part.steps.forEach((step, i) => this.known.set(part.first + i, step))
    return part
  }

  private async fetchRest(): Promise<void> {
    const turn = this.turn
    for (let first = 0; first < Math.min(this.count, ALL_AT_ONCE); first++) {
      if (!this.known.has(first)) await this.fetch(first).catch(() => undefined)
      if (turn !== this.turn) return
      if (!this.known.has(first)) return
    }
    this.retell()
  }

  private retell(): void {
    this.lines = this.storyUntil(Math.min(this.step, this.count - 1))
  }

  /** The log up to that step. */
  private storyUntil(last: number): Line[] {
    const lines: Line[] = []
    let turn = NOBODY
    for (let step = Math.max(0, last - LINES_SHOWN); step <= last; step++) {
      const found = this.known.get(step)
      if (!found) continue
      const { entry, at } = found
      turn = turnOf(entry, found.story, this.known.get(step - 1)?.view, turn, this.telling)
      const told = sentences(found, this.telling)
      const note = words(entry, (seat) => this.name(seat))
      if (note) told.push({ kind: 'note', text: note })
      lines.push(...told.map((line, i) => ({ ...line, text: retold(line.text, this.cast), at, turn, step, key: step * 100 + i })))
    }
    return lines.slice(-LINES_SHOWN)
  }

  private fail(error: unknown): void {
    this.pause()
    this.problem = sentence(error)
  }
}

async function get<T>(address: string): Promise<T> {
  const response = await fetch(address).catch(() => {
    throw new Error(t.noConnection)
  })
  if (response.ok) return (await response.json()) as T
  const { error } = (await response.json().catch(() => ({ error: t.noAnswer }))) as { error: string }
  throw new Error(error)
}
