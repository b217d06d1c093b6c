import { of } from '@croupier/table/words/fr'
import { capital } from '../capital'
import type { Kind, Payment } from '../cards'
import type { Zone } from '../fortress'
import type { en } from './en'

type Who = string | null
type Purpose = Parameters<typeof en.chooses>[0]

/** « Vous piochez », « Ada pioche ». */
const does = (who: Who, second: string, third: string) => (who === null ? `Vous ${second}` : `${who} ${third}`)
const amount = (count: number) => (count < 2 ? `${count} carte` : `${count} cartes`)

const KIND: Record<Kind, string> = { soldier: 'soldat', mage: 'mage', trickster: 'filou', decree: 'décret', castle: 'château' }
const THINGS: Record<Zone, string> = {
  ...{ soldier: 'le soldat', mage: 'le mage', trickster: 'le filou caché', decree: 'le décret', castle: 'le château' },
  ...{ hand: 'la main', deck: 'le deck', discard: 'la défausse' },
}
const thing = (zone: Zone, card: string | null) => (zone === 'castle' ? THINGS.castle : (card ?? THINGS[zone]))
/** « votre château », « le château d'Ada ». */
const owned = (owner: Who, what: string) => (owner === null ? `votre ${what.replace(/^l[ea] /, '')}` : `${what} ${of(owner)}`)

