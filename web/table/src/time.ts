/** The server's time, which is what clocks count in: this machine's own may be wrong. */

let source = Date.now

/** In milliseconds since 1970. */
export const now = (): number => source()

/** Tell the time by that from now on. */
export function keepTime(by: () => number): void {
  source = by
}

interface Timed {
  due: number
}

/** Who is told how much time is left, of which clock. */
const told = new Map<(left: number) => void, Timed>()
let beat: ReturnType<typeof setTimeout> | undefined

/** Tells how much time a clock has left, in milliseconds: now, and whenever a second of it has gone. Returns what ends that.
 *
 * A hand that is animated would be drawn in every frame, all the time that somebody thinks: that takes half a core where no
 * graphics card helps. All that shows a clock moves at once, so that little is drawn as seldom. */
export function countDown(clock: Timed, tell: (left: number) => void): () => void {
  told.set(tell, clock)
  tick()
  return () => told.delete(tell)
}

const secondsLeft = (clock: Timed): number => Math.max(0, Math.ceil((clock.due - now()) / 1000))

function tick(): void {
  clearTimeout(beat)
  if (!told.size) return
  for (const [tell, clock] of told) tell(1000 * secondsLeft(clock))
  const next = [...told.values()].map((clock) => clock.due - now() - 1000 * (secondsLeft(clock) - 1))
  beat = setTimeout(tick, Math.min(1000, Math.max(20, Math.min(...next))))
}

/** How much of a clock's time that is, from 1 to 0. */
export const share = (clock: Timed & { since: number }, left: number): number =>
  Math.min(1, left / Math.max(1, clock.due - clock.since))
