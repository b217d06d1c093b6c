/** What is said before anybody is at a table. */
import { possible, type Players } from '../../lib/players'

const either = new Intl.ListFormat('en', { type: 'disjunction' })
const range = (numbers: Players) =>
  numbers.step > 1 || numbers.fewest === numbers.most ? either.format(possible(numbers).map(String)) : `${numbers.fewest} to ${numbers.most}`

export const lobby = {
  // Who you are.
  player: 'Player',
  guest: (number: number) => `Guest ${number}`,
  me: {
    name: 'Your name',
    here: (name: string) => `At this table you are called ${name}.`,
    picture: 'Your picture',
    choose: 'Choose a picture',
    chooseAnother: (picture: string) => `Your picture: ${picture}. Choose another`,
    done: 'Done',
    page: 'My page',
    signedOut: 'This device was signed out by its owner. From now on it is somebody new.',
  },
  pictures: {
    fox: 'Fox',
    cat: 'Cat',
    owl: 'Owl',
    bear: 'Bear',
    panda: 'Panda',
    rabbit: 'Rabbit',
    frog: 'Frog',
    penguin: 'Penguin',
    lion: 'Lion',
    mouse: 'Mouse',
    elephant: 'Elephant',
    pig: 'Pig',
    chick: 'Chick',
    whale: 'Whale',
    octopus: 'Octopus',
    bee: 'Bee',
    king: 'King',
    queen: 'Queen',
    jester: 'Jester',
    knight: 'Knight',
    wizard: 'Wizard',
    pirate: 'Pirate',
    ghost: 'Ghost',
    astronaut: 'Astronaut',
  },

  lobby: {
    about: 'Card games with friends and bots.',
    games: 'Games',
    noGames: 'No games here.',
    tables: 'Tables',
    open: 'Open a table',
    code: 'Code',
    codeOfTable: 'Code of a table',
    go: 'Go',
    noSuchCode: 'There is no table with that code.',
    yours: 'Your tables',
    return: 'Return',
    join: 'Join',
    /** Where a link leads. */
    way: (way: string, table: string) => `${way}: ${table}`,
    locked: ', needs a password',
    /** What a table does. */
    phases: { waiting: 'Waiting for players', playing: 'Playing', over: 'Between two games', closed: 'Closed' },
    over: 'Game over',
    yourTurn: 'Your turn',
    botPlays: 'A bot plays for you',
    toPlay: (names: readonly string[]) => (names.length === 1 ? `${names[0]} is to play` : 'Others are to play'),
    looking: 'Looking for tables…',
    withoutConnection: 'The tables are shown as soon as there is a connection.',
    noneLikeThat: (others: number) => `No table matches just now, but ${others === 1 ? 'one other is' : `${others} others are`} open.`,
    showAll: 'Show them all',
    openOne: (game: string) => `Open one for ${game}`,
    none: 'Nobody else has a table open. Open one, and send the link to your friends; or play against bots in the meantime.',
    openFirst: 'Open the first one',
    more: (count: number) => `And ${count} more.`,
    which: 'Which tables',
    show: { all: 'All', join: 'To join', watch: 'To watch' },
    whichGame: 'Which game',
    everyGame: 'Every game',
  },

  /** What there is to know about a game before one plays it. */
  card: {
    players: (numbers: Players) => `${range(numbers)} players`,
    playAgainst: (bots: number) => `Play against ${bots === 1 ? 'a bot' : `${bots} bots`}`,
    seek: 'Find me a game',
    seekGame: (game: string) => `Find me a game: ${game}`,
    friends: 'With friends',
    gather: (game: string) => `With friends: ${game}`,
    learn: 'Learn by playing',
    learnGame: (game: string) => `Learn by playing: ${game}`,
    rulesOf: (game: string) => `Rules: ${game}`,
    best: 'Who is best?',
  },

  bots: {
    strengths: { easy: 'Easy', medium: 'Medium', strong: 'Strong', master: 'Master' },
    countIn: (game: string) => `Number of bots in ${game}`,
    strengthIn: (game: string) => `Strength of the bots in ${game}`,
    strengthOfThese: 'Strength of these bots',
    kind: 'Kind of bot',
    add: 'Add a bot',
  },

  /** After somebody's first game against bots. */
  tooEasy: {
    question: 'Were the bots too easy?',
    stronger: 'Yes, stronger ones',
    right: 'No, just right',
    willBe: 'The bots will be stronger from now on.',
    stay: 'They stay as they are. You can choose others in the lobby.',
  },

  newTable: {
    title: 'Open a table',
    name: 'Name of the table',
    usualName: (host: string) => `${host}'s table`,
    seats: 'Seats',
    canPlay: (numbers: Players) => `${range(numbers)} can play.`,
    thereWillBe: (game: string, numbers: Players, seats: number) => `${game} is for ${range(numbers)}: there will be ${seats}.`,
    bots: 'Bots from the start',
    botsMean: 'They sit down with you; other people may come too.',
    passwordMeans: 'For a private table: only people who know it can sit down or watch. Leave it empty to let everybody join.',
    unlisted: 'Only with the link',
    unlistedMeans: 'The table is not shown in the lobby: share its link or its code instead.',
    rated: 'Counts for ratings',
    ratedMeans: 'Games between at least two people change their ratings.',
    rules: 'Rules of this table',
    asUsual: 'as usual',
    open: 'Open the table',
    neverMind: 'Never mind',
  },

  options: {
    title: 'Options',
    on: 'on',
    off: 'off',
    usually: (value: string) => `Usually: ${value}.`,
    time: (seconds: number) => {
      const [count, unit] =
        seconds && seconds % 3600 === 0 ? [seconds / 3600, 'hour'] : seconds && seconds % 60 === 0 ? [seconds / 60, 'minute'] : [seconds, 'second']
      return `${count} ${unit}${count === 1 ? '' : 's'}`
    },
    chosen: (option: string, value: string) => `${option}: ${value}`,
  },
}