function list(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} et ${words.at(-1)}`
}

function payment({ kinds, card, level, count }: Payment): string {
  if (card !== null) return `${count} ${card}`
  const number = count > 1 ? count : 'un'
  const what = kinds.map((kind) => (count > 1 ? `${KIND[kind]}s` : KIND[kind])).join(' ou un ')
  return `${number} ${what}${level ? ` de niveau ${level} ou plus` : ''}`
}

const lays = (who: Who, card: string | null) => `${does(who, 'posez', 'pose')} ${card ?? 'un filou'} face cachée`

const PURPOSES: Record<Purpose, [asked: string, verb: string, other: string]> = {
  cost: ['Choisir de quoi payer', 'Payer avec', 'de quoi payer'],
  add: ['Choisir une carte à ajouter à la main', 'Prendre', 'une carte à ajouter à sa main'],
  play: ['Choisir une carte à jouer', 'Jouer', 'une carte à jouer'],
  destroy: ['Choisir une carte à détruire', 'Détruire', 'une carte à détruire'],
  stun: ['Choisir une carte à étourdir', 'Étourdir', 'une carte à étourdir'],
  discard: ['Choisir une carte à défausser', 'Défausser', 'une carte à défausser'],
  points: ['Choisir la carte dont la force change', 'Choisir', 'la carte dont la force change'],
  extra_attack: ['Choisir un soldat qui attaque encore', 'Choisir', 'un soldat qui attaque encore'],
  take: ["Choisir un soldat dont s'emparer", 'Prendre', "un soldat dont s'emparer"],
  swap: ['Choisir un soldat à échanger', 'Échanger', 'un soldat à échanger'],
  redirect: ["Choisir ce que l'attaque touche à la place", 'Viser', "ce que l'attaque touche à la place"],
  hand_limit: ["Trop de cartes en main : défausser jusqu'à dix", 'Défausser', "une carte à défausser, jusqu'à dix"],
}

const MARKS = { source: 'Choisir', goal: 'Poser ici', target: 'Choisir comme cible' }

export const fr: typeof en = {
  leaving: 'Vous perdez la partie.',
  kind: KIND,
  kinds: (kind, count) => (count < 2 ? KIND[kind] : kind === 'castle' ? 'châteaux' : `${KIND[kind]}s`),
  someCard: 'une carte',
  cost: (payments, toll) => list([...payments.map(payment), ...(toll ? [`${toll} PV du château`] : [])]),
  costs: (price) => `Coûte ${price}`,
  titleWithCost: (title, price) => `${title} – coûte ${price}`,
  triggers: {
    'on play': "À l'entrée",
    'on lvl': 'Montée',
    'in play': 'En jeu, une fois par tour',
    field: 'Terrain',
    special: 'Spécial',
    response: 'Réponse',
    always: 'Toujours',
    'by itself': 'Automatique',
  },
  atLevel: (level, trigger) => `Niveau ${level} · ${trigger}`,
  lead: (when) => `${when} :`,
  castleTitle: (health) => `château, ${health} PV`,
  fighterTitle: (kind, points) => `${KIND[kind]}, force ${points}`,
  reading: (name, title, price, texts) =>
    [`${name}, ${title}`, ...(price ? [`coûte ${price}`] : []), ...texts.map(({ when, words }) => `${when} : ${words.replace(/\.$/, '')}`)].join('. '),
  noText: 'Rien que ses murs.',
  lasts: (turns) => (turns < 2 ? `${turns} tour` : `${turns} tours`),

  unknownCard: "Il contient une carte qui n'existe pas.",
  tooManyCopies: (count, name, allowed) => `${count} exemplaires de ${name}, pour ${allowed} au plus.`,
  tooFewCards: (missing, size) => `Il manque ${amount(missing)} sur ${size}.`,
  tooManyCards: (extra, size) => `${amount(extra)} de trop : il en faut ${size}.`,
  castleNeeded: 'Il lui faut un château.',
  myDeck: 'Mon deck',
  deckLike: (name) => `${name}, modifié`,
  yourDeck: 'Votre deck',
  yourDeckIs: (name) => `Votre deck : ${name}`,
  behindWalls: (castle) => `Avec le château ${castle}.`,
  aboutBringing: "Vous l'apportez quand la partie commence ; personne ne voit ce qu'il contient.",
  thatDeck: 'Celui-là',
  anotherDeck: 'En choisir ou en construire un autre',
  noCastle: 'Pas encore de château',
  castleWithHealth: (name, health) => `${name}, ${health} PV`,
  problem: (cards, problem) => `${amount(cards)}. ${problem}`,
  changeDeck: 'Modifier',
  copyDeck: 'Copier',
  buildDeck: 'Construire un deck',
  builder: 'Construction du deck',
  nameOfDeck: 'Nom du deck',
  castle: 'Château',
  chooseCastle: 'Choisir un château…',
  countOf: (count, all) => `${count} sur ${all}`,
  playable: 'On peut jouer avec ce deck.',
  show: 'Montrer',
  allCards: 'Toutes',
  inDeck: 'Dans le deck',
  copiesOf: (name, kind) => `${name} (${KIND[kind]})`,
  oneMore: (name) => `Un exemplaire de plus : ${name}`,
  oneFewer: (name) => `Un exemplaire de moins : ${name}`,
  copiesAtMost: (copies, most) => `${copies} sur ${most} au plus`,
  emptyDeck: 'Ce deck est encore vide.',
  deleteDeck: 'Supprimer ce deck',
  reallyDelete: 'Vraiment ?',
  doneBuilding: 'Terminé',

  field: (owner) => (owner === null ? 'Votre terrain' : `Terrain ${of(owner)}`),
  deckOf: (owner) => (owner === null ? 'Votre deck' : `Deck ${of(owner)}`),
  discardOf: (owner) => (owner === null ? 'Votre défausse' : `Défausse ${of(owner)}`),
  pile: (label, count, top) => `${label} : ${amount(count)}${top === null ? '' : `, ${top} au-dessus`}`,
  deckPile: 'Pioche',
  discardPile: 'Défausse',
  emptyPile: 'Elle est vide.',
  slot: (owner, kind, number) => owned(owner, `${KIND[kind]}${number === null ? '' : ` ${number}`}`),
  holds: (label, facts) => `${label} : ${facts.join(', ')}`,
  marked: (name, as) => `${name}. ${MARKS[as]}`,
  empty: 'vide',
  faceDown: 'face cachée',
  stunned: 'étourdi',
  points: (count) => `force ${count}`,
  level: (level) => `niveau ${level}`,
  attacksLeft: (count) => (count < 2 ? `encore ${count} attaque` : `encore ${count} attaques`),
  castleOf: (owner) => owned(owner, 'château'),
  castleWhole: (label, name, health, all) => `${label} : ${name}, ${health} PV sur ${all}`,
  castleHidden: (label) => `${label} : pas encore révélé`,
  hiddenName: 'caché',
  handSize: (count) => `${amount(count)} en main`,
  handOf: (owner) => (owner === null ? 'Votre main' : `Main ${of(owner)}`),
  handIsEmpty: (owner) => (owner === null ? 'Votre main est vide.' : `La main ${of(owner)} est vide.`),
  yourCards: 'Vos cartes',
  watching: 'En spectateur',
  turn: (turn) => `Tour ${turn}`,
  close: 'Fermer',
  thing,
  thingOf: (owner, zone, card) => owned(owner, thing(zone, card)),

  youWin: 'Gagné !',
  youLose: 'Perdu',
  wins: (name) => `${name} gagne`,
  waitingForDeck: (name) => `${name} choisit un deck`,
  chooseDeck: 'Choisir un deck',
  playWith: (deck) => `Jouer avec ${deck}`,
  waitingForHand: (name) => `${name} examine sa main`,
  goodHand: 'Une bonne main pour commencer ?',
  answerOrAllow: 'Répondre, ou laisser faire',
  noAnswer: 'Vous ne pouvez pas y répondre',
  mayAnswer: (name) => `${name} peut répondre`,
  turnOfOther: (name) => `Tour ${of(name)}`,
  drawFirst: "À vous : piocher d'abord une carte",
  chooseTarget: 'Choisir ce qui est attaqué',
  chooseSlot: 'Choisir où elle va',
  yourTurnToAct: 'À vous : jouer, attaquer ou finir',
  nothingToDo: 'Plus rien à faire dans ce tour',
  lostConnection: (name) => `${name} a perdu la connexion.`,
  actions: 'Ce que vous pouvez faire',
  layFaceDown: (card) => `Poser ${card} face cachée`,
  play: (card) => `Jouer ${card}`,
  attack: (target) => `Attaquer ${target}`,
  raise: (level) => `Monter au niveau ${level}`,
  use: (card, action) => `Utiliser ${card}${action === null ? '' : ` – contre « ${action} »`}`,
  answer: (card, action, more) => `Répondre avec ${card}${action === null ? '' : ` – à « ${action} »`}${more ? ', puis un autre' : ''}`,
  giveBack: (card) => `Rendre ${card}`,
  nothing: 'Rien',
  back: 'Retour',
  showCards: 'Montrer les cartes',
  draw: 'Piocher',
  allow: 'Laisser faire',
  allowByItself: "Continuer d'office quand je n'ai pas de réponse",
  keepHand: 'Garder la main',
  newHand: (cards) => (cards < 2 ? `${cards} autre carte` : `${cards} autres cartes`),
  yes: 'Oui',
  no: 'Non',
  endTurn: 'Finir le tour',
  toChooseFrom: 'Cartes au choix',
  severalCopies: (card, count) => `${card}. ${count} exemplaires`,
  chooseCard: 'Choisir une carte',
  seeTable: 'Voir la table',

  protect: (what) => `Sauver ${what ?? 'la carte'} de la destruction ?`,
  lastStand: 'Votre château va tomber. Le garder à 1 PV ?',
  drawMore: (by) => `${by} : piocher une carte ?`,
  levelAtOnce: (mage, level) => `Monter ${mage ?? 'le mage'} aussitôt au niveau ${level} ?`,
  asks: (purpose, by) => {
    const asked = PURPOSES[purpose][0]
    if (by === null || purpose === 'hand_limit') return asked
    return purpose === 'cost' ? `${asked} ${by}` : `${by} : ${asked.slice(0, 1).toLowerCase()}${asked.slice(1)}`
  },
  chooses: (purpose, what) => `${PURPOSES[purpose][1]} ${what}`,
  otherChooses: (name, purpose) => `${name} choisit ${PURPOSES[purpose][2]}`,
  otherIsAsked: (name) => `Une question est posée à ${name}`,

  stack: 'Ce qui se passe',
  happensFirst: 'A lieu en premier',
  answersTo: (number) => `(à ${number})`,
  read: (card) => `Lire ${card}`,
  draws: (who) => `${does(who, 'piochez', 'pioche')} une carte`,
  lays,
  plays: (who, card) => `${does(who, 'jouez', 'joue')} ${card}`,
  raises: (who, mage, level) => `${does(who, 'montez', 'monte')} ${mage} au niveau ${level}`,
  uses: (who, card) => `${does(who, 'utilisez', 'utilise')} ${card}`,
  attacks: (who, target, card) => `${does(who, 'attaquez', 'attaque')} ${target} avec ${card}`,
  answers: (who, card) => `${does(who, 'répondez', 'répond')} avec ${card}`,
  aboutFirstHand: 'Changer de main coûte une carte à chaque fois ; on peut aussi rendre des cartes.',
  keepsHand: (who) => `${does(who, 'gardez votre', 'garde sa')} main.`,

  turnStarted: (turn, who) => `Tour ${turn} : ${who ?? 'à vous'}.`,
  castlesRevealed: (one, other, first) => `${one} contre ${other}. ${does(first, 'commencez', 'commence')}.`,
  drew: (who, cards, count, asAction) =>
    `${asAction ? does(who, 'piochez', 'pioche') : does(who, 'recevez', 'reçoit')} ${cards.length ? cards.join(', ') : count === 1 ? 'une carte' : amount(count)}.`,
  enters: (card, cancelled) => (cancelled ? `${card} entre en jeu, texte annulé.` : `${card} entre en jeu.`),
  laid: (who, card) => `${lays(who, card)}.`,
  mageIsGone: "Le mage n'est plus là, et n'atteint aucun niveau.",
  reaches: (mage, level, cancelled) => `${capital(mage)} atteint le niveau ${level}${cancelled ? ', texte annulé' : ''}.`,
  works: (card) => `${card} fait effet.`,
  fizzles: (card) => `${card} n'aboutit à rien.`,
  isCancelled: (card) => `Annulation : ${card}.`,
  blows: {
    castle_hit: "L'attaque touche le château.",
    target_loses: "L'attaque l'emporte.",
    attacker_loses: "La défense l'emporte.",
    both_lose: 'Forces égales : les deux tombent.',
    void: "Un filou a arrêté l'attaque ; elle peut être refaite.",
    fizzled: "L'attaque n'aboutit à rien.",
  },
  destroyed: (things) => `Destruction : ${things.join(', ')}.`,
  changedSides: (soldiers) => (soldiers === 1 ? 'Un soldat change de camp.' : 'Des soldats changent de camp.'),
  castleLeft: (owner, health) => `${capital(owned(owner, THINGS.castle))} a encore ${health} PV.`,
  discards: (who, card) => `${does(who, 'défaussez', 'défausse')} ${card}.`,
  timedOut: (who) => (who === null ? 'Votre temps est écoulé.' : `Temps écoulé pour ${who}.`),

  howItEnded: 'Fin de la partie',
  reasons: {
    castle: (loser) => `${capital(owned(loser, THINGS.castle))} est tombé.`,
    deck_out: (loser) => `Plus rien à piocher dans ${owned(loser, THINGS.deck)}.`,
    forfeit: (loser) => `${does(loser, 'avez', 'a')} abandonné.`,
    disconnect: (loser) => `${capital(owned(loser, 'la connexion'))} n'est pas revenue à temps.`,
    timeout: (loser) => (loser === null ? "Votre temps s'est écoulé trois fois de suite." : `Temps écoulé trois fois de suite pour ${loser}.`),
  },
  lastBlow: (winner, card) => (winner === null ? `Votre ${card} a porté le dernier coup.` : `${card}, du côté ${of(winner)}, a porté le dernier coup.`),
  left: (hand, deck) => `${amount(hand)} en main, ${deck} dans le deck`,
  length: (turns) => (turns === 0 ? 'Avant le premier tour.' : turns === 1 ? 'Au premier tour.' : `Après ${turns} tours.`),
  you: 'Vous',
  health: 'Points de vie',
  healthLeft: (health, all) => `${health} sur ${all}`,

  howToPlay: 'Comment on joue',
  howToPlayQuestion: 'Comment joue-t-on ?',
  goal: "Faire tomber le château adverse à 0 PV, ou tenir plus longtemps que le deck adverse : qui doit piocher et ne peut pas a perdu.",
  about: {
    soldier: "Combat. Tant que vous en avez un, votre château ne peut pas être attaqué. Un de la main par tour ; il attaque aussitôt.",
    mage: "Monte d'un niveau par tour, et fait plus à chacun. Peut attaquer au niveau 3. Un de la main par tour.",
    trickster: "Se pose face cachée. Répond à ce que fait l'adversaire, pendant son tour. La plupart arrêtent l'attaque à laquelle ils répondent.",
    decree: 'Agit pendant quelques tours. Un seul à la fois.',
  },
  lessons: [
    ['Votre tour :', ["piocher une carte (sauf au premier tour de la partie), puis jouer des cartes, monter des mages, utiliser des capacités et attaquer, dans n'importe quel ordre. Personne n'attaque au premier tour."]],
    ['Combat :', ["la carte de moindre force est détruite ; à force égale, les deux le sont. Un château perd autant de PV que l'attaquant a de force."]],
    ['Les coûts', ["sont les petites formes sur une carte : autant de vos propres cartes sont données pour elle."]],
    [
      'Mots des cartes :',
      [
        '',
        "À l'entrée",
        ' agit quand la carte est jouée, ',
        'Montée',
        ' quand un mage atteint ce niveau. ',
        'En jeu',
        " s'utilise une fois à chacun de vos tours. ",
        'Terrain',
        ' compte tant que la carte est là, et ',
        'Spécial',
        " agit au tour de l'un ou de l'autre. Une carte ",
        'étourdie',
        " ne peut rien faire jusqu'à la fin du tour de qui la joue.",
      ],
    ],
    ['Réponses :', ["quoi que fasse l'un, l'autre peut répondre ou laisser faire. Le dernier annoncé agit en premier."]],
    ['Sur la table :', ["ce qui peut servir a un bord doré. Le toucher, puis toucher où il va. Appuyer longtemps sur une carte, ou y laisser la souris, pour la lire."]],
  ],
  backToTable: 'Retour à la table',
}
