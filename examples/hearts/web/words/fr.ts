import { capital, cards, common, does, of, playingCards } from '@croupier/table/words/fr'
import type { en } from './en'

const SUITS: Record<string, string> = { '♣': 'trèfle', '♦': 'carreau', '♥': 'cœur', '♠': 'pique' }
const pts = (count: number) => (count < 2 ? `${count} point` : `${count} points`)

export const fr: typeof en = {
  ...common,
  leaving: 'Un robot continue avec vos cartes. Tant que la partie dure, vous pouvez revenir et reprendre votre place.',
  heldCards: cards,
  points: pts,
  handPoints: (count) => `${pts(count)} dans cette donne`,
  total: (count) => `${pts(count)} en tout`,
  hand: (number, limit) => `Donne ${number}, jusqu'à ${limit}`,

  passTo: (name) => `Trois cartes à choisir pour ${name}`,
  passes: 'Les autres choisissent',
  waitsFor: (name) => `À ${name} de jouer`,
  leadAny: 'À vous d’entamer',
  leadTwo: 'Entamez du deux de trèfle',
  noHearts: 'À vous d’entamer : pas encore de cœur',
  follow: (suit) => `Fournir à ${SUITS[suit]}`,
  discard: 'Rien à fournir : carte au choix',
  noPoints: 'Carte au choix, sans points au premier pli',
  chooseMore: (count) => (count === 3 ? 'Choisir trois cartes' : `Encore ${count}`),
  pass: (name) => `Passer à ${name}`,
  play: (card) => `Jouer ${card}`,
  chooseCard: 'Choisir une carte',
  goOn: 'Donne suivante',
  chosen: 'a choisi',
  choosing: 'choisit',

  trick: 'Le pli',
  takes: (who, count) => `${does(who, 'prenez', 'prend')} le pli${count ? ` : ${pts(count)}` : ''}`,
  got: (name) => `${capital(of(name))} :`,
  broken: 'Le cœur est ouvert',
  unbroken: "Le cœur n'est pas ouvert",
  passing: { left: 'On passe à gauche', right: 'On passe à droite', across: 'On passe en face', hold: 'On ne passe rien' },
  taken: (who, list) => `${who === null ? 'Vos points' : `Points ${of(who)}`} : ${list.map(playingCards.name).join(', ')}`,

  sheet: 'Points',
  handShort: 'Donne',
  sum: 'Total',
  moon: (who) => `${does(who, 'avez', 'a')} fait le grand chelem !`,
  moonMeans: (who) => `Les 26 points sont allés à ${who ?? 'vous'}, et tous les autres en reçoivent 26.`,
  you: 'Vous',
  limit: (limit) => (limit === 1 ? 'Une seule donne décide.' : `La partie finit à ${limit} points ; le moins de points gagne.`),
}
