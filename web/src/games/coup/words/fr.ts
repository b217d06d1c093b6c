import type { Who } from '@croupier/table/words/en'
import { common, does, doesTo, of } from '@croupier/table/words/fr'
import type { Action, Character, Claimable } from '../coup'
import type { en } from './en'

const roles: Record<Character, string> = {
  duke: 'Duchesse',
  assassin: 'Assassin',
  captain: 'Capitaine',
  ambassador: 'Ambassadeur',
  contessa: 'Comtesse',
}

const THE: Record<Character, string> = {
  duke: 'la Duchesse',
  assassin: "l'Assassin",
  captain: 'le Capitaine',
  ambassador: "l'Ambassadeur",
  contessa: 'la Comtesse',
}

const NO: Record<Character, string> = {
  duke: 'pas de Duchesse',
  assassin: "pas d'Assassin",
  captain: 'pas de Capitaine',
  ambassador: "pas d'Ambassadeur",
  contessa: 'pas de Comtesse',
}

const deeds: Record<Action, string> = {
  income: 'Revenu',
  foreign_aid: 'Aide étrangère',
  tax: 'Taxe',
  steal: 'Vol',
  exchange: 'Échange',
  assassinate: 'Assassinat',
  coup: "Coup d'État",
}

const GAINS: Record<Action, string> = {
  income: 'prendre 1 pièce',
  foreign_aid: 'prendre 2 pièces',
  tax: 'prendre 3 pièces',
  steal: "prendre 2 pièces à quelqu'un",
  exchange: 'échanger des cartes',
  assassinate: "payer 3 pièces : quelqu'un perd une carte",
  coup: "payer 7 pièces : quelqu'un perd une carte",
}

/** Without an article, which « votre » takes the place of. */
const NOUNS: Record<Action, string> = {
  income: 'revenu',
  foreign_aid: 'aide étrangère',
  coup: "coup d'État",
  tax: 'taxe',
  assassinate: 'Assassin',
  steal: 'vol',
  exchange: 'échange',
}

const THE_DEED: Record<Action, string> = {
  income: 'le revenu',
  foreign_aid: "l'aide étrangère",
  coup: "le coup d'État",
  tax: 'la taxe',
  assassinate: "l'Assassin",
  steal: 'le vol',
  exchange: "l'échange",
}

const AIMS: Record<Claimable, (target: Who) => string> = {
  tax: () => 'prélever la taxe',
  assassinate: (target) => (target === null ? 'vous assassiner' : `assassiner ${target}`),
  steal: (target) => (target === null ? 'vous voler' : `voler ${target}`),
  exchange: () => 'échanger des cartes',
}

const list = (cards: readonly Character[]) => cards.map((card) => THE[card]).join(' et ')
const vous = (who: Who) => who ?? 'vous'
const people = (who: readonly Who[]) => {
  const names = who.map(vous)
  return names.length > 2 ? `${names[0]} et ${names.length - 1} autres` : names.join(' et ')
}

