import { language } from '@croupier/table'
import { en } from './en'
import { fr } from './fr'

export const t: typeof en = language === 'fr' ? fr : en
