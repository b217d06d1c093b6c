import { mount, tick, unmount, untrack, type Component } from 'svelte'
import { prefersReducedMotion } from 'svelte/motion'
import { Stage, type Flight } from './stage'
import type { Table } from './table'

/** What is seen of a move: its events, and how things stood before it; null at first. No events: the game has begun. */
export type Flights<View, Event> = (events: readonly Event[], view: View, before: View | null) => readonly Flight[]

/** Lets the pieces in an element go from where they were to where they are, whenever the table changes: `use:travels`, with
 * `const travels = moving(() => table, flights, Card)` in the script of the same component. `Piece` draws what there is no piece of. */
export function moving<View, Event>(table: () => Table<any, any, any>, flights: Flights<View, Event>, Piece: Component<any>) {
  let stage: Stage | undefined
  let shown: readonly unknown[] = []
  let before: View | null = null
  /** 0: things are at once where they belong. */
  const pace = () => (prefersReducedMotion.current || document.hidden ? 0 : table().pace)

  function draw(target: HTMLElement, props: object): () => void {
    const drawn = mount(Piece, { target, props })
    return () => void unmount(drawn)
  }

  $effect.pre(() => {
    void [table().view, table().moments]
    untrack(() => pace() && stage?.look())
  })
  $effect(() => {
    const { view, moments } = table()
    const since = before
    const go = () => {
      if (pace()) stage?.go(moments === shown ? [] : moments.map((events) => flights(events, view, since)), pace())
      else stage?.rest()
      shown = moments
    }
    // A page that has just come finds out how much room there is, and makes use of it.
    if (since) untrack(go)
    else void tick().then(go)
    before = view
  })

  return (root: HTMLElement) => {
    stage = new Stage(root, draw)
    if (pace()) stage.look()
    return {
      destroy() {
        stage?.destroy()
        stage = undefined
      },
    }
  }
}
