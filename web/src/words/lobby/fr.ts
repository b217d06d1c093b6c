import { of } from '@croupier/table/words/fr'
import { possible, type Players } from '../../lib/players'
import type { lobby as english } from './en'

const either = new Intl.ListFormat('fr', { type: 'disjunction' })
const single = (numbers: Players) => numbers.step > 1 || numbers.fewest === numbers.most
const listed = (numbers: Players) => either.format(possible(numbers).map(String))
const range = (numbers: Players) => (single(numbers) ? `à ${listed(numbers)}` : `de ${numbers.fewest} à ${numbers.most}`)

export const lobby: typeof english = {
  player: 'Joueur',
  guest: (number) => `Invité ${number}`,
  me: {
    name: 'Votre nom',
    here: (name) => `À cette table, on vous appelle ${name}.`,
    picture: 'Votre image',
    choose: 'Choisir une image',
    chooseAnother: (picture) => `Votre image : ${picture}. En choisir une autre`,
    done: 'Terminé',
    page: 'Ma page',
    signedOut: "Cet appareil a été déconnecté par son propriétaire. Désormais il est quelqu'un de nouveau.",
  },
  pictures: {
    fox: 'Renard',
    cat: 'Chat',
    owl: 'Hibou',
    bear: 'Ours',
    panda: 'Panda',
    rabbit: 'Lapin',
    frog: 'Grenouille',
    penguin: 'Manchot',
    lion: 'Lion',
    mouse: 'Souris',
    elephant: 'Éléphant',
    pig: 'Cochon',
    chick: 'Poussin',
    whale: 'Baleine',
    octopus: 'Pieuvre',
    bee: 'Abeille',
    king: 'Roi',
    queen: 'Reine',
    jester: 'Bouffon',
    knight: 'Chevalier',
    wizard: 'Magicien',
    pirate: 'Pirate',
    ghost: 'Fantôme',
    astronaut: 'Astronaute',
  },

  lobby: {
    about: 'Jeux de cartes entre amis et avec des robots.',
    games: 'Jeux',
    noGames: 'Aucun jeu ici.',
    tables: 'Tables',
    open: 'Ouvrir une table',
    code: 'Code',
    codeOfTable: "Code d'une table",
    go: 'Aller',
    noSuchCode: 'Aucune table ne porte ce code.',
    yours: 'Vos tables',
    return: 'Revenir',
    join: 'Rejoindre',
    way: (way, table) => `${way} : ${table}`,
    locked: ', avec mot de passe',
    phases: { waiting: 'En attente de joueurs', playing: 'En cours', over: 'Entre deux parties', closed: 'Fermée' },
    over: 'Partie finie',
    yourTurn: 'À vous de jouer',
    botPlays: 'Un robot joue pour vous',
    toPlay: (names) => (names.length === 1 ? `À ${names[0]} de jouer` : 'Aux autres de jouer'),
    looking: 'Recherche des tables…',
    withoutConnection: 'Les tables apparaîtront avec la connexion.',
    noneLikeThat: (others) => `Aucune table ne correspond, mais il y en a ${others === 1 ? 'une autre' : `${others} autres`}.`,
    showAll: 'Tout afficher',
    openOne: (game) => `Ouvrir une table ${of(game)}`,
    none: "Personne d'autre n'a de table ouverte. Ouvrez-en une et envoyez le lien à vos amis ; ou jouez contre des robots en attendant.",
    openFirst: 'Ouvrir la première',
    more: (count) => `Et ${count} de plus.`,
    which: 'Quelles tables',
    show: { all: 'Toutes', join: 'À rejoindre', watch: 'À regarder' },
    whichGame: 'De quel jeu',
    everyGame: 'Tous les jeux',
  },

  card: {
    players: (numbers) => `${single(numbers) ? listed(numbers) : `${numbers.fewest} à ${numbers.most}`} joueurs`,
    playAgainst: (bots) => `Contre ${bots === 1 ? 'un robot' : `${bots} robots`}`,
    seek: 'Trouver une partie',
    seekGame: (game) => `Trouver une partie : ${game}`,
    friends: 'Entre amis',
    gather: (game) => `Entre amis : ${game}`,
    learn: 'Apprendre en jouant',
    learnGame: (game) => `Apprendre en jouant : ${game}`,
    rulesOf: (game) => `Règles : ${game}`,
    best: 'Qui est le meilleur ?',
  },

  bots: {
    strengths: { easy: 'Facile', medium: 'Moyen', strong: 'Fort', master: 'Maître' },
    countIn: (game) => `Nombre de robots ${of(game)}`,
    strengthIn: (game) => `Force des robots ${of(game)}`,
    strengthOfThese: 'Force de ces robots',
    kind: 'Sorte de robot',
    add: '+ 1 robot',
  },

  tooEasy: {
    question: 'Les robots étaient-ils trop faciles ?',
    stronger: 'Oui, de plus forts',
    right: 'Non, juste bien',
    willBe: 'Les robots seront plus forts désormais.',
    stay: "Ils restent ainsi. On en choisit d'autres à l'accueil.",
  },

  newTable: {
    title: 'Ouvrir une table',
    name: 'Nom de la table',
    usualName: (host) => `La table ${of(host)}`,
    seats: 'Places',
    canPlay: (numbers) => `On joue ${range(numbers)}.`,
    thereWillBe: (game, numbers, seats) => `${game} se joue ${range(numbers)} : il y aura ${seats} places.`,
    bots: 'Robots',
    botsMean: "Ils s'assoient avec vous ; d'autres peuvent venir aussi.",
    passwordMeans: 'Pour une table privée : il faut le connaître pour prendre place ou regarder. Vide, il laisse venir tout le monde.',
    unlisted: 'Seulement avec le lien',
    rated: 'Compte pour les cotes',
    ratedMeans: 'Les parties entre deux personnes au moins changent leurs cotes.',
    unlistedMeans: "La table n'apparaît pas à l'accueil : vous envoyez le lien ou donnez le code.",
    rules: 'Règles de cette table',
    asUsual: 'habituelles',
    open: 'Ouvrir la table',
    neverMind: 'Annuler',
  },

  options: {
    title: 'Options',
    on: 'oui',
    off: 'non',
    usually: (value) => `D'habitude : ${value}.`,
    time: (seconds) => {
      const [count, unit] =
        seconds && seconds % 3600 === 0 ? [seconds / 3600, 'heure'] : seconds && seconds % 60 === 0 ? [seconds / 60, 'minute'] : [seconds, 'seconde']
      return `${count.toLocaleString('fr')} ${unit}${count < 2 ? '' : 's'}`
    },
    chosen: (option, value) => `${option} : ${value}`,
  },
}
