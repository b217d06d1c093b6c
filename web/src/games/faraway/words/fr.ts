import { of } from '@croupier/table/words/fr'
import type { Biome, Card, Counted } from '../cards'
import type { en } from './en'

const ONE: Record<Counted, string> = {
  stone: 'pierre',
  chimera: 'chimère',
  thistle: 'chardon',
  clue: 'indice',
  night: 'carte de nuit',
  red: 'carte rouge',
  green: 'carte verte',
  blue: 'carte bleue',
  yellow: 'carte jaune',
  colorless: 'carte grise',
  wonder_set: 'ensemble de trois merveilles',
  color_set: 'ensemble de quatre couleurs',
}
const MANY: Record<Counted, string> = {
  stone: 'pierres',
  chimera: 'chimères',
  thistle: 'chardons',
  clue: 'indices',
  night: 'cartes de nuit',
  red: 'cartes rouges',
  green: 'cartes vertes',
  blue: 'cartes bleues',
  yellow: 'cartes jaunes',
  colorless: 'cartes grises',
  wonder_set: 'ensembles de trois merveilles',
  color_set: 'ensembles de quatre couleurs',
}
const SETS: Partial<Record<Counted, string>> = {
  wonder_set: 'une pierre, une chimère et un chardon',
  color_set: 'une carte rouge, une verte, une bleue et une jaune',
}
const COLOURS: Record<Biome, string> = { red: 'rouge', green: 'vert', blue: 'bleu', yellow: 'jaune', colorless: 'gris' }

const signs = (what: Counted, count: number) => (count < 2 ? ONE : MANY)[what]
const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)
const points = (count: number) => (count < 2 ? `${count} point` : `${count} points`)
const nth = (place: number) => (place === 1 ? '1re' : `${place}e`)

