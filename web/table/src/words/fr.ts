import type * as en from './en'
import type { Who } from './en'

export const common: typeof en.common = {
  over: 'La partie est finie',
  yourTurn: 'Votre tour',
  yourCards: 'Vos cartes',
  yourHand: 'Votre main',
  theOthers: 'Les autres',
  actions: 'Actions',
  away: 'absent',
  backToTable: 'Retour à la table',
  watching: (status = '') => (status ? `Vous regardez. ${status}.` : 'Vous regardez la partie.'),
}

/** « Ann pioche », « Vous piochez ». */
export const does = (who: Who, vous: string, third: string) => (who === null ? `Vous ${vous}` : `${who} ${third}`)
/** The same to somebody, whom the verb has as its object: « Ann vole Ben », « Ann vous vole », « Vous volez Ben ». */
export const doesTo = (who: Who, vous: string, third: string, whom: Who) =>
  whom === null ? `${who} vous ${third}` : `${does(who, vous, third)} ${whom}`
/** « d'Ann », « de Ben ». */
export const of = (name: string) => (/^[aeiouœæ]/i.test(name.normalize('NFD')) ? `d'${name}` : `de ${name}`)

export const cards = (count: number) => (count < 2 ? `${count} carte` : `${count} cartes`)

/** Of a place, which is feminine. */
export const ordinal = (place: number) => (place === 1 ? '1re' : `${place}e`)

/** « Ann, Ben et Cléo ». */
export const list = (names: readonly string[]) => [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(' et ')

export const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

const RANKS: Record<string, string> = { J: 'Valet', Q: 'Dame', K: 'Roi', A: 'As', '★': 'Joker' }
const SUITS: Record<string, string> = { '♣': 'trèfle', '♦': 'carreau', '♥': 'cœur', '♠': 'pique' }
const ARTICLES: Record<string, string> = { A: "l'", Q: 'la ' }

const isJoker = (card: string) => card.startsWith('★')
const rank = (value: string) => RANKS[value] ?? value
const name = (card: string) => (isJoker(card) ? 'Joker' : `${rank(card.slice(0, -1))} de ${SUITS[card.slice(-1)]}`)

export const playingCards: typeof en.playingCards = {
  hidden: 'carte cachée',
  joker: 'JOKER',
  rank,
  name,
  the: (card) => (isJoker(card) ? 'un Joker' : `${ARTICLES[card[0]!] ?? 'le '}${name(card)}`),
  like: (card) => `${card.startsWith('Q') ? 'une' : 'un'} ${rank(card.slice(0, -1))}`,
}

export const parts: typeof en.parts = {
  secondsLeft: (seconds) => `encore ${seconds} ${seconds < 2 ? 'seconde' : 'secondes'}`,
  close: 'Fermer',
}
