import { fr as names } from '../../../cards/words/fr'
import { cards, common, does, ordinal } from '../../../words/fr'
import type { en } from './en'

function demand(rank?: string): string {
  if (rank === undefined) return 'Tout est permis'
  if (rank === '7') return '7 ou moins'
  return rank === 'A' ? 'Un As' : `${names.rank(rank)} ou plus`
}

export const fr: typeof en = {
  ...common,
  out: (place) => `Vous avez fini : ${ordinal(place)} place !`,
  place: ordinal,

  chooseThree: 'Trois cartes à poser face visible',
  choosesThree: (name = 'Un robot') => `${name} choisit trois cartes`,
  isToPlay: (name = 'un robot') => `À ${name} de jouer`,
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
  foursTransparent: 'Les 4 sont transparents',
  cardsBurned: (count) => (count < 2 ? `${count} carte brûlée` : `${count} cartes brûlées`),
  burned: (count) => (count < 2 ? 'brûlée' : 'brûlées'),

  isOut: 'a fini',
  inHand: (count) => ['', `${count}`, ' en main'],
  awayInHand: (count) => `absent · ${count} en main`,
}
