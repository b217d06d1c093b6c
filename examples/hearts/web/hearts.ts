import type { Table } from '@croupier/table'

/** What the server says of a game: see state.py and events.py. */
export interface Trick {
  leader: number
  cards: readonly string[]
  winner: number
}

export interface View {
  seat: number | null
  phase: 'pass' | 'play' | 'score' | 'over'
  number: number
  direction: 'left' | 'right' | 'across' | 'hold'
  hand: readonly string[]
  given: readonly string[]
  received: readonly string[]
  chosen: readonly boolean[]
  held: readonly number[]
  leader: number
  trick: readonly string[]
  last: Trick | null
  tricks: readonly number[]
  taken: readonly (readonly string[])[]
  mover: number | null
  broken: boolean
  scores: readonly number[]
  history: readonly (readonly number[])[]
  limit: number
  open_hands?: readonly (readonly string[])[]
}

export type Move = { move: 'pass'; cards: readonly string[] } | { move: 'play'; card: string }

export type Event =
  | { event: 'dealt' | 'begun' | 'passed' }
  | { event: 'received'; seat: number; giver: number; cards: readonly string[] }
  | { event: 'played'; seat: number; card: string; breaks: boolean }
  | { event: 'took_trick'; seat: number; points: number }
  | { event: 'scored'; points: readonly number[]; shooter?: number | null }

export type HeartsTable = Table<View, Move, Event>

export const SEATS = 4

/** Where somebody sits as we see it: 0 is our own place, then clockwise. A spectator sits with the first player. */
export const place = (seat: number, own: number | null) => (seat - (own ?? 0) + SEATS) % SEATS

const STEPS = { left: 1, right: 3, across: 2, hold: 0 }

/** To whom the cards of a seat go. */
export const receiver = (seat: number, direction: View['direction']) => (seat + STEPS[direction]) % SEATS

export const points = (card: string) => (card === 'Q♠' ? 13 : card.endsWith('♥') ? 1 : 0)
export const worth = (cards: readonly string[]) => cards.reduce((sum, card) => sum + points(card), 0)
