/** Where the words of a lesson stand: near what they speak of, and never on it. */

export interface Size {
  width: number
  height: number
}

export interface Box extends Size {
  left: number
  top: number
}

/** From what is around it, and from the edges of the room. */
const GAP = 12
const EDGE = 8
/** Between two places that are tried. */
const STEP = 8
/** To stand on what is spoken of is worse than anything else; on something else that can be pressed, than to be some way off. */
const HIDES = 1000
const DISTURBS = 0.05

export function place(size: Size, room: Box, spoken: readonly Box[], others: readonly Box[]): { left: number; top: number } {
  const right = room.left + room.width - size.width - EDGE
  const bottom = room.top + room.height - size.height - EDGE
  const middle = room.left + (room.width - size.width) / 2
  if (!spoken.length) return { left: middle, top: Math.max(room.top + EDGE, room.top + (room.height - size.height) / 2) }
  const columns = [middle, room.left + EDGE, right]
  for (const { left, width } of spoken) columns.push(left + (width - size.width) / 2, left - size.width - GAP, left + width + GAP)
  let best = { left: middle, top: room.top + EDGE }
  let least = Infinity
  for (const column of columns) {
    const left = Math.max(room.left + EDGE, Math.min(right, column))
    for (let top = room.top + EDGE; top <= Math.max(bottom, room.top + EDGE); top += STEP) {
      const here = { left, top, ...size }
      const near = Math.min(...spoken.map((box) => distance(here, box)))
      const cost =
        HIDES * sum(spoken, (box) => overlap(here, grown(box, GAP))) + DISTURBS * sum(others, (box) => overlap(here, box)) + Math.abs(near - GAP)
      if (cost < least) [least, best] = [cost, { left, top }]
    }
  }
  return best
}

/** Whether words that stand there hide something that is spoken of. */
export const hides = (here: Box, spoken: readonly Box[]) => spoken.some((box) => overlap(here, box) > 0)

const sum = (boxes: readonly Box[], of: (box: Box) => number) => boxes.reduce((total, box) => total + of(box), 0)

const grown = ({ left, top, width, height }: Box, by: number): Box => ({ left: left - by, top: top - by, width: width + 2 * by, height: height + 2 * by })

function overlap(one: Box, other: Box): number {
  const [across, down] = apart(one, other)
  return Math.max(0, -across) * Math.max(0, -down)
}

function distance(one: Box, other: Box): number {
  const [across, down] = apart(one, other)
  return Math.hypot(Math.max(0, across), Math.max(0, down))
}

/** How far it is from one to the other, across and down; less than nothing where they overlap. */
function apart(one: Box, other: Box): [number, number] {
  return [
    Math.max(one.left - other.left - other.width, other.left - one.left - one.width),
    Math.max(one.top - other.top - other.height, other.top - one.top - one.height),
  ]
}
