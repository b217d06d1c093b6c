import { rank } from '@croupier/table'
import type { Event, Move, View } from '../../protocol/palace'

/** The card that a play is compared with: the topmost, but for Fours. Its index in the pile; -1 when anything goes. */
export function counts(pile: readonly string[]): number {
  return pile.findLastIndex((card) => rank(card) !== '4')
}

/** The rank that a play has to go with; undefined when anything goes. */
export function demanding(view: View): string | undefined {
  const top = view.pile[counts(view.pile)]
  const value = top && rank(top)
  return value === '2' || value === '3' ? undefined : value
}

/** Whether so many cards of a rank are among the moves. */
export function offered(moves: readonly Move[], cards: readonly string[]): boolean {
  return moves.some(
    (move) => move.move === 'play' && move.cards.length === cards.length && (!cards.length || rank(move.cards[0]!) === rank(cards[0]!)),
  )
}

/** Whether these three may be laid open: any may, but where a lesson asks for some. */
export function choosable(moves: readonly Move[], cards: readonly string[]): boolean {
  return moves.some((move) => move.move === 'choose' && [...move.cards].sort().join() === [...cards].sort().join())
}

/** What became of the pile with the latest move, when it is no longer there. */
export function fate(events: readonly Event[]): { what: 'burned' | 'taken'; seat: number; count: number } | undefined {
  for (const event of events) {
    if (event.event === 'burned') return { what: 'burned', seat: event.seat, count: event.count }
    if (event.event === 'picked_up') return { what: 'taken', seat: event.seat, count: event.count }
  }
  return undefined
}

/** A name without the sign that it is a bot's: pictures have one, too. */
export const plain = (name: string) => name.replace(/^BOT /, '')
