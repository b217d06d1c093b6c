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

/** One play, and what it did to the pile. */
export interface Laid {
  seat: number
  cards: readonly string[]
  end?: 'burned' | 'taken'
}

/** How the pile came about: the latest plays that we have seen, the last one last. */
export interface Course {
  pile: readonly string[]
  plays: readonly Laid[]
}

export const NO_COURSE: Course = { pile: [], plays: [] }
const REMEMBERED = 3

/** The same after the latest events. Where they do not lead from the one pile to the other, as after a leap through a replay,
 * nobody knows what came before them. */
export function follow({ pile: before, plays }: Course, pile: readonly string[], events: readonly Event[]): Course {
  let play: Laid | undefined
  for (const event of events) {
    if (event.event === 'played') play = { seat: event.seat, cards: event.cards }
    else if (event.event === 'flipped') play = { seat: event.seat, cards: [event.card] }
    else if (play && event.event === 'burned') play.end = 'burned'
    else if (play && event.event === 'picked_up') play.end = 'taken'
  }
  const after = [...before, ...(play?.cards ?? [])]
  const led = play?.end ? !pile.length && events.some((event) => 'count' in event && event.count === after.length) : `${after}` === `${pile}`
  return { pile, plays: [...(led ? plays : []), ...(play ? [play] : [])].slice(-REMEMBERED) }
}
