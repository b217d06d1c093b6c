import type { LessonStep } from '@croupier/table/native'
import type { Table } from '../lib/table.svelte'

/** A lesson as the one who learns has come to it: which of its steps is the one to be shown. */
export class Course {
  steps = $state.raw<readonly LessonStep[]>([])
  /** How many steps lie behind what was read last. */
  private read = $state(0)

  constructor(private readonly table: Table) {}

  /** Those that say something. */
  get spoken(): readonly LessonStep[] {
    return this.steps.filter(({ text }) => text)
  }

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

/** Whether two moves are the same to people, who name the cards of a move in any order, and not all that could be said of them. */
export function alike(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) return sorted(one) === sorted(other)
  if (!isStruct(one) || !isStruct(other)) return one === other
  return Object.keys({ ...one, ...other }).every((name) => one[name] == null || other[name] == null || alike(one[name], other[name]))
}

const isStruct = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
const sorted = (list: readonly unknown[]) => JSON.stringify(list.map((item) => JSON.stringify(item)).sort())
