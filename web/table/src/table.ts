import type { Clock, Form, Player, Result } from './protocol/native'

/** A clock, and when it began, so that its hand can be drawn. */
export interface Running extends Clock {
  since: number
}

/** A table as a page sees it: from one seat, or from nobody's. What is read from it is how things are now; in a component all of
 * it is reactive. What has not changed stays the same value. */
export interface Table<View = unknown, Move = unknown, Event = unknown> {
  readonly id: string
  /** Which of the table's games this is, counted from 1. */
  readonly number: number
  /** From where the table is seen; null for a spectator. */
  readonly seat: number | null
  /** All that may be known from there. */
  readonly view: View
  /** What the latest move that was shown has brought, for what moves on the page; another list for every move. Empty at first. */
  readonly events: readonly Event[]
  /** The same of each move since the page was last drawn: there may be several. None where nobody has seen how things came to be as
   * they are: after a reload, or a leap in a replay. A game that begins is a list without events, if it has none for that. */
  readonly moments: readonly (readonly Event[])[]
  /** What we may do now. */
  readonly moves: readonly Move[]
  /** What else we may do, too much to list: moves to be filled in. */
  readonly forms: readonly Form[]
  /** The seats that the game waits for. */
  readonly waitingFor: readonly number[]
  /** Whether it waits for us. (We may have moves out of turn, too: nobody is in a hurry then.) */
  readonly awaited: boolean
  /** Every wait that time will end. `now()` tells the time that they count in. */
  readonly clocks: readonly Running[]
  /** Who sits here. People who have left may still be in the game: ask for a `player` by seat. */
  readonly players: readonly Player[]
  /** Where the host sits. */
  readonly hostSeat: number | null
  /** What the host has chosen. */
  readonly options: Readonly<Record<string, unknown>>
  /** How it ended, as soon as it has. */
  readonly result: Result | null
  /** A request of ours is on its way: nothing should be pressed twice. */
  readonly busy: boolean
  /** It is only watched again: nothing can be done, and nobody is there. */
  readonly replayed: boolean
  /** How slowly this person wants to be shown what others do: 1 is for watching, 0 shows everything at once. */
  readonly pace: number

  /** Somebody who plays, there or not. */
  player(seat: number): Player
  /** What they are called. */
  name(seat: number): string
  /** The clock that runs for a seat. */
  clockOf(seat: number): Running | undefined
  /** Make a move. Resolves to whether it was made; if not, the frame has said why. */
  play(move: Move): Promise<boolean>
  /** As the host: throw somebody out. */
  kick(seat: number): Promise<boolean>
  /** Look at nothing any longer: end the clocks that only give people time to see something. */
  proceed(): Promise<boolean>
}

/** What is handed to a page that lives in a file of its own, whatever it is made with. */
export interface Handle<View = unknown, Move = unknown, Event = unknown> extends Table<View, Move, Event> {
  /** Be called whenever anything of it has changed. Returns what ends that. */
  subscribe(changed: () => void): () => void
  /** Of the page around us: a code, as in `lang`. */
  readonly language: string
  /** Whether this person wants things to stay where they are. */
  readonly reducedMotion: boolean
  /** The server's time, in milliseconds. */
  now(): number
  /** The page can't go on. The frame puts the plain one in its place. */
  fail(error: unknown): void
}

/** A turn as the log tells it: somebody's, or everybody's at once. */
export interface Turn {
  seat: number | null
  /** Where it is nobody's own: the number of the round. */
  round?: number
}

/** What happens at tables, by ear; what comes later drowns what comes before it. */
export const HEARD = ['card', 'draw', 'flip', 'sweep', 'coins', 'magic', 'call', 'snap', 'wrong', 'fire', 'blow'] as const
export type Heard = (typeof HEARD)[number]

/** How a game wants its log to be told. */
export interface Telling<View = never, Event = never> {
  /** Whose turn it is. */
  turn(view: View): Turn
  /** Who lets something pass in this event, and does nothing more; the first events of a move may be such. */
  passes?(event: Event): number | null
  /** What this event sounds like; null for nothing. Of a move the strongest is heard. Without this, every move is a card. */
  heard?(event: Event): Heard | null
  /** Whether that seat is out of the game and only looks on. */
  out?(view: View, seat: number): boolean
}

export interface MountedPage {
  destroy(): void
}

type Mount = (target: HTMLElement, table: Handle<any, any, any>) => MountedPage

/** The page of a game: the default export of its `page.js`. */
export interface Page {
  /** Draw the table into an element that is empty and ours until `destroy`. */
  mount: Mount
  log?: Telling<any, any>
  /** What it means to leave a running game. */
  leaving?: string
  /** Explains a result, below the placings: the view is that of the game that is over. */
  ending?: { mount: Mount }
}
