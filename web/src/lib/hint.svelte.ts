import { TooLate, type Hint } from '@croupier/client'
import type { House } from './house.svelte'
import type { Table } from './table.svelte'

/** The hint at a table: asked for, and shown as long as it is about what we may do. */
export class Hinting {
  thinking = $state(false)
  private found = $state.raw<{ hint: Hint; moves: unknown; forms: unknown } | null>(null)

  constructor(
    private readonly table: Table,
    private readonly house: House,
  ) {}

  /** Whether to offer one. */
  get possible(): boolean {
    return this.table.hints
  }

  get shown(): Hint | null {
    const { found, table } = this
    return found && table.hints && found.moves === table.moves && found.forms === table.forms ? found.hint : null
  }

  async ask(): Promise<void> {
    if (this.thinking || !this.possible) return
    this.thinking = true
    this.found = null
    try {
      const hint = await this.table.hint()
      if (hint) this.found = { hint, moves: this.table.moves, forms: this.table.forms }
    } catch (error) {
      // Who has moved meanwhile needs none.
      if (!(error instanceof TooLate)) this.house.complain(error)
    } finally {
      this.thinking = false
    }
  }

  /** Do what it says. */
  async follow(): Promise<void> {
    if (this.shown) await this.table.play(this.shown.move)
  }

  close(): void {
    this.found = null
  }
}
