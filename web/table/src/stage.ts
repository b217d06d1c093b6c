/** Where things are on a page, and how they get from one place to another.
 *
 * What can be seen apart is a *piece* (`data-piece="7♣"`), where others come from and go to is a *place* (`data-place="stock"`).
 * A piece that is somewhere else than before goes there by itself; of anything else a page says from where to where: its flights.
 * What flies is a copy, in a layer above the page, so that nothing is clipped or pushed aside; only its `transform` and `opacity`
 * change. What it stands for can't be seen until it arrives, but it is there, and can be pressed. */

import { copyOf, dressed, lookOf, type Draw, type Piece, type Size } from './looks'

/** Names of pieces or places: the first of them that is there. */
export type Names = string | readonly string[]

/** Something that goes from one place to another. From a place to the same place: what lay there is seen until the others arrive. */
export interface Flight {
  from: Names
  to: Names
  /** It rests there for a moment, on the way. */
  via?: Names
  /** How it looks, where there is no piece at its end: what the component that draws pieces is to be given. */
  as?: object
  /** How it looks when it sets out: it is turned over on the way. */
  was?: object
  /** When all the others have arrived. */
  late?: boolean
}

/** The middle of something, and how large it is. */
interface Box {
  x: number
  y: number
  width: number
  height: number
}

interface Spot extends Box {
  name: string
  node: Piece
  piece: boolean
}

interface Flying {
  node: HTMLElement
  /** What it stands for; a place has none. */
  piece?: Spot
  end(): void
}

/** A flight whose copy is made, and only has to set out. */
interface Ready {
  node: HTMLElement
  /** Unless it is to be measured. */
  size?: Size
  sides: readonly HTMLElement[]
  way: readonly Spot[]
  turn: number
  delay: number
  duration: number
  piece?: Spot
  undress(): void
}

/** At pace 1, in milliseconds: at least, for each pixel of the way, and at most. */
const LEAST = 200
const PER_PIXEL = 0.45
const MOST = 560
/** One sets out after the other. */
const STAGGER = 45
const ALL_SET_OUT = 400
/** From one move to the next, where several are shown at once. */
const NEXT_MOVE = 260
/** What rests on the way has arrived there, and goes on, at these parts of the time. */
const REST = [0.35, 0.6] as const
/** More can't be followed. */
const MOST_FLIGHTS = 24
/** Where something has moved by less, nobody sees it. */
const NEARLY = 1.5
const EASING = 'cubic-bezier(0.3, 0.7, 0.3, 1)'

const names = (given: Names): readonly string[] => (typeof given === 'string' ? [given] : given)
const apart = (one: Box, other: Box): number => Math.hypot(one.x - other.x, one.y - other.y)
const moved = (one: Box, other: Box): boolean => apart(one, other) > NEARLY || Math.abs(one.width - other.width) > NEARLY

export class Stage {
  private readonly layer = document.createElement('div')
  private readonly flying = new Set<Flying>()
  private readonly sliding = new Map<Piece, Animation>()
  private readonly resized: ResizeObserver
  private size = ''
  private before: Map<string, Spot[]> | null = null

  /** `draw` makes what nobody has drawn yet, as a back, and returns what ends it. */
  constructor(
    private readonly root: HTMLElement,
    private readonly draw: Draw,
  ) {
    Object.assign(this.layer.style, { position: 'absolute', inset: '0', contain: 'strict', pointerEvents: 'none', zIndex: '30' })
    this.layer.dataset.flights = ''
    this.layer.ariaHidden = 'true'
    this.layer.inert = true
    root.append(this.layer)
    // Where the room is another, so are all places.
    this.resized = new ResizeObserver(() => {
      const size = `${root.clientWidth} ${root.clientHeight}`
      if (this.size && this.size !== size) this.rest()
      this.size = size
    })
    this.resized.observe(root)
  }

  destroy(): void {
    this.resized.disconnect()
    this.rest()
    this.layer.remove()
  }

  /** All that moves is at once where it belongs. */
  rest(): void {
    for (const one of [...this.flying]) one.end()
    for (const slide of this.sliding.values()) slide.cancel()
    this.sliding.clear()
  }

  /** Remember where everything is: it is about to change. */
  look(): void {
    this.before = this.survey()
    // What is on its way is where it is seen; what it stands for is not.
    for (const { node, piece } of this.flying) {
      if (!piece) continue
      const spots = this.before.get(piece.name)?.filter((spot) => spot.node !== piece.node) ?? []
      this.before.set(piece.name, [{ ...piece, ...boxOf(node) }, ...spots])
    }
  }

