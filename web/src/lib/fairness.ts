/** Whether a deal is what its seed says: written from docs/fair-deals.md alone, and loaded when somebody wants to know.
 *
 * It goes by what is in the record of a game, and knows no game: every draw is worked out again from the seed, and the cards
 * that the replay shows are held against the shuffles they have come out of. */
import { sha256 } from '@noble/hashes/sha2.js'
import type { GameRecord, Played, Step } from '@croupier/table/native'

/** Numbers are drawn from words of 32 bits. */
const SPAN = 2 ** 32
const SEED_BYTES = 32

/** What is held against each other. */
export interface Evidence {
  record: GameRecord
  /** The game as the replay introduced it. */
  about: Played
  /** The replay with open cards, by the numbers of the entries: at least where shuffled cards come to light. */
  steps: ReadonlyMap<number, Step>
  /** The hash that this browser was shown when the game began, if it was there. */
  seen: string | null
}

/** What is wrong, in as many words as it takes to find it. */
export type Fault =
  | { what: 'seen'; hash: string; shown: string }
  | { what: 'pledge'; hash: string; shown: string }
  | { what: 'rigged' }
  | { what: 'about' }
  | { what: 'seats' }
  | { what: 'shuffle'; name: string; place: number; found: string; expected: string }
  | { what: 'number'; entry: number; found: string; expected: string }
  | { what: 'card'; where: string; found: string; expected: string }
  | { what: 'unreadable' }

export interface Fair {
  hash: string
  /** Whether the hash is the one that this browser was shown. */
  seen: boolean
  shuffles: number
  numbers: number
  /** Where the replay shows what came out of a shuffle. */
  places: number
}

class Unfair extends Error {
  constructor(readonly fault: Fault) {
    super(fault.what)
  }
}

/** The numbers of a seed, in their order. */
export class Stream {
  private words: number[] = []
  private blocks = 0

  constructor(private readonly seed: Uint8Array) {}

  private word(): number {
    if (!this.words.length) {
      const block = new Uint8Array(SEED_BYTES + 8)
      block.set(this.seed)
      new DataView(block.buffer).setBigUint64(SEED_BYTES, BigInt(this.blocks++))
      const hash = new DataView(sha256(block).buffer)
      this.words = Array.from({ length: 8 }, (_, i) => hash.getUint32(28 - 4 * i))
    }
    return this.words.pop()!
  }

  below(n: number): number {
    if (!(Number.isInteger(n) && n > 0 && n <= SPAN)) throw new Unfair({ what: 'unreadable' })
    for (;;) {
      const word = this.word()
      if (word < SPAN - (SPAN % n)) return word % n
    }
  }

  shuffled(items: readonly unknown[]): unknown[] {
    const found = [...items]
    for (let i = found.length - 1; i > 0; i--) {
      const j = this.below(i + 1)
      ;[found[i], found[j]] = [found[j], found[i]]
    }
    return found
  }
}

export function check(evidence: Evidence): Fair | Fault {
  try {
    return checked(evidence)
  } catch (error) {
    // Whatever has been made of an answer on its way may be anything.
    return error instanceof Unfair ? error.fault : { what: 'unreadable' }
  }
}

