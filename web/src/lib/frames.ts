/** When the next frame has been drawn. What need not be seen in the same frame as a move leaves that to what flies. */
export function afterFrame(action: () => void): void {
  requestAnimationFrame(() => setTimeout(action))
}
