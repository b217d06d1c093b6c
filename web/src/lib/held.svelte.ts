import { Refused } from '@croupier/client'
import type { Summary, Sync } from '@croupier/table/native'
import { house } from './house.svelte'
import { me } from './me.svelte'
import { memory } from './memory.svelte'
import { introduced } from './names'

/** How things stand at a table where we have a seat. */
export interface Standing {
  table: Summary
  /** The game waits for us. */
  awaited: boolean
  /** Whom else it waits for. */
  others: string[]
  /** A bot plays for us. */
  stoodIn: boolean
  /** There is a result to look at. */
  over: boolean
}

/** Moves are not on the list of tables: how often we ask. */
const EVERY = 4000

/** The tables where we hold a seat, from this browser or another device of ours: those too that strangers are not shown. */
class Held {
  standings = $state.raw<readonly Standing[]>([])
  tables = $derived([...new Set([...memory.seats.map((seat) => seat.table), ...me.tables])])
  private looking = false

  /** Keep it up to date; returns how to stop. */
  follow(): () => void {
    void me.look().then(() => this.look())
    const timer = setInterval(() => document.hidden || void this.look(), EVERY)
    return () => clearInterval(timer)
  }

  private async look(): Promise<void> {
    if (this.looking || !house.online) return
    this.looking = true
    const found: Standing[] = []
    try {
      // One after the other: somebody with many seats should not flood the server.
      for (const table of this.tables) {
        const standing = await this.ask(table, memory.token(table))
        if (standing === 'gone') this.forget(table)
        else if (standing) found.push(standing)
      }
      this.standings = found
    } catch {
      // The connection is lost: what we knew is as good as nothing.
    }
    this.looking = false
  }

  private forget(table: string): void {
    memory.forget(table)
    me.tables = me.tables.filter((other) => other !== table)
  }

  /** Null: there is nothing to tell just now, as where the game is not installed on the server any more. */
  private async ask(table: string, token: string | undefined): Promise<Standing | 'gone' | null> {
    try {
      const { sync } = await house.request({ type: 'see', table, token })
      return sync && sync.seat !== null ? standing(sync, sync.seat) : 'gone'
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      return error.code === 'no_such_table' ? 'gone' : null
    }
  }
}

function standing(sync: Sync, seat: number): Standing {
  const table = introduced(sync.table)
  const playing = table.phase === 'playing'
  return {
    table,
    awaited: playing && sync.awaited.includes(seat),
    others: table.players.filter((player) => player.seat !== seat && playing && sync.awaited.includes(player.seat)).map((player) => player.name),
    stoodIn: playing && Boolean(table.players.find((player) => player.seat === seat)?.stood_in),
    over: sync.result !== null,
  }
}

export const held = new Held()