function checked({ record, about, steps, seen }: Evidence): Fair {
  const seed = bytes(record.about.seed)
  const hash = hex(sha256(seed))
  if (seen !== null && seen !== hash) throw new Unfair({ what: 'seen', hash, shown: seen })
  const starts = [...record.log, ...steps.values()].map(({ entry }) => entry).filter((entry) => entry.entry === 'started')
  if (!record.log.some(({ entry }) => entry.entry === 'started')) throw new Unfair({ what: 'unreadable' })
  for (const { pledge } of starts) if (pledge !== hash) throw new Unfair({ what: 'pledge', hash, shown: pledge ?? '' })
  if (record.about.rig || about.rig) throw new Unfair({ what: 'rigged' })
  if (!same(record.about, about)) throw new Unfair({ what: 'about' })
  const drawn = draws(record, new Stream(seed))
  let places = 0
  for (const line of record.log) {
    const names = about.players.map((player) => player.name)
    for (const [pointer, draw, place] of line.whence ?? []) {
      const expected = drawn.outs[draw]?.[place]
      const found = at(steps.get(line.seq)?.view, pointer)
      if (found === undefined || expected === undefined || !same(found, expected)) {
        throw new Unfair({ what: 'card', where: described(steps.get(line.seq)?.view, pointer, names), found: text(found), expected: text(expected) })
      }
      places++
    }
  }
  return { hash, seen: seen !== null, shuffles: drawn.shuffles, numbers: drawn.numbers, places }
}

/** Work out all that the record says was drawn. */
function draws(record: GameRecord, stream: Stream): { outs: (unknown[] | undefined)[]; shuffles: number; numbers: number } {
  const outs: (unknown[] | undefined)[] = []
  let [shuffles, numbers] = [0, 0]
  for (const { draws = [], entry, seq } of record.log) {
    for (const draw of draws) {
      if (draw.draw === 'number') {
        const expected = stream.below(draw.below)
        if (draw.out !== expected) throw new Unfair({ what: 'number', entry: seq, found: text(draw.out), expected: text(expected) })
        numbers++
        outs.push(undefined)
        continue
      }
      if (draw.rigged) throw new Unfair({ what: 'rigged' })
      const expected = stream.shuffled(draw.in)
      const place = Array.from({ length: Math.max(expected.length, draw.out.length) }).findIndex((_, i) => !same(expected[i], draw.out[i]))
      if (place >= 0) throw new Unfair({ what: 'shuffle', name: draw.name, place: place + 1, found: text(draw.out[place]), expected: text(expected[place]) })
      if (draw.name === 'seats' && entry.entry === 'started' && !same(draw.out, entry.order)) throw new Unfair({ what: 'seats' })
      shuffles++
      outs.push(expected)
    }
  }
  return { outs, shuffles, numbers }
}

function bytes(seed: string): Uint8Array {
  if (!/^([0-9a-f]{2}){32}$/.test(seed)) throw new Unfair({ what: 'unreadable' })
  return Uint8Array.from(seed.match(/../g)!, (pair) => parseInt(pair, 16))
}

const hex = (hash: Uint8Array) => Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Whether two pieces of JSON say the same. */
function same(one: unknown, other: unknown): boolean {
  if (one === null || other === null || typeof one !== 'object' || typeof other !== 'object') return one === other
  const [mine, theirs] = [Object.entries(one), new Map(Object.entries(other))]
  return Array.isArray(one) === Array.isArray(other) && mine.length === theirs.size && mine.every(([key, value]) => theirs.has(key) && same(value, theirs.get(key)))
}

const steps = (pointer: string) => pointer.split('/').slice(1).map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

/** What a JSON Pointer leads to. */
function at(view: unknown, pointer: string): unknown {
  return steps(pointer).reduce<unknown>((value, step) => (value !== null && typeof value === 'object' && Object.hasOwn(value, step) ? (value as Record<string, unknown>)[step] : undefined), view)
}

/** Where that is, for people: what the game calls it, whose it is, and which one, counted from 1. */
function described(view: unknown, pointer: string, names: readonly string[]): string {
  let value = view
  const told = steps(pointer).map((step) => {
    const list = Array.isArray(value) ? value : undefined
    value = at(value, `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    if (!list) return step.replaceAll('_', ' ')
    return list.length === names.length && names.length > 1 && typeof value === 'object' ? names[Number(step)]! : String(Number(step) + 1)
  })
  return told.join(' › ')
}

const text = (value: unknown) => (value === undefined ? '–' : typeof value === 'string' ? value : JSON.stringify(value).slice(0, 60))
