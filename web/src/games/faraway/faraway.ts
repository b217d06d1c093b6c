import type { Score, View } from '../../protocol/faraway'
import { REGIONS, SANCTUARIES, signs, tally, type Card, type Counted } from './cards'
import { t } from './words'

export const ROUNDS = 8

/** How many clues somebody has in sight of the sanctuaries. */
export function clues(view: View, seat: number): number {
  const cards = [...view.rows[seat]!.map((card) => REGIONS[card]!), ...view.sanctuaries[seat]!.map((card) => SANCTUARIES[card]!)]
  return cards.filter((card) => card.clue).length
}

/** What follows at once from adding this region to the row. */
export function outlook(view: View, seat: number, card: number): string {
  const last = view.rows[seat]!.at(-1)
  if (last === undefined) return t.firstOutlook
  if (card < last) return t.lower(last)
  return t.higher(last, 1 + clues(view, seat) + (REGIONS[card]!.clue ? 1 : 0))
}

/** Why it ended as it did, in a few sentences: who won, by how much, and with what. */
export function verdict(view: View, name: (seat: number) => string): string[] {
  const [first, second] = view.ranking
  if (!first) return []
  const who = (seat: number) => (seat === view.seat ? null : name(seat))
  const score = view.scores[first.seat]!
  const best = score.walk.reduce((best, step) => (step.points > best.points ? step : best), { card: 0, points: 0 })
  const decisive = best.points ? [t.decisive(best.card, best.points, score.sanctuaries.reduce((sum, one) => sum + one, 0))] : []
  if (!second) return [view.reason === 'forfeit' ? t.lastLeft(who(first.seat)) : t.alone(first.total), ...decisive]
  if (view.winners.length > 1) return [t.shared(view.winners.map(who), first.total)]
  if (first.total === second.total) return [t.tied(who(first.seat), first.total, first.lowest!), ...decisive]
  return [t.wonBy(who(first.seat), first.total - second.total), ...decisive]
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
  /** Its quest was. */
  failed: boolean
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
    return { card, points, total, ...reason(card, points, seen, all) }
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

function reason(card: Card, points: number, seen: Sight, all: Sight): Pick<Line, 'why' | 'missed' | 'failed'> {
  const count = (sight: Sight, what: Counted) => sight.get(what) ?? 0
  if (!card.fame) return { why: t.noFame, missed: false, failed: false }
  const lacking = [...tally(card.quest)].map(([what, need]) => ({ what, need, seen: count(seen, what) })).filter(({ need, seen }) => seen < need)
  if (lacking.length) {
    const toTheLeft = lacking.every(({ what, need }) => count(all, what) >= need)
    return { why: t.questFailed(lacking, toTheLeft), missed: true, failed: true }
  }
  const quest = card.quest.length > 0
  const { per, points: each } = card.fame
  if (!per.length) return { why: t.flat(quest, each), missed: false, failed: false }
  const found = per.reduce((sum, what) => sum + count(seen, what), 0)
  const hidden = per.reduce((sum, what) => sum + count(all, what), 0) - found
  return { why: t.counted({ quest, per, each, found, points, hidden }), missed: found === 0, failed: false }
}

/** For each wonder of a region's quest, whether it is in sight by now: in the region itself, after it, or in the sanctuaries. */
export function met(row: readonly number[], kept: readonly number[], at: number): boolean[] {
  const seen = tally<Counted>(inSight(row, kept, at))
  return REGIONS[row[at]!]!.quest.map((wonder, i, quest) => quest.slice(0, i + 1).filter((one) => one === wonder).length <= (seen.get(wonder) ?? 0))
}

function inSight(row: readonly number[], kept: readonly number[], at: number): Counted[] {
  return [...row.slice(at).map((card) => REGIONS[card]!), ...kept.map((card) => SANCTUARIES[card]!)].flatMap(signs)
}

/** What a journey would be worth if this were its end. */
export function soFar(row: readonly number[], kept: readonly number[]): number {
  const sight = (at: number) => withSets(tally(inSight(row, kept, at)))
  return (
    row.reduce((sum, card, i) => sum + worth(REGIONS[card]!, sight(i)), 0) +
    kept.reduce((sum, card) => sum + worth(SANCTUARIES[card]!, sight(0)), 0)
  )
}

function worth({ quest, fame }: Card, sight: Sight): number {
  if (!fame || [...tally(quest)].some(([what, need]) => (sight.get(what) ?? 0) < need)) return 0
  return fame.per.length ? fame.points * fame.per.reduce((sum, what) => sum + (sight.get(what) ?? 0), 0) : fame.points
}
