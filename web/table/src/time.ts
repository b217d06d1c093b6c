/** The server's time, which is what clocks count in: this machine's own may be wrong. */

let source = Date.now

/** In milliseconds since 1970. */
export const now = (): number => source()

/** Tell the time by that from now on. */
export function keepTime(by: () => number): void {
  source = by
}
