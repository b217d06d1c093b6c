import { Lost, Refused } from '@croupier/client'
import { t } from '../words'

/** What to tell people about an error. */
export function sentence(error: unknown): string {
  const text = error instanceof Lost ? t.connectionLost : error instanceof Error ? error.message : String(error)
  const first = text.slice(0, 1).toUpperCase() + text.slice(1)
  return /[.!?…]$/.test(first) ? first : `${first}.`
}

/** The code of a refusal; empty for any other error. */
export function code(error: unknown): string {
  return error instanceof Refused ? error.code : ''
}
