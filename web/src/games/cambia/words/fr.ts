import type { Who } from '@croupier/table/words/en'
import { capital, common, does, of, playingCards as names } from '@croupier/table/words/fr'
import type { Place, Verb } from '../cambia'
import type { Mark } from '../fleeting.svelte'
import type { en } from './en'

const VERBS: Record<Verb, string> = {
  snap: 'Claquer',
  give: 'Donner',
  replace: 'Remplacer',
  choose: 'Choisir',
  look: 'Regarder',
  lift: 'Soulever',
}
const MARKS: Record<Mark, string> = { looked: 'regardée', swapped: 'échangée', new: 'nouvelle' }

/** Where a card lies: « votre carte 2 », « la carte 1 d'Ann ». */
const at = ({ owner, number }: Place) => (owner === null ? `votre carte ${number}` : `la carte ${number} ${of(owner)}`)
/** The same, where somebody does something with it: « sa carte 1 », if it is their own. */
const by = (who: Who, place: Place | null) => (place === null ? 'une carte' : who !== null && place.owner === who ? `sa carte ${place.number}` : at(place))
const seen = (face?: string, mark?: Mark) => [face && names.name(face), mark && MARKS[mark]].filter(Boolean).map((one) => `, ${one}`).join('')
const both = (faces: readonly string[]) => faces.map(names.the).join(' et ')
const listed = (names: readonly string[]) => new Intl.ListFormat('fr').format(names)
const whom = (who: Who) => who ?? 'vous'
const round = (number: number, of?: number) => (of === undefined ? `Manche ${number}` : `Manche ${number} sur ${of}`)

