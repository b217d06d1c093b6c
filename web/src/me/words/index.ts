import { language } from '@croupier/table'
import type { en } from './en'

export const t: typeof en = language === 'fr' ? (await import('./fr')).fr : (await import('./en')).en
