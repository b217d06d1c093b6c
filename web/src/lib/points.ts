/** What of a game's page a move is made with: names that the page has put on its elements, as `data-point="card:7♣"`. */
type Pointing = (move: any, view: any) => readonly string[]

// All of them at once, as in log.ts: a few lines each, which import nothing but types.
const ours = import.meta.glob<Pointing>('../games/*/points.ts', { eager: true, import: 'points' })

/** How a game names them. */
export function points(game: string): Pointing {
  return ours[`../games/${game}/points.ts`] ?? plain
}

/** Unless the game says otherwise: the cards that a move names, or what the move itself is called. */
const plain: Pointing = ({ move, ...rest }) => [`move:${move}`, ...Object.values(rest).flat().map((value) => `card:${value}`)]

const seen = (element: HTMLElement) => element.checkVisibility({ visibilityProperty: true }) && element.getBoundingClientRect().width > 0

/** What on the page has one of these names, and can be seen; of what is as wide as the page (`data-each`), what lies in it. */
export function pointed(names: readonly string[]): HTMLElement[] {
  const main = document.querySelector('main')!
  return names
    .flatMap((name) => [...main.querySelectorAll<HTMLElement>(`[data-point~="${CSS.escape(name)}"]`)])
    .filter(seen)
    .flatMap((element) => {
      const inner = 'each' in element.dataset ? [...element.querySelectorAll<HTMLElement>('button, [data-piece]')].filter(seen) : []
      return inner.length ? inner : [element]
    })
}

/** Draw a ring around these, and around nothing else. */
export function ring(elements: readonly Element[]): void {
  for (const old of document.querySelectorAll('[data-ringed]')) if (!elements.includes(old)) old.removeAttribute('data-ringed')
  for (const element of elements) element.setAttribute('data-ringed', '')
}
