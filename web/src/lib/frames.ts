/** When what a move lets fly has left its place, which takes two frames: in the first one the move is laid out and drawn. What need
 * not be seen with the move leaves these to it. */
export function onceItFlies(action: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(action)))
}
