import { cards, common, does, ordinal, playingCards as names } from '@croupier/table/words/fr'
import type { en } from './en'

function demand(rank?: string): string {
  if (rank === undefined) return 'Tout est permis'
  if (rank === '7') return '7 ou moins'
  return rank === 'A' ? 'Un As' : `${names.rank(rank)} ou plus`
}

export const fr: typeof en = {
  leaving: 'Un robot continue avec vos cartes. Tant que la partie dure, vous pouvez revenir et reprendre votre place.',
  ...common,
  out: (place) => `Vous avez fini : ${ordinal(place)} place !`,
  place: ordinal,

  chooseThree: 'Trois cartes à poser face visible',
  choosesThree: (name) => `${name} choisit trois cartes`,
  isToPlay: (name) => `À ${name} de jouer`,
  botPlays: 'Un robot joue à votre place',
  turnToFlip: 'Votre tour : retourner une carte cachée',
  stuck: 'Rien ne va : ramasser la pile avec une carte',
  turnToPlay: (rank) => `Votre tour : ${demand(rank).replace(/^[TU]/, (first) => first.toLowerCase())}`,

  layOpen: 'Poser ces cartes',
  chooseMore: (count) => `Encore ${count} à choisir`,
  flip: 'En retourner une',
  flipThis: 'Retourner une carte cachée',
  allAlike: (count) => `Les ${count}`,
  chooseCard: 'Choisir une carte',
  takePile: 'Ramasser la pile',
  play: (count, rank) => (count === 1 ? `Jouer ${rank}` : `Jouer ${count} × ${rank}`),

  demand,
  besides: 'ou 2, 4, 10',
  pile: (count) => `Pile : ${cards(count)}`,
  onPile: (count) => `Pile de ${count}`,
  pileBurned: 'La pile a brûlé',
  tookPile: (who, count) => `${does(who, 'ramassez', 'ramasse')} ${count}`,
  lastPlays: 'Les derniers coups',
  burnsIt: 'La pile a brûlé',
  takesIt: 'A ramassé la pile',
  foursTransparent: 'Les 4 sont transparents',
  cardsBurned: (count) => (count < 2 ? `${count} carte brûlée` : `${count} cartes brûlées`),
  burned: (count) => (count < 2 ? 'brûlée' : 'brûlées'),

  howItEnded: 'Comment la partie a fini',
  you: 'Vous',
  leftWith: (who, count) => `Il ${who === null ? 'vous reste' : 'reste'} ${cards(count)}${who === null ? '' : ` à ${who}`}.`,
  inTheHand: 'En main',
  lyingOpen: 'Visibles',
  lyingHidden: 'Cachées',
  largestPile: (who, count) => `La plus grande pile, de ${cards(count)}, est allée à ${who ?? 'vous'}.`,
  deeds: (piles, taken, burned) =>
    [
      piles ? `pile ramassée ${piles} fois, ${cards(taken)} en tout` : 'pile jamais ramassée',
      ...(burned ? [`brûlée ${burned} fois`] : []),
    ].join(' ; '),

  isOut: 'a fini',
  inHand: (count) => `${count} en main`,
}
