/** What flies looks like what it stands for. */

/** Draws a piece into an element, and returns what ends that. */
export type Draw = (target: HTMLElement, as: object) => () => void

/** What a piece can be on a page. */
export type Piece = HTMLElement | SVGElement

export interface Size {
  width: number
  height: number
}

interface Dressed {
  node: HTMLElement
  /** Where it is known without another look at the page. */
  size?: Size
  undress(): void
}

/** How wide a card is at most that comes from nowhere and goes nowhere. */
const MOST = 110

/** What lies in a piece, as it lies there; `--card` is as wide as the piece. */
export function copyOf(piece: Piece): Dressed {
  const node = document.createElement('div')
  const { radius, opacity } = lookOf(piece)
  const size = piece instanceof HTMLElement ? { width: piece.offsetWidth, height: piece.offsetHeight } : piece.getBoundingClientRect()
  sized(node, size.width)
  Object.assign(node.style, { height: `${size.height}px`, borderRadius: radius, opacity })
  // A picture is what lies there itself.
  for (const child of piece instanceof HTMLElement ? piece.childNodes : [piece]) node.append(child.cloneNode(true))
  // Nobody is to find anything twice, and what has come just now has come already.
  for (const child of node.querySelectorAll<HTMLElement | SVGElement>('*')) {
    child.style.animation = 'none'
    for (const { name } of [...child.attributes]) if (name === 'id' || name.startsWith('data-')) child.removeAttribute(name)
  }
  return { node, size, undress: () => undefined }
}

/** Something that is drawn for its flight, as large as it may be at one of its ends. */
export function dressed(draw: Draw, as: object, ends: readonly { width: number; height: number; piece: boolean }[]): Dressed {
  const node = document.createElement('div')
  const room = ({ width, height, piece }: (typeof ends)[number]) => (piece ? width : Math.min(MOST, width, height / 1.4))
  sized(node, Math.max(...ends.map(room)))
  return { node, undress: draw(node, as) }
}

function sized(node: HTMLElement, width: number): void {
  node.style.setProperty('--card', `${width}px`)
  node.style.width = `${width}px`
}

/** What of a piece is not in it. */
export function lookOf(piece: Piece): { radius: string; opacity: string; turn: number } {
  const { borderRadius, opacity, rotate } = getComputedStyle(piece)
  return { radius: borderRadius, opacity, turn: parseFloat(rotate) || 0 }
}
