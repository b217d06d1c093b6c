/** What is behind a card's sign: a piece of country drawn from the card's number, so that no two look alike. */
import type { Card, Kind } from './cards'

/** A part of a picture of 90 by 74, painted over the parts before it. */
export interface Part {
  d: string
  fill: string
  opacity?: number
}

/** Sky, light, what is far and what is near. */
const PALETTES: Record<Kind, readonly (readonly [sky: string, light: string, far: string, near: string])[]> = {
  soldier: [
    ['#d9774a', '#f6c177', '#8c3524', '#541d14'],
    ['#c8553d', '#f2a65a', '#7a2a2a', '#45161a'],
    ['#d8965a', '#fbe0a0', '#8f4a2a', '#542515'],
  ],
  mage: [
    ['#33348f', '#8f8bea', '#232266', '#141340'],
    ['#41318f', '#b48cf0', '#2c1f66', '#1a1140'],
    ['#23478f', '#7fb2ef', '#182f66', '#0e1c42'],
  ],
  trickster: [
    ['#2f8561', '#a7e0b9', '#1a5a41', '#0d3627'],
    ['#3a7f6b', '#bfe6d0', '#1f574a', '#0f352d'],
    ['#4c8a4a', '#d3e8a4', '#2a5a30', '#17371c'],
  ],
  decree: [
    ['#a8741c', '#f3d68b', '#7c520d', '#513506'],
    ['#9c6a22', '#f0cf9a', '#704a15', '#4a2f0a'],
  ],
  castle: [
    ['#6c8798', '#dfe9ec', '#4a6170', '#2d3d48'],
    ['#7a8a94', '#f1e4c6', '#52606a', '#333e47'],
  ],
}

/** The same numbers for the same card, at all times. */
function numbers(seed: number): () => number {
  let state = seed * 2654435761 + 97
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 3266489917) | 0
    return ((state >>> 8) & 0xffff) / 0x10000
  }
}

const disc = (x: number, y: number, r: number) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`
const whole = (number: number) => Math.round(number)

function hills(next: () => number, height: number): string {
  const [a, b, c] = [next(), next(), next()].map((part) => whole(height + part * 14 - 7))
  return `M0 ${b}Q14 ${a! - 8} 30 ${b}T60 ${c}T90 ${a}V74H0z`
}

/** Beams from the middle, to the edges and beyond. */
function beams(count: number, turn: number): string {
  return Array.from({ length: count }, (_, i) => {
    const at = (part: number) => {
      const angle = ((i + part) / count) * 2 * Math.PI + turn
      return `${whole(45 + 70 * Math.cos(angle))} ${whole(37 + 70 * Math.sin(angle))}`
    }
    return `M45 37L${at(0)}L${at(0.5)}z`
  }).join('')
}

const FOREGROUNDS: Record<Kind, (next: () => number) => string> = {
  // Spears and pennants of an army on its way.
  soldier: (next) =>
    Array.from({ length: 7 }, (_, i) => {
      const x = whole(4 + i * 13 + next() * 6)
      const top = whole(40 + next() * 12)
      return `M${x} 74V${top}l1-4 1 4V74z${next() < 0.45 ? `M${x + 2} ${top + 1}l8 3-8 3z` : ''}`
    }).join(''),
  // Stars.
  mage: (next) =>
    Array.from({ length: 12 }, () => {
      const [x, y, r] = [whole(3 + next() * 84), whole(3 + next() * 40), 1 + next() * 1.6]
      return `M${x} ${y}l${r / 2} ${r}l${r} ${r / 2}l${-r} ${r / 2}l${-r / 2} ${r}l${-r / 2} ${-r}l${-r} ${-r / 2}l${r} ${-r / 2}z`
    }).join(''),
  // A wood to hide in.
  trickster: (next) =>
    Array.from({ length: 8 }, (_, i) => {
      const x = whole(-4 + i * 13 + next() * 7)
      const top = whole(22 + next() * 22 + (i > 2 && i < 5 ? 16 : 0))
      return `M${x} 74L${x + 8} ${top}L${x + 16} 74z`
    }).join(''),
  // Rolled at both ends.
  decree: () => 'M0 68h90v6H0zM0 0h90v5H0z',
  castle: (next) => `M0 74V${whole(62 + next() * 5)}Q45 ${whole(52 + next() * 8)} 90 64V74z`,
}

export function scene(card: Card): Part[] {
  const next = numbers(card.id + 1)
  const palettes = PALETTES[card.kind]
  const [sky, light, far, near] = palettes[card.id % palettes.length]!
  const sun = { x: whole(20 + next() * 50), y: whole(16 + next() * 14) }
  const radiant = card.kind === 'mage' || card.kind === 'decree'
  return [
    { d: 'M0 0h90v74H0z', fill: sky },
    radiant ? { d: beams(card.kind === 'mage' ? 8 : 12, next()), fill: light, opacity: 0.22 } : { d: 'M0 30Q45 20 90 32V74H0z', fill: light, opacity: 0.3 },
    { d: radiant ? disc(45, 37, 31) : disc(sun.x, sun.y, 11), fill: light, opacity: radiant ? 0.3 : 0.85 },
    ...(card.kind === 'decree' ? [] : [{ d: hills(next, 52), fill: far }]),
    { d: FOREGROUNDS[card.kind](next), fill: card.kind === 'mage' ? '#fff' : near },
    ...(card.kind === 'mage' ? [{ d: hills(next, 64), fill: near }] : []),
  ]
}
