/** Everything that the frame around the games says. Each game has its own, in its folder. */
import { language } from '@croupier/table'
import type { en } from './frame/en'

export const t: typeof en = language === 'fr' ? (await import('./frame/fr')).fr : (await import('./frame/en')).en
