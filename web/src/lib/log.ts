import { HEARD, type Heard, type Telling, type Turn } from '@croupier/table'
import type { Entry, Happened } from '@croupier/table/native'
import { t } from '../words'

/** One line of what has happened and what was said. */
export interface Line {
  key: number
  kind: 'story' | 'note' | 'chat'
  text: string
  /** When, by the server's clock. */
  at: number
  /** In whose turn. */
  turn: Turn
  /** Who has let something pass, if that is all. */
  passes?: number | null
  /** Who speaks. */
  name?: string
  own?: boolean
  /** In a replay: when that was. */
  step?: number
}

/** What is told of one turn. */
export interface Chapter {
  key: number
  turn: Turn
  lines: Line[]
}

export const NOBODY: Turn = { seat: null }

// All of them at once: they are a few lines each, and a game may begin before they could be fetched. They import nothing but types.
const tellings = import.meta.glob<Telling>('../games/*/log.ts', { eager: true })
const brought = new Map<string, Telling>()

/** How a game wants its log to be told; undefined for a game that does not care. */
export function telling(game: string): Telling | undefined {
  return tellings[`../games/${game}/log.ts`] ?? brought.get(game)
}

/** The page of a game from elsewhere has brought this along. */
export function tellBy(game: string, log: Telling): void {
  brought.set(game, log)
}

/** In whose turn something was told: `before` is the view before it, and `last` the turn of what was told before. What is not
 * of the game, as what people say, begins no turn. */
export function turnOf(entry: Entry, story: readonly string[], before: unknown, last: Turn, told?: Telling): Turn {
  if (entry.entry === 'started') return NOBODY
  if (!story.length) return last
  if (told && before) return told.turn(before as never)
  return entry.entry === 'moved' ? { seat: entry.seat } : last
}

/** What was told of something, as lines without a place in the log yet. Of a move, each event has its sentence, up to the first
 * that is no news. */
export function sentences({ entry, story = [], events }: Pick<Happened, 'entry' | 'story' | 'events'>, told?: Telling): Pick<Line, 'kind' | 'text' | 'passes'>[] {
  let passing = entry.entry === 'moved'
  return story.map((text, i) => {
    const passes = passing && i < events.length ? (told?.passes?.(events[i] as never) ?? null) : null
    passing = passes !== null
    return { kind: 'story', text, passes }
  })
}

/** What a move sounds like: the strongest of its events. */
export function heard(events: readonly unknown[], told?: Telling): Heard | undefined {
  if (!told?.heard) return 'card'
  const all = events.map((event) => told.heard!(event as never))
  return HEARD.findLast((one) => all.includes(one))
}

/** The log by turns, in which those who let something pass one after the other are named in one line. */
export function chapters(lines: readonly Line[], name: (seat: number) => string, own: number | null): Chapter[] {
  const found: Chapter[] = []
  for (const line of lines) {
    const { turn, key } = line
    let chapter = found.at(-1)
    if (!chapter || chapter.turn.seat !== turn.seat || chapter.turn.round !== turn.round) found.push((chapter = { key, turn, lines: [] }))
    chapter.lines.push(line)
  }
  for (const chapter of found) chapter.lines = folded(chapter.lines, name, own)
  return found
}

function folded(lines: readonly Line[], name: (seat: number) => string, own: number | null): Line[] {
  const told: Line[] = []
  let passed: number[] = []
  for (const line of lines) {
    passed = line.passes == null ? [] : [...passed, line.passes]
    if (passed.length < 2) told.push(line)
    else told.push({ ...told.pop()!, text: t.log.letPass(passed.filter((seat) => seat !== own).map(name), own !== null && passed.includes(own)) })
  }
  return told
}
