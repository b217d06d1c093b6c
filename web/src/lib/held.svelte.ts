import type { Summary, Sync } from '../protocol/native'
import { code } from './connection'
import { house } from './house.svelte'
import { memory } from './memory.svelte'

/** How things stand at a table where we have a seat. */
export interface Standing {
  table: Summary
  /** The game waits for us. */
  awaited: boolean
  /** Whom else it waits for. */
  others: string[]
  /** A bot plays for us. */
  stoodIn: boolean
}

/** Moves are not on the list of tables: how often we ask. */
const EVERY = 4000

/** The tables where this browser holds a seat: those too that strangers are not shown. */
class Held {
  standings = $state.raw<readonly Standing[]>([])
  private looking = false

  /** Keep it up to date; returns how to stop. */
  follow(): () => void {
    void this.look()
    const timer = setInterval(() => document.hidden || void this.look(), EVERY)
    return () => clearInterval(timer)
  }

  private async look(): Promise<void> {
    if (this.looking || !house.online) return
    this.looking = true
    const found: Standing[] = []
    try {
      // One after the other: somebody with many seats should not flood the server.
      for (const { table, token } of memory.seats) {
        const standing = await this.ask(table, token)
        if (standing) found.push(standing)
        else memory.forget(table)
      }
      this.standings = found
    } catch {
      // The connection is lost: what we knew is as good as nothing.
    }
    this.looking = false
  }

  private async ask(table: string, token: string): Promise<Standing | null> {
    try {
      const { sync } = await house.request({ type: 'see', table, token })
      return sync && sync.seat !== null ? standing(sync, sync.seat) : null
    } catch (error) {
      if (code(error) === 'no_such_table') return null
      throw error
    }
  }
}

function standing({ table, clocks, moves }: Sync, seat: number): Standing {
  const awaited = new Set(clocks.flatMap((clock) => clock.seats))
  const playing = table.phase === 'playing'
  return {
    table,
    awaited: playing && moves.length > 0 && (!clocks.length || awaited.has(seat)),
    others: table.players.filter((player) => player.seat !== seat && awaited.has(player.seat)).map((player) => player.name),
    stoodIn: playing && Boolean(table.players.find((player) => player.seat === seat)?.stood_in),
  }
}

export const held = new Held()