function list(words: readonly string[], word = 'et'): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${word} ${words.at(-1)}`
}

/** « 2 pierres et un chardon ». */
function amounts(counts: ReadonlyMap<Counted, number>): string {
  const article = (what: Counted) => (['thistle', 'clue', 'wonder_set', 'color_set'].includes(what) ? 'un' : 'une')
  return list([...counts].map(([what, count]) => (count === 1 ? `${article(what)} ${ONE[what]}` : `${count} ${MANY[what]}`)))
}

/** « carte rouge ou bleue », « cartes rouges et bleues » : the word that they share is said once. */
function kinds(per: readonly Counted[], count: number): string {
  return list(per.map((one) => signs(one, count)), count < 2 ? 'ou' : 'et').replace(/ (ou|et) cartes? /, ' $1 ')
}

function worth({ fame }: Card): string {
  if (!fame) return 'aucun point'
  return fame.per.length ? `${points(fame.points)} par ${kinds(fame.per, 1)}` : points(fame.points)
}

export const fr: typeof en = {
  leaving: 'Vous emportez vos cartes et quittez la partie ; les autres continuent.',
  region: (number) => `Région ${number}`,
  sanctuary: (number) => `Sanctuaire ${number}`,
  signs,
  letters: { red: 'R', green: 'V', blue: 'B', yellow: 'J' },
  biome: 'Biome',
  landscape: (biome, night) => `${COLOURS[biome]}, de ${night ? 'nuit' : 'jour'}`,
  shows: 'Montre',
  shown: amounts,
  quest: 'Quête',
  needed: (quest) => `demande ${amounts(quest)} en vue, sinon elle ne rapporte rien`,
  questSoFar: (lacking) => (lacking.size ? `La quête demande encore ${amounts(lacking)}` : 'Quête remplie'),
  worthNow: (score) => `${points(score)} si tout finissait maintenant`,
  fame: 'Renommée',
  worth: (card) => {
    const set = SETS[card.fame?.per[0] ?? 'clue']
    return set ? `${worth(card)} : ${set}` : worth(card)
  },
  gist: (card, shown, quest) => {
    const parts = [`${COLOURS[card.biome]}${card.night ? ', nuit' : ''}`]
    if (shown.size) parts.push(`montre ${amounts(shown)}`)
    if (quest.size) parts.push(`demande ${amounts(quest)}`)
    return [...parts, worth(card)].join(' ; ')
  },
  at: (where, what) => `${where} : ${what}`,
  place: (number) => `Place ${number}`,
  placeTaken: (number) => `Place ${number} : choisie, face cachée`,
  someCard: 'Une carte, face cachée',
  faceDown: 'cachée',

  round: (number) => `Tour ${number}`,
  ofRounds: (all) => `sur ${all}`,
  roundOf: (number, all) => `Tour ${number} sur ${all}`,
  phase: 'Phase',
  phases: { play: 'Explorer', sanctuary: 'Sanctuaires', shop: 'Rivière' },
  you: 'Vous',
  others: 'Les autres',
  journey: (owner) => (owner === null ? 'Votre voyage' : `Voyage ${of(owner)}`),
  sanctuaries: (owner) => (owner === null ? 'Vos sanctuaires' : `Sanctuaires ${of(owner)}`),
  openCards: (owner) => `Cartes ouvertes ${of(owner)}`,
  inHand: 'En main',
  yourCards: 'Vos cartes',
  yourHand: 'Votre main',
  offer: 'Sanctuaires proposés',
  shop: 'Rivière',
  inShop: 'Dans la rivière',
  shopOrder: 'Ordre de passage',
  shopRule: "Le plus petit numéro d'abord.",
  youInOrder: 'vous',
  done: "c'est fait",

  away: 'absent',
  hasChosen: 'a choisi',
  isChoosing: 'choisit…',
  choosesAmong: (count) => (count === 1 ? 'trouve un sanctuaire' : `en garde 1 sur ${count}`),
  isTaking: 'prend une région…',

  over: 'Le voyage est fini. Place au retour…',
  chooseRegion: 'Choisir une région pour le voyage',
  foundSanctuaries: (count) => (count === 1 ? 'Vous trouvez un sanctuaire' : `Garder un de ces ${count} sanctuaires`),
  takeRegion: 'Prendre une région de la rivière',
  waiting: (those, chosen) => `${chosen ? "C'est choisi. On attend" : 'On attend'} ${list(those)}`,
  waitingForSanctuaries: (those) => `${list(those)} ${those.length === 1 ? 'choisit' : 'choisissent'} un sanctuaire`,
  taking: (those, next) => `${list(those)} ${those.length === 1 ? 'prend' : 'prennent'} une région${next ? ' ; à vous ensuite' : ''}`,
  watching: (status) => `Vous regardez. ${status}.`,
  firstOutlook: "Les petits numéros se servent en premier",
  lower: (last) => `Plus petit que ${last} : pas de sanctuaire`,
  higher: (last, offer) => `Plus grand que ${last} : ${offer > 1 ? `1 sanctuaire sur ${offer}` : 'un sanctuaire'}`,
  aboutLastRegion: "Comptée en premier, elle ne voit qu'elle et vos sanctuaires.",
  aboutRegion: 'Au retour, elle ne verra que ce qui vient après elle.',
  aboutSanctuaries: 'Toutes vos régions le verront. Les autres passent sous la pioche.',
  aboutTaking: 'Toucher pour choisir ; appuyer longtemps pour agrandir.',
  chooseCard: 'Choisir',
  acts: {
    play: (number) => `Jouer ${number}`,
    choose: (number) => `Garder ${number}`,
    take: (number) => `Prendre ${number}`,
  },

  wayBack: 'Le retour',
  aboutWayBack: 'De la dernière région à la première : chacune se voit elle-même, ce qui est à sa droite, et les sanctuaires.',
  wonBy: (who, margin) => `${who ?? 'Vous'} ${who === null ? 'gagnez' : 'gagne'} de ${points(margin)}.`,
  shared: (those, total) =>
    `${capital(list(those.map((who) => who ?? 'vous')))} ${those.includes(null) ? 'partagez' : 'partagent'} la victoire, avec ${points(total)}.`,
  tied: (who, total, lowest) => `Égalité à ${points(total)} : ${who === null ? 'vous gagnez' : `${who} gagne`} avec la plus petite région, ${lowest}.`,
  lastLeft: (who) => `${who ?? 'Vous'} ${who === null ? 'gagnez' : 'gagne'} : tous les autres sont partis.`,
  alone: (total) => `Un voyage en solitaire : ${points(total)}.`,
  decisive: (region, scored, sanctuaries) => `La région ${region} a rapporté à elle seule ${points(scored)}${sanctuaries ? `, les sanctuaires ${sanctuaries}` : ''}.`,
  leftOver: 'Restées en main',
  whose: 'Voyage de qui',
  theJourney: 'Le voyage',
  theSanctuaries: 'Les sanctuaires',
  nth,
  total: 'Total',
  soFar: "Jusqu'ici",
  inSight: 'Visibles',
  sign: (what) => `${MANY[what]} : `,
  stepByStep: 'Pas à pas',
  back: 'Précédente',
  nextRegion: 'Suivante',
  nextSanctuaries: 'Sanctuaires',
  allAtOnce: 'Tout voir',
  sightAtFirst: (sanctuaries) => (sanctuaries ? 'Les sanctuaires sont visibles dès le début.' : "Pas de sanctuaires : rien n'est visible au début."),
  turnedOver: 'Toutes les régions sont retournées. La dernière est découverte en premier.',
  regionScored: (place, number, scored) => `${nth(place)} région, ${number} : ${points(scored)}`,
  sanctuariesScored: (scored) => `Les sanctuaires : ${points(scored)}`,
  noSanctuaryScores: "Aucun d'eux n'a de renommée.",
  lesson: (lost) => [`${lost === 1 ? "Une quête n'a pas été remplie" : `${lost} quêtes n'ont pas été remplies`}. Une région avec une quête veut les merveilles `, 'après', ' elle, à sa droite.'],
  shortSanctuary: 'Sanct.',
  sideBySide: 'Côte à côte',
  regions: 'Région',

  noFame: 'Sans renommée ; elle aide les autres.',
  questFailed: (lacking, toTheLeft) => {
    const short = list(lacking.map(({ what, need, seen }) => `${need} ${signs(what, need)} (${seen} ${seen > 1 ? 'visibles' : 'visible'})`))
    return `Quête manquée : il faut ${short}.${toTheLeft ? ' Ce qui manque est à sa gauche, où elle ne voit rien.' : ''}`
  },
  flat: (quest, scored) => `${quest ? 'Quête remplie. ' : ''}${points(scored)}.`,
  counted: ({ quest, per, each, found, points, hidden }) => {
    const more = hidden > 1 ? ` ${hidden} de plus à sa gauche ne comptent pas.` : hidden ? ' 1 de plus à sa gauche ne compte pas.' : ''
    return `${quest ? 'Quête remplie. ' : ''}${each} × ${found} ${kinds(per, found)} = ${points}.${more}`
  },
}
