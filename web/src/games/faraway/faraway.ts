import type { Score, View } from '../../protocol/faraway'
import { called, list, REGIONS, SANCTUARIES, signs, tally, type Card, type Counted } from './cards'

export const ROUNDS = 8

/** Without the word that tells a bot's name from a person's. */
export function plain(name: string): string {
  return name.replace(/^BOT /, '')
}

export function ordinal(place: number): string {
  const teens = place % 100 > 10 && place % 100 < 14
  return `${place}${teens ? 'th' : (['th', 'st', 'nd', 'rd'][place % 10] ?? 'th')}`
}

/** In whose hands the game is now. */
export function awaited(view: View): number[] {
  if (view.phase === 'end') return []
  return view.players.filter((seat) => (view.phase === 'play' ? !view.done[seat] : view.choosing[seat]))
}

/** How many clues somebody has in sight of the sanctuaries. */
export function clues(view: View, seat: number): number {
  const cards = [...view.rows[seat]!.map((card) => REGIONS[card]!), ...view.sanctuaries[seat]!.map((card) => SANCTUARIES[card]!)]
  return cards.filter((card) => card.clue).length
}

/** What follows at once from adding this region to the row. */
export function outlook(view: View, seat: number, card: number): string {
  const last = view.rows[seat]!.at(-1)
  if (last === undefined) return 'Low numbers are first in the shop'
  if (card < last) return `Lower than ${last}: no sanctuary`
  const offer = 1 + clues(view, seat) + (REGIONS[card]!.clue ? 1 : 0)
  return `Higher than ${last}: ${offer > 1 ? `1 of ${offer} sanctuaries` : 'a sanctuary'}`
}

/** One line of the way back. */
export interface Line {
  card: Card
  points: number
  total: number
  /** Why so many, or so few. */
  why: string
  /** Something was missed. */
  missed: boolean
}

export interface Walk {
  /** The regions, the last one first. */
  regions: Line[]
  sanctuaries: Line[]
  /** What is in sight at the start and after each region. */
  sight: ReadonlyMap<Counted, number>[]
  total: number
}

/** The way back of one player, explained. */
export function walk(kept: readonly number[], score: Score): Walk {
  const sanctuaries = kept.map((card) => SANCTUARIES[card]!)
  const sight = [withSets(tally<Counted>(sanctuaries.flatMap(signs))), ...score.walk.map((step) => new Map(Object.entries(step.shown) as [Counted, number][]))]
  const all = sight.at(-1)!
  let total = 0
  const line = (card: Card, points: number, seen: ReadonlyMap<Counted, number>): Line => {
    total += points
    const [why, missed] = reason(card, points, seen, all)
    return { card, points, total, why, missed }
  }
  return {
    regions: score.walk.map((step, i) => line(REGIONS[step.card]!, step.points, sight[i + 1]!)),
    sanctuaries: sanctuaries.map((card, i) => line(card, score.sanctuaries[i]!, all)),
    sight,
    total: score.total,
  }
}

function withSets(counts: Map<Counted, number>): Map<Counted, number> {
  const least = (...many: Counted[]) => Math.min(...many.map((one) => counts.get(one) ?? 0))
  return counts.set('wonder_set', least('stone', 'chimera', 'thistle')).set('color_set', least('red', 'green', 'blue', 'yellow'))
}

type Sight = ReadonlyMap<Counted, number>

function reason(card: Card, points: number, seen: Sight, all: Sight): [why: string, missed: boolean] {
  const count = (sight: Sight, what: Counted) => sight.get(what) ?? 0
  if (!card.fame) return ['No fame of its own; it helps the others.', false]
  const lacking = [...tally(card.quest)].filter(([what, need]) => count(seen, what) < need)
  if (lacking.length) {
    const short = list(lacking.map(([what, need]) => `${called(what, need).replace(/^(?=\D)/, '1 ')} (${count(seen, what) || 'none'} in sight)`))
    const toTheLeft = lacking.every(([what, need]) => count(all, what) >= need)
    return [`Quest failed: it needs ${short}.${toTheLeft ? ' What is missing lies to its left, where it sees nothing.' : ''}`, true]
  }
  const quest = card.quest.length ? 'Quest fulfilled. ' : ''
  const { per, points: each } = card.fame
  if (!per.length) return [`${quest}${each} points.`, false]
  const found = per.reduce((sum, what) => sum + count(seen, what), 0)
  const hidden = per.reduce((sum, what) => sum + count(all, what), 0) - found
  const what = list(per.map((one) => called(one, 2).slice(2))).replaceAll(/ cards (?=and)/g, ' ')
  const more = hidden > 0 ? ` ${hidden} more to its left ${hidden === 1 ? 'does' : 'do'} not count.` : ''
  return [`${quest}${each} × ${found} ${found === 1 && per.length === 1 ? called(per[0]!) : what} = ${points}.${more}`, found === 0]
}
