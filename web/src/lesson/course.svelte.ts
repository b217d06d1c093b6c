import type { LessonStep } from '@croupier/table/native'
import type { Table } from '../lib/table.svelte'

/** A lesson as the one who learns has come to it: which of its steps is the one to be shown. */
export class Course {
  steps = $state.raw<readonly LessonStep[]>([])
  /** How many steps lie behind what was read last. */
  private read = $state(0)

  constructor(private readonly table: Table) {}

  /** The number of the step that is on; -1 while others do something, and off the lesson's way. */
  get number(): number {
    const { lesson } = this.table
    if (lesson === null) return -1
    return this.steps.findIndex(({ first, last }, i) => i >= this.read && first <= lesson && (last == null || lesson <= last))
  }

  get step(): LessonStep | undefined {
    return this.steps[this.number]
  }

  /** Whether there is nothing more to come. */
  get last(): boolean {
    return this.number === this.steps.length - 1
  }

  /** Whether the game has left the lesson. */
  get strayed(): boolean {
    return this.steps.length > 0 && this.table.lesson === null && this.table.playing
  }

  /** The move that is asked for next, also while there is something to read before it. */
  get due(): LessonStep | undefined {
    const { lesson } = this.table
    return lesson === null ? undefined : this.steps.find(({ asks, first }) => asks && first === lesson)
  }

  /** What is to be read has been. */
  next(): void {
    this.read = this.number + 1
  }

  restart(): void {
    this.read = 0
  }
}

/** Whether two moves are the same to people, who name the cards of a move in any order. */
export const alike = (one: unknown, other: unknown) => JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))

function sorted(plain: unknown): unknown {
  if (Array.isArray(plain)) return plain.map(sorted).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  if (plain === null || typeof plain !== 'object') return plain
  return Object.fromEntries(Object.entries(plain).sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => [name, sorted(value)]))
}
