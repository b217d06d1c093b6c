import type { Replay as Part } from '@croupier/table/native'
import type { Event, View } from '../../protocol/palace'

/** What somebody did in a game that counted. */
export interface Deeds {
  /** How often they took the pile, and how many cards that were. */
  piles: number
  taken: number
  burned: number
}

export interface Story {
  deeds: Deeds[]
  /** The largest pile that anybody had to take. */
  largest?: { seat: number; count: number }
  /** The table at the end, with nothing hidden. */
  open?: View
}

/** With more players nobody wants to read what each of them did, and there is a lot of it. */
export const MOST_TOLD = 12

/** What happened in a game that is over, out of what the server has written down of it. */
export async function story(table: string, game: number, seats: number): Promise<Story> {
  const source = `/api/tables/${encodeURIComponent(table)}/games/${game}`
  const { log } = await get<{ log: { events: Event[] }[] }>(`${source}/record`)
  // Whatever has events is a step, and the deal is one: the last is among the few from there on.
  const moves = log.filter((line) => line.events.length)
  const { steps } = await get<Part>(`${source}?open=1&first=${moves.length}`)
  return { ...tell(moves.flatMap((line) => line.events), seats), open: steps.at(-1)?.view as View | undefined }
}

function tell(events: readonly Event[], seats: number): Story {
  const told: Story = { deeds: Array.from({ length: seats }, () => ({ piles: 0, taken: 0, burned: 0 })) }
  for (const event of events) {
    if (event.event === 'burned') told.deeds[event.seat]!.burned++
    if (event.event !== 'picked_up') continue
    const deeds = told.deeds[event.seat]!
    deeds.piles++
    deeds.taken += event.count
    if (event.count > (told.largest?.count ?? 0)) told.largest = event
  }
  return told
}

async function get<T>(address: string): Promise<T> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(response.statusText)
  return (await response.json()) as T
}
