import { lobby } from '../lobby/fr'
import { table } from '../table/fr'
import type { en } from './en'

export const fr: typeof en = {
  connecting: 'Connexion…',
  language: 'Langue',
  nothingHere: "Il n'y a rien ici",
  nothingHereWhy: "L'adresse est peut-être mal écrite ou incomplète. Toutes les tables se trouvent à l'accueil.",
  toLobby: "Vers l'accueil",
  toTable: 'Vers la table',
  table: 'Table',
  game: 'Jeu',
  rules: 'Règles',
  password: 'Mot de passe',
  takeSeat: 'Prendre place',
  watch: 'Regarder',
  watchAgain: 'Revoir la partie',
  close: 'Fermer',
  spectator: 'Un spectateur',
  seat: (number) => `Place ${number}`,
  seatsTaken: (taken, seats) => `${taken} ${taken < 2 ? 'place prise' : 'places prises'} sur ${seats}`,
  watching: (count) => (count < 2 ? `${count} personne regarde` : `${count} personnes regardent`),
  watchers: (count) => `${count} ${count < 2 ? 'spectateur' : 'spectateurs'}`,
  pageNotLoaded: "La page de ce jeu n'a pas pu être chargée.",
  pageFailed: 'La page de ce jeu est tombée en panne.',
  plainInstead: 'Voici la page simple.',
  tryAgain: 'Réessayer',
  install: "Installer l'appli Croupier",

  unreachable: 'Le serveur ne répond pas. Nouvel essai…',
  offline: 'Hors ligne. Tout reviendra avec le réseau.',
  noConnection: "il n'y a pas de connexion au serveur pour l'instant",
  connectionLost: "la connexion s'est coupée avant la réponse du serveur",
  noAnswer: "le serveur n'a pas de réponse à cela",

  makeASound: 'Faire un bruit',
  everybodyHears: "Toute la table l'entend.",
  sounds: {
    airhorn: 'Corne',
    applause: 'Bravos',
    coins: 'Pièces',
    crickets: 'Grillons',
    drumroll: 'Tambour',
    gasp: 'Stupeur',
    liar: 'Menteur !',
    sadTrombone: 'Trombone triste',
  },

  ...lobby,
  ...table,
}