export const fr: typeof en = {
  leaving: "Vous abandonnez la partie : vos cartes n'y comptent plus, et vous êtes classé dernier.",
  ...common,
  cambia: 'Cambia !',
  noCards: 'aucune carte',
  theCards: 'Les cartes',

  cardsOf: (owner) => (owner === null ? 'Vos cartes' : `Cartes ${of(owner)}`),
  card: (place, face, mark) => (place.owner === null ? `Votre carte ${place.number}` : `Carte ${place.number} ${of(place.owner)}`) + seen(face, mark),
  touchCard: (verb, place, face, mark) => `${VERBS[verb]} ${at(place)}${seen(face, mark)}`,

  stockpile: 'Pioche',
  drawFromStockpile: 'Piocher une carte',
  discardPile: (face) => `Défausse : ${names.name(face)}`,
  discarded: 'Défausse',
  drawFromDiscardPile: (face) => `Prendre ${names.the(face)} dans la défausse`,
  drew: (who) => does(who, 'piochez', 'pioche'),

  call: 'Annoncer Cambia !',
  callPerhaps: 'Cambia…',
  notYet: 'Pas encore',
  draw: 'Piocher',
  putBack: 'La remettre',
  throwAway: 'La jeter',
  swapThem: 'Les échanger',
  leaveThem: 'Les laisser',
  goOn: 'Continuer',
  skip: 'Passer',
  snap: 'Claquer',
  snapLike: (face) => `Claquer ${names.like(face)}`,
  snapIt: 'Claquer !',
  tapACard: 'Quelle carte ?',
  snappedAlready: 'Trop tard pour claquer',
  seenThem: 'Je les ai vues',

  waitingForAll: 'En attendant tout le monde',
  remember: 'Retenez ces cartes !',
  beginsSoon: 'La partie commence bientôt',
  youAreOut: 'Vous êtes hors jeu',
  tapToSnap: 'Touchez la carte à claquer',
  tapToGive: (name) => `Touchez une carte pour ${name}`,
  holding: (face) => capital(names.the(face)),
  holdingForWhich: (face) => `${capital(names.the(face))} : pour quelle carte ?`,
  deciding: (faces) => capital(both(faces)),
  theOther: "Et l'autre carte ?",
  choices: {
    peek_self: 'Regardez une de vos cartes',
    peek_other: "Regardez une carte d'un autre",
    swap_blind: "Échangez deux cartes, à l'aveugle",
    swap_peek: 'Regardez deux cartes',
  },
  itIs: (faces, next) => `C'est ${both(faces)}${next && `. ${next}`}`,
  yourLastTurn: 'Votre dernier tour',
  isToPlay: (name) => `À ${name} de jouer`,
  waitingFor: (names) => `On attend ${listed(names)}`,
  hasLastTurn: (name) => `Dernier tour pour ${name}`,

  isOut: 'hors jeu',
  owesACard: 'doit une carte',
  steps: { start: 'à jouer', holding: 'tient une carte', choosing: 'peut agir', deciding: 'décide' },

  dealt: 'Les cartes sont distribuées.',
  reshuffled: 'La défausse a été remélangée.',
  draws: (who) => `${does(who, 'piochez', 'pioche')} une carte.`,
  drawsOpen: (who, face) => `${does(who, 'prenez', 'prend')} ${names.the(face)} dans la défausse.`,
  throws: (who, face) => `${does(who, 'jetez', 'jette')} ${names.the(face)}.`,
  keepsAndThrows: (who, number, face) =>
    `${does(who, 'gardez', 'garde')} la carte comme carte ${number} et ${who === null ? 'jetez' : 'jette'} ${names.the(face)}.`,
  looks: (who, place) => `${does(who, 'regardez', 'regarde')} ${by(who, place)}.`,
  looksAtTwo: (who, one, other) => `${does(who, 'regardez', 'regarde')} ${by(who, one)} et ${by(who, other)}.`,
  swaps: (who, one, other) => `${does(who, 'échangez', 'échange')} ${by(who, one)} et ${by(who, other)}.`,
  oneIsGone: "Trop tard : une des deux cartes n'est plus là.",
  leavesIt: (who) => `${does(who, 'en restez', 'en reste')} là.`,
  calls: (who) => `${does(who, 'annoncez', 'annonce')} Cambia !`,
  snaps: (who, face) => `${does(who, 'claquez', 'claque')} ${names.the(face)} !`,
  snapsOf: (who, face, owner) =>
    `${does(who, 'claquez', 'claque')} ${owner === null ? `votre ${names.name(face)}` : `${names.the(face)} ${of(owner)}`} !`,
  snapsWrong: (who, place) => `${does(who, 'claquez', 'claque')} ${by(who, place)} à tort.`,
  snapsLate: (who, place) => `${does(who, 'claquez', 'claque')} ${by(who, place)} trop tard.`,
  snapsNothing: (who) => `${does(who, 'claquez', 'claque')} trop tard une carte qui n'est plus là.`,
  penalty: (count) => (count === 1 ? 'Une carte de pénalité.' : `${count} cartes de pénalité.`),
  gives: (who, target) => (target === null ? `${who} vous donne une carte.` : `${does(who, 'donnez', 'donne')} une carte à ${target}.`),
  givesNothing: (who, target) => (target === null ? `${who} ne vous donne rien.` : `${does(who, 'ne donnez', 'ne donne')} rien à ${target}.`),
  forfeits: (who) => `${does(who, 'êtes', 'est')} hors jeu.`,
  ends: {
    cambia: 'Le dernier tour est joué : toutes les cartes sont retournées.',
    deck_exhausted: 'Plus rien à piocher : toutes les cartes sont retournées.',
    forfeit: "Il ne reste personne d'autre.",
    max_turns: "C'était le dernier tour : toutes les cartes sont retournées.",
  },

  round,
  lastRound: (number) => `Manche ${number}, la dernière`,
  roundBegins: (number) => `La manche ${number} commence.`,
  roundIsOver: (number, of) => `${round(number, of)} : c'est fini`,
  nextRound: 'La manche suivante commence bientôt.',
  onToNextRound: 'Manche suivante',
  allRounds: 'Toutes les manches',
  inAll: 'Total',
  withPointsOff: "Les totaux comprennent ce qui est retiré aux meilleurs de chaque manche, et ce qui s'y ajoute.",

  calledRightly: (who, score, equals) =>
    equals.length
      ? `${does(who, 'avez annoncé', 'a annoncé')} Cambia avec ${score}. Autant pour ${listed(equals.map(whom))} : à égalité, qui a annoncé gagne.`
      : `${does(who, 'avez annoncé', 'a annoncé')} Cambia avec ${score}, et personne n'avait moins.`,
  calledInVain: (who, score, winners, least) =>
    `${does(who, 'avez annoncé', 'a annoncé')} Cambia avec ${score}, mais il y avait moins : ${least} pour ${listed(winners.map(whom))}.`,
  callerWentOut: (who) => `${does(who, 'avez annoncé', 'a annoncé')} Cambia avant d'être hors jeu.`,
  hadLeast: (winners, least) => `La plus petite somme : ${least}, pour ${listed(winners.map(whom))}.`,

  cardsOfAll: 'Les cartes de tout le monde',
  you: 'Vous',
  winner: 'victoire',
  calledCambia: 'Cambia annoncé',
  total: (total, added) => (added ? `${added}, ${total} en tout` : `${total} en tout`),

  whatCardsDo: 'Ce que font les cartes',
  whatCardsDoQuestion: 'Que font les cartes ?',
  cardsDo: {
    redKings: 'valent −1',
    joker: 'ne vaut rien',
    ace: 'vaut 1 ; J vaut 11, Q 12, les autres leur nombre',
    blackKings: 'valent 13',
    lookAtOwn: 'jetées en les piochant : regarder une de ses cartes',
    lookAtOther: "regarder une carte de quelqu'un d'autre",
    swapUnseen: "échanger deux cartes au choix, à l'aveugle",
    lookAndSwap: 'regarder deux cartes au choix, puis les échanger ou non',
  },
  snapRule: (anybodys) => [
    '',
    'Claquez',
    ` à tout moment une carte de même valeur que le dessus de la défausse : ${anybodys ? "une des vôtres, ou celle de quelqu'un d'autre, à qui vous en donnez une en échange" : 'une des vôtres'}.`,
  ],
  wrongSnap: (cards) => `Une erreur coûte ${cards === 1 ? 'une carte' : `${cards} cartes`}.`,
  howToSnap: ['Touchez ', 'Claquer', " et la carte. Ou touchez d'abord une carte : elle se soulève, et la toucher encore la claque. Au clavier : S, et le numéro de votre carte."],
  cambiaRule: ['Au lieu de piocher, on peut annoncer ', 'Cambia', ' : les autres jouent encore un tour, et la plus petite somme gagne.'],
}
