import type { Event } from '../../protocol/cambia'

/** In milliseconds: what somebody was allowed one look at lies open so long. */
const LOOK = 4500
const TWO_LOOKS = 6500
const TURNED_OVER = 3500
const MARK = 3000

export type Mark = 'looked' | 'swapped' | 'new'

/** What can be seen for a moment, and is gone then: memory is the game. */
export class Fleeting {
  /** Faces that lie open, by card. */
  faces = $state.raw<ReadonlyMap<string, string>>(new Map())
  /** The faces among them that we have looked at by a special. */
  looks = $state.raw<readonly string[]>([])
  /** Cards that something has just happened to. */
  marks = $state.raw<ReadonlyMap<string, Mark>>(new Map())
  private timers = new Set<ReturnType<typeof setTimeout>>()

  /** `still`: in a replay, where a moment lasts until the next step. */
  constructor(private readonly still: boolean) {}

  take(events: readonly Event[]): void {
    if (this.still) this.clear()
    for (const event of events) {
      switch (event.event) {
        case 'dealt':
          this.clear()
          break
        case 'first_look':
          // Where there is time for it, the view shows them until that is over.
          if (events.some((other) => other.event === 'began')) this.open(event.cards.map((card) => [card.id, card.face]), TWO_LOOKS)
          break
        case 'peeked':
          this.mark('looked', event.card.id)
          if (event.face) this.look([[event.card.id, event.face]], LOOK)
          break
        case 'revealed':
          this.mark('looked', event.card1.id, event.card2.id)
          // While there is something to decide the two lie open anyway.
          if (event.faces.length === 2 && !event.decides) this.look([[event.card1.id, event.faces[0]!], [event.card2.id, event.faces[1]!]], TWO_LOOKS)
          break
        case 'snap_failed':
          if (event.card && event.face) this.open([[event.card.id, event.face]], TURNED_OVER)
          break
        case 'swapped':
          this.mark('swapped', event.card1.id, event.card2.id)
          break
        case 'replaced':
        case 'penalised':
          this.mark('new', event.card)
          break
        case 'given':
          if (event.card) this.mark('new', event.card)
          break
      }
    }
  }

  clear(): void {
    for (const timer of this.timers) clearTimeout(timer)
    this.timers.clear()
    this.faces = this.marks = new Map()
    this.looks = []
  }

  private look(cards: [id: string, face: string][], duration: number): void {
    this.open(cards, duration)
    const looks = (this.looks = cards.map(([, face]) => face))
    this.later(duration, () => this.looks === looks && (this.looks = []))
  }

  private open(cards: [id: string, face: string][], duration: number): void {
    this.faces = new Map([...this.faces, ...cards])
    this.later(duration, () => (this.faces = without(this.faces, cards.map(([id]) => id))))
  }

  private mark(mark: Mark, ...cards: string[]): void {
    this.marks = new Map([...this.marks, ...cards.map((id) => [id, mark] as const)])
    this.later(MARK, () => (this.marks = without(this.marks, cards)))
  }

  private later(duration: number, end: () => unknown): void {
    if (this.still) return
    const timer = setTimeout(() => {
      this.timers.delete(timer)
      end()
    }, duration)
    this.timers.add(timer)
  }
}

function without<T>(all: ReadonlyMap<string, T>, gone: readonly string[]): ReadonlyMap<string, T> {
  return new Map([...all].filter(([id]) => !gone.includes(id)))
}
