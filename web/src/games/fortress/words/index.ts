import { language } from '@croupier/table'
import type { en } from './en'

/** What a card says in another language than the rules', text by text. */
interface Print {
  name: string
  texts: string[]
}

export const t: typeof en = language === 'fr' ? (await import('./fr')).fr : (await import('./en')).en

/** Cards by their numbers, and starter decks by their names; undefined in English, as the rules have them. */
export const printed: { cards: Record<number, Print>; starters: Record<string, string> } | undefined =
  language === 'fr' ? (await import('./cards.fr.json')).default : undefined