export const fr: typeof en = {
  leaving: 'Vos cartes sont retournées devant tout le monde, et vous êtes hors jeu.',
  ...common,
  roles,
  lostRole: (character) => `${roles[character]}, carte perdue`,
  coins: (count) => (count < 2 ? `${count} pièce` : `${count} pièces`),
  deck: 'Cartes dans la pioche',
  deckShort: 'Pioche',
  deckLabel: 'Cartes dans la pioche :',

  deeds,
  deedInFull(action, claimed, held = false) {
    const claim = claimed ? `, comme ${roles[claimed]}${held ? ', que vous avez' : ''}` : ''
    return `${deeds[action]} : ${GAINS[action]}${claim}`
  },
  noClaim: 'sans rôle',
  aim: {
    coup: (name) => `Coup d'État contre ${name}`,
    assassinate: (name) => `Assassiner ${name}`,
    steal: (name) => `Voler ${name}`,
  },
  targets: 'Cibles',
  back: 'Retour',
  mustCoup: (coins, limit) => `Vous avez ${coins} pièces. À partir de ${limit}, seul le coup d'État est permis.`,

  yourAnswer: 'Votre réponse',
  allow: "D'accord",
  allowMeans: 'laisser passer',
  callBs: 'Bluff !',
  callBsMeans: (character) => `contester ${THE[character]}`,
  blockAs: 'Contrer comme',
  youHoldIt: 'en main ✓',
  aBluff: 'du bluff',
  goAhead: 'Y aller',
  ifNobodyObjects: 'sauf opposition',
  giveUp: 'Renoncer',
  feeIsLost: 'les 3 pièces sont perdues',
  nothingHappens: 'sans effet',

  chooseCards: (count) => (count === 1 ? 'Choisir une carte' : 'Choisir deux cartes'),
  turnOver: (cards) => `Retourner ${list(cards)}`,
  keep: (cards) => `Garder ${list(cards)}`,

  youWin: 'Vous gagnez !',
  youAreOut: 'Vous êtes hors jeu',
  youWereKicked: 'On vous a mis hors jeu',
  paused: 'La partie est en pause',
  chooseLoss: 'Quelle carte perdre ?',
  chooseKept: (count) => (count === 1 ? 'Quelle carte garder ?' : 'Quelles cartes garder ?'),
  againstWhom: 'Contre qui ?',
  youMustCoup: "Coup d'État obligatoire",
  whatDoYouDo: 'Que faites-vous ?',
  whatDoYouSay: "Qu'en dites-vous ?",
  inAMoment: 'Effet dans un instant',
  yourBlock: 'Votre contre',
  yourAction: 'Votre action',
  goAheadNow: 'Vous pouvez y aller',
  seconds: (count) => `${count} s`,
  youLetItPass: 'Vous laissez passer',
  waitingFor: (who) => (who.length ? `On attend ${people(who)}` : 'Vous attendez'),
  afterKick: 'Exclusion : vos cartes sont visibles et vous êtes hors jeu. Vous pouvez regarder la fin de la partie, et jouer la suivante.',
  watchTheRest: 'Vous pouvez regarder la fin de la partie.',

  states: {
    winner: 'gagne',
    gone: 'plus là',
    out: 'hors jeu',
    missing: 'absent',
    losing: 'va perdre',
    allows: "d'accord",
    blocks: 'contre',
    asked: 'à répondre',
    exchanges: 'échange',
    toPlay: 'à jouer',
    acts: 'agit',
    claims: 'prétend',
  },

  goingOn: 'Ce qui se passe',
  wins: (who) => `${does(who, 'gagnez', 'gagne')} !`,
  nobodyElse: "Plus personne d'autre n'a de carte.",
  mustLose: (who) => does(who, 'devez perdre une carte', 'doit perdre une carte'),
  reasons: {
    coup: "C'est l'effet d'un coup d'État.",
    assassinate: "L'Assassin a frappé.",
    bs_wrong: 'On a crié au bluff à tort.',
    bs_caught: 'Un bluff est démasqué.',
  },
  struck: { coup: "Un coup d'État contre vous ! Vous perdez une carte.", assassinate: "L'Assassin a frappé ! Vous perdez une carte." },
  cardAtStake: (last) => (last ? 'Votre dernière carte est en jeu : vous seriez hors jeu.' : 'Une de vos cartes est en jeu.'),
  coinsAtStake: (count) => `Cela vous coûterait ${count < 2 ? `${count} pièce` : `${count} pièces`}.`,
  exchanging: (who) => `${does(who, 'échangez', 'échange')} des cartes`,
  twoDrawn: 'Deux cartes ont été piochées.',
  blocks: (who, character, against, action) =>
    `${does(who, 'vous dites', 'se dit')} ${roles[character]} pour contrer ${against === null ? `votre ${NOUNS[action]}` : `${THE_DEED[action]} ${of(against)}`}`,
  hasIt: (who, character) => `${does(who, 'avez', 'a')} bien ${THE[character]}`,
  mayStillBlock: (who, action) => `${does(who, 'pouvez', 'peut')} encore contrer ${THE_DEED[action]}.`,
  wantsAid: (who) => `${does(who, 'voulez', 'veut')} prendre l'aide étrangère`,
  aidMeans: "2 pièces, sauf si quelqu'un contre comme Duchesse.",
  claims: (who, character, action, target) => `${does(who, 'vous dites', 'se dit')} ${roles[character]} pour ${AIMS[action](target)}`,
  turn: (who) => (who === null ? 'Votre tour' : `À ${who} de jouer`),
  mayAnswer: (who) => `À répondre : ${people(who)}`,
  nobodyObjects: 'Sans objection',
  haveAllowed: (who) => `✓ ${people(who)}`,
  goesAheadIn: (seconds) => `Effet dans ${seconds} s`,
  atLeast: (seconds) => `Au moins ${seconds} s pour répondre`,
  byItselfIn: (seconds) => `Effet automatique dans ${seconds} s`,

  challenged(who, accused, character, rightly) {
    const truth = accused === null ? (rightly ? "vous n'avez" : 'vous avez') : rightly ? `${accused} n'a` : `${accused} a`
    return `${does(who, 'criez', 'crie')} au bluff, ${rightly ? `avec raison : ${truth} ${NO[character]}` : `à tort : ${truth} bien ${THE[character]}`}.`
  },
  losesLast: (who, character) => `${does(who, 'perdez votre', 'perd sa')} dernière carte, ${THE[character]}.`,
  loses: (who, character) => `${does(who, 'perdez', 'perd')} ${THE[character]}.`,
  isOut: (who) => `${does(who, 'êtes', 'est')} hors jeu.`,
  hasLeft: (who) => `${does(who, 'quittez', 'quitte')} la partie.`,
  blockStands: (who) => (who === null ? 'Votre contre tient.' : `Le contre ${of(who)} tient.`),
  givesUp: (who) => `${does(who, 'renoncez', 'renonce')} à l'action.`,
  nothingComesOfIt: "L'action reste sans effet.",
  letsItPass: (who) => `${does(who, 'laissez', 'laisse')} passer.`,
  hasExchanged: (who) => `${does(who, 'avez', 'a')} échangé des cartes.`,
  everybodyIsHere: 'Tout le monde est là : la partie reprend.',
  done(who, action, target) {
    switch (action) {
      case 'income':
        return `${does(who, 'prenez', 'prend')} un revenu.`
      case 'foreign_aid':
        return `${does(who, 'recevez', 'reçoit')} l'aide étrangère.`
      case 'tax':
        return `${does(who, 'prélevez', 'prélève')} la taxe.`
      case 'steal':
        return `${doesTo(who, 'volez', 'vole', target)}.`
      case 'assassinate':
        return `${doesTo(who, 'assassinez', 'assassine', target)}.`
      case 'exchange':
        return `${does(who, 'piochez', 'pioche')} deux cartes.`
      case 'coup':
        return `${does(who, 'faites', 'fait')} un coup d'État contre ${vous(target)}.`
    }
  },

  howItEnded: 'La fin de la partie',
  winsWith: (who, cards) => `${does(who, 'gagnez', 'gagne')} avec ${list(cards)}`,
  you: 'Vous',
  leftTheGame: 'a quitté la partie',

  goesOnWhen: 'Elle reprend quand tout le monde est de retour.',
  isMissing: (name) => ['On attend ', name, ''],
  noLimit: "l'attente n'a pas de limite",
  outIn: (time) => `hors jeu dans ${time}`,
  kick: (name) => `Exclure ${name}`,
  kickMeans: "L'exclusion retourne toutes les cartes et met hors jeu.",
  hostMay: (host) => `${host}, l'hôte de la table, peut continuer sans attendre.`,

  cardsAreYours: "Vous gardez ces cartes quand la partie commence. Personne d'autre ne les voit.",

  whoDoesWhat: 'Qui fait quoi',
  whoDoesWhatQuestion: 'Qui fait quoi ?',
  powers: {
    duke: "Taxe : prendre 3 pièces. Contre l'aide étrangère.",
    assassin: "Assassinat : payer 3 pièces, quelqu'un perd une carte.",
    captain: "Vol : prendre 2 pièces à quelqu'un. Contre le vol.",
    ambassador: 'Échange : piocher 2 cartes, garder au choix. Contre le vol.',
    contessa: "Contre l'assassinat.",
  },
  anybodyMay:
    "Tout le monde peut prendre un revenu (1 pièce) ou l'aide étrangère (2 pièces), ou faire un coup d'État pour 7 pièces. Avec 10 pièces, il n'y a pas d'autre choix.",
  bluffing: {
    official:
      "Nul besoin d'avoir ce que l'on prétend. Un bluff démasqué coûte une carte ; un doute injustifié aussi, et l'action continue.",
    note: "Nul besoin d'avoir ce que l'on prétend. Un bluff démasqué coûte une carte ; un doute injustifié aussi. Dans les deux cas, le tour est fini.",
  },

  close: 'Fermer',
}
