import { language, now, type Handle, type Table } from '@croupier/table'
import { untrack } from 'svelte'
import { prefersReducedMotion } from 'svelte/motion'

/** What of a table may be different the next time. */
const CHANGING = [
  'number', 'seat', 'view', 'events', 'moments', 'moves', 'forms', 'waitingFor', 'awaited', 'clocks', 'players', 'hostSeat', 'options', 'result', 'busy', 'pace',
] as const satisfies (keyof Table)[]

/** A table as it is handed to a page that knows nothing of our Svelte. */
export function handle(table: Table, fail: (error: unknown) => void): Handle {
  const made = {
    id: table.id,
    replayed: table.replayed,
    language,
    get reducedMotion() {
      return prefersReducedMotion.current
    },
    now,
    fail,
    player: (seat: number) => table.player(seat),
    name: (seat: number) => table.name(seat),
    clockOf: (seat: number) => table.clockOf(seat),
    play: (move: unknown) => table.play(move),
    proceed: () => table.proceed(),
    kick: (seat: number) => table.kick(seat),
    subscribe: (changed: () => void) => subscribe(table, changed, fail),
  }
  for (const name of CHANGING) Object.defineProperty(made, name, { get: () => table[name], enumerable: true })
  return made as Handle
}

function subscribe(table: Table, changed: () => void, fail: (error: unknown) => void): () => void {
  let first = true
  return $effect.root(() => {
    $effect(() => {
      for (const name of CHANGING) void table[name]
      void prefersReducedMotion.current
      if (!first) untrack(() => attempt(changed, fail))
      first = false
    })
  })
}

/** What others have written may fail, and is not to take anybody with it. */
export function attempt<T>(action: () => T, fail: (error: unknown) => void): T | undefined {
  try {
    return action()
  } catch (error) {
    fail(error)
    return undefined
  }
}