  /** Everything goes from where it was to where it is: move by move, at a `pace` of more than 0. */
  go(moments: readonly (readonly Flight[])[], pace: number): void {
    const { before } = this
    this.before = null
    if (!before) return
    for (const slide of this.sliding.values()) slide.cancel()
    this.sliding.clear()
    // What is to be copied has to be seen.
    for (const { piece } of this.flying) if (piece) show(piece.node)
    const after = this.survey()
    const { x, y } = this.layer.getBoundingClientRect()
    const speed = Math.sqrt(pace)
    const taken = new Set<Spot>()
    const ready = moments.flatMap((flights, moment) => this.prepare(flights, before, after, taken, speed * NEXT_MOVE * moment, speed))
    for (const [was, spot] of pairs(before, after, taken)) {
      const onItsWay = [...this.flying].find(({ piece }) => piece?.name === spot.name && piece.node === was.node)
      if (onItsWay) {
        if (moved(onItsWay.piece!, spot) || was.node !== spot.node) ready.push(this.dress([was, spot], speed))
      } else if (moved(was, spot)) {
        if (was.node === spot.node) this.slide(was, spot, speed)
        else ready.push(this.dress([was, spot], speed))
      }
    }
    this.forget(after, ready)
    for (const { piece } of this.flying) if (piece) hide(piece.node)
    this.setOut(ready, x, y)
  }

  /** The copies of what flies in one move. */
  private prepare(flights: readonly Flight[], before: Map<string, Spot[]>, after: Map<string, Spot[]>, taken: Set<Spot>, delay: number, speed: number): Ready[] {
    const found: Ready[] = []
    const still: Ready[] = []
    let latest = delay
    const stagger = Math.min(STAGGER, ALL_SET_OUT / flights.length) * speed
    for (const late of [false, true]) {
      let begin = late ? latest : delay
      for (const flight of flights) {
        if (Boolean(flight.late) !== late || found.length >= MOST_FLIGHTS) continue
        const end = find(after, flight.to, taken)
        const start = find(before, flight.from, taken) ?? find(after, flight.from, taken, true)
        if (!end || !start || (!end.piece && !flight.as)) continue
        for (const spot of [start, end]) if (spot.piece) taken.add(spot)
        const stop = flight.via && (find(before, flight.via) ?? find(after, flight.via))
        const one = this.dress(stop ? [start, stop, end] : [start, end], speed, flight, begin)
        found.push(one)
        if (!end.piece && start.node === end.node) still.push(one)
        else {
          begin += stagger
          latest = Math.max(latest, one.delay + one.duration)
        }
      }
    }
    for (const one of still) Object.assign(one, { delay, duration: latest - delay })
    return found
  }

  private dress(way: readonly Spot[], speed: number, { as = {}, was }: Pick<Flight, 'as' | 'was'> = {}, delay = 0): Ready {
    const end = way.at(-1)!
    const node = document.createElement('div')
    const piece = end.piece ? end : undefined
    const made = piece ? copyOf(piece.node) : dressed(this.draw, as, way)
    const sides = [made.node]
    let undress = made.undress
    if (was) {
      const other = dressed(this.draw, was, [end])
      sides.unshift(other.node)
      undress = () => (made.undress(), other.undress())
    }
    Object.assign(node.style, { position: 'absolute', left: '0', top: '0', display: 'grid', width: 'max-content', willChange: 'transform' })
    node.dataset.flight = piece?.name ?? ''
    for (const side of sides) {
      side.style.gridArea = '1 / 1'
      node.append(side)
    }
    const size = was ? undefined : made.size
    return { node, size, sides, way, turn: piece ? lookOf(piece.node).turn : 0, delay, duration: speed * time(way), piece, undress }
  }

  /** From where they are in a layer whose corner is at `left`, `top`. */
  private setOut(ready: readonly Ready[], left: number, top: number): void {
    if (!ready.length) return
    // All at once, and then measured, if need be: a page that is measured after each lays itself out for each.
    this.layer.append(...ready.map(({ node }) => node))
    const sizes = ready.map(({ node, size }) => size ?? { width: node.offsetWidth, height: node.offsetHeight })
    ready.forEach(({ node, sides, way, turn, delay, duration, piece, undress }, i) => {
      const { width, height } = sizes[i]!
      const at = (spot: Spot, angle = 0) => {
        // A turned card takes more room than it is large.
        const scale = angle ? 1 : spot.piece ? spot.width / width : Math.min(1, spot.width / width, spot.height / height)
        return `translate(${spot.x - left - width / 2}px, ${spot.y - top - height / 2}px) rotate(${angle}deg) scale(${scale})`
      }
      const timing = { duration, delay, fill: 'both' as const }
      const [first, ...rest] = way
      const frames: Keyframe[] = [{ transform: at(first!), easing: EASING }]
      if (rest.length > 1) frames.push(...REST.map((offset) => ({ offset, transform: at(rest[0]!), easing: EASING })))
      frames.push({ transform: at(way.at(-1)!, turn) })
      const flight = node.animate(frames, timing)
      if (sides.length > 1) turnOver(sides, timing)
      // What goes into something is not there any more when it has arrived.
      else if (!piece) node.animate([{ opacity: 1 }, { opacity: 1, offset: 0.75 }, { opacity: 0 }], timing)
      if (piece) hide(piece.node)
      const one: Flying = {
        node,
        piece,
        end: () => {
          this.flying.delete(one)
          if (piece) show(piece.node)
          flight.onfinish = null
          node.remove()
          undress()
        },
      }
      flight.onfinish = one.end
      this.flying.add(one)
    })
  }

