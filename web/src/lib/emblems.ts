import { SUITS } from '@croupier/table'
import { house } from './house.svelte'

const drawings = import.meta.glob<string>('../games/*/emblem.svg', { eager: true, query: '?url', import: 'default' })

/** The drawing that stands for a game: ours, what it has brought along, or one that is made from its name. */
export function emblem(game: string): string {
  return drawings[`../games/${game}/emblem.svg`] ?? house.game(game)?.emblem ?? made(game)
}

/** A number that is another one for nearly every name (FNV-1a). */
function hashed(text: string): number {
  let hash = 0x811c9dc5
  for (const letter of text) hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193)
  // The last letter should count in every bit.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (hash ^ (hash >>> 12)) >>> 0
}

/** Signs for the cards, in a box of 24 by 24: those of the suits, and some more. */
const SIGNS = [
  ...Object.values(SUITS).map((suit) => suit.shape),
  'M12 2 22 12 12 22 2 12Z M12 7l5 5-5 5-5-5z',
  'M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm0 5a5 5 0 1 1 0 10 5 5 0 0 1 0-10z',
  'M3 8l5 4 4-8 4 8 5-4-2 12H5z',
  'M14.500 2a10 10 0 1 0 7 14.500A8.500 8.500 0 0 1 14.500 2z',
  'M13 1 4 14h7l-1 9 10-14h-7z',
]

const card = (turn: number, shift: number, sign: string, colour: string) =>
  `<g transform="translate(${160 + shift} 96) rotate(${turn} 0 60)"><rect x="-33" y="-46" width="66" height="92" rx="7" fill="#fdfbf5" stroke="#c9c0ab" stroke-width="1.5"/>` +
  `<path d="${sign}" transform="translate(-21 -21) scale(1.75)" fill="${colour}" fill-rule="evenodd"/><path d="${sign}" transform="translate(-28 -41) scale(.55)" fill="${colour}" fill-rule="evenodd"/></g>`

const GROUNDS = [
  (ink: string) => `<path d="M0 0h320v180H0z" fill="url(#p)"/><pattern id="p" width="24" height="24" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0h12v24H0z" fill="${ink}"/></pattern>`,
  (ink: string) => `<path d="M0 0h320v180H0z" fill="url(#p)"/><pattern id="p" width="26" height="26" patternUnits="userSpaceOnUse"><circle cx="13" cy="13" r="5" fill="${ink}"/></pattern>`,
  (ink: string) => [150, 110, 70].map((r) => `<circle cx="160" cy="96" r="${r}" fill="none" stroke="${ink}" stroke-width="18"/>`).join(''),
  (ink: string) => Array.from({ length: 12 }, (_, i) => `<path d="M160 96 L140 -160 L180 -160Z" fill="${ink}" transform="rotate(${i * 30} 160 96)"/>`).join(''),
]

const FANS = [
  [[0, 0]],
  [[-11, -22], [11, 22]],
  [[-16, -34], [0, 0], [16, 34]],
] as const

/** As large as the others; colours, ground, sign and number of cards follow from the name. */
function made(game: string): string {
  let left = hashed(game)
  const pick = (of: number) => {
    const found = left % of
    left = Math.floor(left / of)
    return found
  }
  const hue = pick(24) * 15
  const sign = SIGNS[pick(SIGNS.length)]!
  const ground = GROUNDS[pick(GROUNDS.length)]!
  const fan = FANS[pick(FANS.length)]!
  const colour = `hsl(${(hue + 150 + pick(4) * 20) % 360} 62% 34%)`
  const drawing =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 180" preserveAspectRatio="xMidYMid slice"><path d="M0 0h320v180H0z" fill="hsl(${hue} 42% 34%)"/>` +
    ground(`hsl(${hue} 46% 40%)`) +
    fan.map(([turn, shift]) => card(turn, shift, sign, colour)).join('') +
    '</svg>'
  return `data:image/svg+xml,${encodeURIComponent(drawing)}`
}
