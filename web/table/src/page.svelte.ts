import { mount, unmount, type Component } from 'svelte'
import Boundary from './Boundary.svelte'
import type { Form, Player, Result } from './protocol/native'
import type { Handle, Page, Running, Table, Telling } from './table'
import { keepTime } from './time'

type Drawn<View, Move, Event> = Component<{ table: Table<View, Move, Event> }>

interface Besides<View, Move, Event> {
  log?: Telling<View, Event>
  /** What it means to leave a running game. */
  leaving?: string
  /** Explains a result. */
  Ending?: Drawn<View, Move, Event>
}

/** The page of a game out of a component that is given the table: `export default definePage(Page)`. */
export function definePage<View, Move, Event>(Content: Drawn<View, Move, Event>, besides: Besides<View, Move, Event> = {}): Page {
  const { Ending, ...rest } = besides
  return { ...rest, mount: drawing(Content), ...(Ending ? { ending: { mount: drawing(Ending) } } : {}) }
}

function drawing(Content: Component<{ table: Table<any, any, any> }>): Page['mount'] {
  return (target, handle) => {
    keepTime(() => handle.now())
    const table = new Mirror(handle)
    const mounted = mount(Boundary, { target, props: { Content, table, failed: (error) => handle.fail(error) } })
    const unsubscribe = handle.subscribe(() => table.follow())
    return {
      destroy() {
        unsubscribe()
        void unmount(mounted)
      },
    }
  }
}

const CHANGING = [
  'number', 'seat', 'view', 'events', 'moments', 'moves', 'forms', 'waitingFor', 'awaited', 'clocks', 'players', 'hostSeat', 'options', 'result', 'busy', 'pace',
] as const satisfies (keyof Table)[]

/** The table that the frame has handed us, for components that have come with another Svelte than the frame's. */
class Mirror implements Table {
  readonly id: string
  readonly replayed: boolean
  number = $state.raw(1)
  seat = $state.raw<number | null>(null)
  view = $state.raw<unknown>(null)
  events = $state.raw<readonly unknown[]>([])
  moments = $state.raw<readonly (readonly unknown[])[]>([])
  moves = $state.raw<readonly unknown[]>([])
  forms = $state.raw<readonly Form[]>([])
  waitingFor = $state.raw<readonly number[]>([])
  awaited = $state.raw(false)
  clocks = $state.raw<readonly Running[]>([])
  players = $state.raw<readonly Player[]>([])
  hostSeat = $state.raw<number | null>(null)
  options = $state.raw<Readonly<Record<string, unknown>>>({})
  result = $state.raw<Result | null>(null)
  busy = $state.raw(false)
  pace = $state.raw(1)

  constructor(private readonly handle: Handle) {
    this.id = handle.id
    this.replayed = handle.replayed
    this.follow()
  }

  follow(): void {
    Object.assign(this, Object.fromEntries(CHANGING.map((name) => [name, this.handle[name]])))
  }

  player(seat: number): Player {
    return this.players.find((player) => player.seat === seat) ?? this.handle.player(seat)
  }

  name(seat: number): string {
    return this.player(seat).name
  }

  clockOf(seat: number): Running | undefined {
    return this.clocks.find((clock) => clock.seats.includes(seat))
  }

  play(move: unknown): Promise<boolean> {
    return this.handle.play(move)
  }

  kick(seat: number): Promise<boolean> {
    return this.handle.kick(seat)
  }

  proceed(): Promise<boolean> {
    return this.handle.proceed()
  }
}
