/** What the parts of the library say, and what playing cards are called. All languages are here: it is little. */
import { language } from '../language'
import { parts as en, playingCards as enCards } from './en'
import { parts as fr, playingCards as frCards } from './fr'

export const t: typeof en = language === 'fr' ? fr : en
export const cardWords: typeof enCards = language === 'fr' ? frCards : enCards
