import { rank, rankName } from '../../cards/suits'
import type { Event, Move, View } from '../../protocol/palace'

/** The card that a play is compared with: the topmost, but for Fours. Its index in the pile; -1 when anything goes. */
export function counts(pile: readonly string[]): number {
  return pile.findLastIndex((card) => rank(card) !== '4')
}

/** What may be played, in words; and what else always may. */
export function demand(view: View): [what: string, besides: string] {
  const top = view.pile[counts(view.pile)]
  const value = top && rank(top)
  if (!value || value === '2' || value === '3') return ['Anything goes', '']
  if (value === '7') return ['7 or lower', '']
  return [value === 'A' ? 'An Ace' : `${rankName(value)} or higher`, 'or 2, 4, 10']
}

/** Whether so many cards of a rank are among the moves. */
export function offered(moves: readonly Move[], cards: readonly string[]): boolean {
  return moves.some(
    (move) => move.move === 'play' && move.cards.length === cards.length && (!cards.length || rank(move.cards[0]!) === rank(cards[0]!)),
  )
}

/** What became of the pile with the latest move, when it is no longer there. */
export function fate(events: readonly Event[]): { what: 'burned' | 'taken'; seat: number; count: number } | undefined {
  for (const event of events) {
    if (event.event === 'burned') return { what: 'burned', seat: event.seat, count: event.count }
    if (event.event === 'picked_up') return { what: 'taken', seat: event.seat, count: event.count }
  }
  return undefined
}

export function ordinal(place: number): string {
  const teens = place % 100 > 10 && place % 100 < 14
  return `${place}${teens ? 'th' : (['th', 'st', 'nd', 'rd'][place % 10] ?? 'th')}`
}