  /** What was on its way to something that is not there any more, or that goes on from where it is, is not needed. */
  private forget(after: Map<string, Spot[]>, ready: readonly Ready[]): void {
    for (const one of [...this.flying]) {
      if (!one.piece) continue
      const there = after.get(one.piece.name)?.some((spot) => spot.node === one.piece!.node)
      if (!there || ready.some(({ piece, way }) => piece?.node === one.piece!.node || way[0]!.node === one.piece!.node)) one.end()
    }
  }

  /** The same element, a little further on: the others make room. */
  private slide(was: Spot, spot: Spot, speed: number): void {
    const timing = { duration: speed * time([was, spot]), easing: EASING, composite: 'add' as const }
    const slide = spot.node.animate({ translate: [`${was.x - spot.x}px ${was.y - spot.y}px`, '0px 0px'] }, timing)
    slide.onfinish = () => this.sliding.delete(spot.node)
    this.sliding.set(spot.node, slide)
  }

  private survey(): Map<string, Spot[]> {
    const found = new Map<string, Spot[]>()
    for (const node of this.root.querySelectorAll<Piece>('[data-piece], [data-place]')) {
      if (this.layer.contains(node)) continue
      const { piece, place } = node.dataset
      for (const name of new Set([piece, place])) {
        if (!name) continue
        const spot = { name, node, piece: name === piece, ...boxOf(node) }
        const others = found.get(name)
        if (others) others.push(spot)
        else found.set(name, [spot])
      }
    }
    return found
  }
}

/** By its style and not by an animation: that would give each of them a layer of its own, and others one above it. */
function hide(piece: Piece): void {
  piece.style.setProperty('opacity', '0', 'important')
}

function show(piece: Piece): void {
  piece.style.removeProperty('opacity')
}

function boxOf(node: Element): Box {
  const { x, y, width, height } = node.getBoundingClientRect()
  return { x: x + width / 2, y: y + height / 2, width, height }
}

/** The first that is there and is not taken by another flight; a place is there for all. */
function find(spots: Map<string, Spot[]>, given: Names, taken: ReadonlySet<Spot> = new Set(), place = false): Spot | undefined {
  for (const name of names(given)) {
    const found = spots.get(name)?.find((spot) => (place ? !spot.piece : !taken.has(spot)))
    if (found) return found
  }
  return undefined
}

/** What is still to be seen, and where it was: the same element, if it can be. */
function pairs(before: Map<string, Spot[]>, after: Map<string, Spot[]>, taken: Set<Spot>): [Spot, Spot][] {
  const found: [Spot, Spot][] = []
  for (const [name, spots] of after) {
    const free = (before.get(name) ?? []).filter((spot) => spot.piece && !taken.has(spot))
    const now = spots.filter((spot) => spot.piece && !taken.has(spot))
    for (const same of [true, false]) {
      for (const spot of [...now]) {
        const at = free.findIndex((was) => !same || was.node === spot.node)
        if (at < 0) continue
        found.push([free.splice(at, 1)[0]!, spot])
        now.splice(now.indexOf(spot), 1)
      }
    }
  }
  return found
}

function time(way: readonly Spot[]): number {
  const length = way.slice(1).reduce((sum, spot, i) => sum + apart(way[i]!, spot), 0)
  return Math.min(MOST, LEAST + PER_PIXEL * length) * (way.length > 2 ? 1.8 : 1)
}

/** From one side to the other. */
function turnOver([one, other]: readonly HTMLElement[], timing: KeyframeAnimationOptions): void {
  const turned = (from: number, to: number) => ({ transform: [from, to].map((angle) => `perspective(600px) rotateY(${angle}deg)`), easing: 'ease-in-out' })
  // `willChange`: a side is drawn once, and not anew for each angle.
  for (const side of [one!, other!]) Object.assign(side.style, { backfaceVisibility: 'hidden', willChange: 'transform' })
  one!.animate(turned(0, 180), timing)
  other!.animate(turned(-180, 0), timing)
}
