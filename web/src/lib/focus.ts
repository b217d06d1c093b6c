/** Keeps the focus at the game. What has just been pressed is often gone with the move, or can't be pressed any more; then the
 * keyboard would begin again at the top of the page, and a screen reader lose its place. */

const PRESSABLE = 'button, a[href], input, select, [tabindex="0"]'

/** For the region of the game, which takes the focus when nothing near can; from there, the tab key leads back to where it was.
 * `busy`: whether what can't be pressed now may come back in a moment. */
export function keepFocus(region: HTMLElement, busy: () => boolean): () => void {
  /** What had the focus last, and all that it is in, from the inside out; without the game as a whole. Nothing when it was left. */
  let path: HTMLElement[] = []

  const focused = ({ target }: FocusEvent) => {
    if (target === region) return
    path = []
    for (let at = target as HTMLElement; region.contains(at) && at.parentElement !== region; at = at.parentElement!) path.push(at)
  }
  const pressed = ({ target }: PointerEvent) => {
    if (!document.activeElement?.contains(target as Node) || document.activeElement === document.body) path = []
  }
  const tab = (event: KeyboardEvent) => {
    const place = event.target === region && event.key === 'Tab' && !event.shiftKey ? nearest(path) : undefined
    if (!place) return
    event.preventDefault()
    place.focus()
  }
  let frame = 0
  const mend = () => {
    frame = 0
    const at = document.activeElement
    const lost = !at || at === document.body || at.matches(':disabled')
    if (!lost || !path.length) return
    if (busy()) soon() // the answer alone changes nothing that could be watched
    else (nearest(path) ?? region).focus({ preventScroll: true })
  }
  // A moment later: one change may take away what the next brings back.
  const soon = () => void (frame ||= requestAnimationFrame(mend))
  const watch = new MutationObserver(soon)

  document.addEventListener('focusin', focused)
  document.addEventListener('pointerdown', pressed, true)
  region.addEventListener('keydown', tab)
  watch.observe(region, { subtree: true, childList: true, attributeFilter: ['disabled'] })
  return () => {
    document.removeEventListener('focusin', focused)
    document.removeEventListener('pointerdown', pressed, true)
    region.removeEventListener('keydown', tab)
    watch.disconnect()
    cancelAnimationFrame(frame)
  }
}

/** What can be pressed that is closest to where the focus was. */
function nearest(path: readonly HTMLElement[]): HTMLElement | undefined {
  for (const place of path.filter((place) => place.isConnected)) {
    for (const found of [place, ...place.querySelectorAll<HTMLElement>(PRESSABLE)]) {
      if (found.matches(`:is(${PRESSABLE}):not(:disabled, [tabindex="-1"])`) && found.checkVisibility({ visibilityProperty: true })) return found
    }
  }
  return undefined
}
