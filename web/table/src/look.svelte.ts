import { on } from 'svelte/events'

/** How long a finger rests on a card before it is shown large. */
const LONG_PRESS = 450
/** How long a mouse rests there. */
const HOVER = 450

/** Which card of a game is looked at closely. */
export class Look<Card> {
  /** In the middle of the screen, until it is closed. */
  pinned = $state.raw<Card | null>(null)
  /** Beside the card that the mouse or the focus is on. */
  peeked = $state.raw<{ card: Card; beside: DOMRect } | null>(null)

  pin(card: Card): void {
    this.peeked = null
    this.pinned = card
  }

  /** Shows a card large while the mouse or the focus is on it, or when a finger rests on it. */
  closer = (node: HTMLElement, card: Card | null) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let held = false
    const peek = () => card && (this.peeked = { card, beside: node.getBoundingClientRect() })
    const end = () => {
      clearTimeout(timer)
      if (this.peeked?.card === card) this.peeked = null
    }
    const handlers: { [K in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[K]) => void } = {
      pointerenter: (event) => {
        if (event.pointerType === 'mouse') timer = setTimeout(peek, HOVER)
      },
      pointerleave: end,
      pointercancel: end,
      pointerdown: (event) => {
        end()
        held = false
        if (event.pointerType === 'mouse') return
        timer = setTimeout(() => {
          if (!card) return
          held = true
          this.pin(card)
        }, LONG_PRESS)
      },
      pointerup: () => clearTimeout(timer),
      contextmenu: (event) => {
        event.preventDefault()
        end()
        if (card) this.pin(card)
      },
      focus: () => node.matches(':focus-visible') && peek(),
      blur: end,
      keydown: (event) => {
        if (event.key === 'Escape') end()
      },
    }
    // What a long press was, is not a tap as well.
    const click = (event: MouseEvent) => {
      if (held) event.stopImmediatePropagation()
      held = false
    }
    // By Svelte's own `on`: a card that is taken away loses the focus while the page is being changed, where a plain
    // listener must not touch what the page is made from.
    on(node, 'click', click, { capture: true })
    for (const [name, handler] of Object.entries(handlers)) on(node, name, handler as EventListener)
    return {
      update(next: Card | null) {
        if (next !== card) end()
        card = next
      },
      destroy: end,
    }
  }
}
