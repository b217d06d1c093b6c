import { language } from '@croupier/table'
import type { Field } from '@croupier/table/native'

const layouts = new Map<string, Promise<readonly Field[]>>()

/** What the views of a game consist of that has no page; see `generic/`. */
export function layout(game: string): Promise<readonly Field[]> {
  const asked = layouts.get(game) ?? fetchLayout(game)
  layouts.set(game, asked)
  asked.catch(() => layouts.delete(game))
  return asked
}

async function fetchLayout(game: string): Promise<readonly Field[]> {
  const response = await fetch(`/api/games/${encodeURIComponent(game)}/layout?language=${language}`)
  if (!response.ok) throw new Error(response.statusText)
  return (await response.json()) as Field[]
}
