import { language } from '../../../lib/language'
import type { en } from './en'

export const t: typeof en = language === 'fr' ? (await import('./fr')).fr : (await import('./en')).en
