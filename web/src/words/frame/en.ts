/** What the frame says, in English. The other languages have the same entries; the compiler sees to it. */
import type { Sound } from '../../lib/sounds'
import { lobby } from '../lobby/en'
import { table } from '../table/en'

export const en = {
  connecting: 'Connecting…',
  language: 'Language',
  nothingHere: 'There is nothing here',
  nothingHereWhy: 'The address may be mistyped or incomplete. You can find all tables in the lobby.',
  toLobby: 'To the lobby',
  toTable: 'To the table',
  table: 'Table',
  game: 'Game',
  rules: 'Rules',
  password: 'Password',
  takeSeat: 'Take a seat',
  watch: 'Watch',
  watchAgain: 'Watch it again',
  close: 'Close',
  spectator: 'A spectator',
  seat: (number: number) => `Seat ${number}`,
  seatsTaken: (taken: number, seats: number) => `${taken} of ${seats} seats taken`,
  watching: (count: number) => (count === 1 ? 'One person is watching' : `${count} people are watching`),
  /** The same, in short. */
  watchers: (count: number) => `${count} watching`,
  pageNotLoaded: 'The page of this game could not be loaded.',
  pageFailed: 'The page of this game has failed.',
  plainInstead: 'Here is the plain one.',
  tryAgain: 'Try again',
  install: 'Install Croupier as an app',

  // The connection.
  unreachable: "The server can't be reached. Trying again…",
  offline: 'You are offline. Everything comes back with the network.',
  noConnection: 'there is no connection to the server just now',
  connectionLost: 'the connection was lost before the server answered',
  noAnswer: 'the server has no answer to that',

  // What people can let everybody hear.
  makeASound: 'Make a sound',
  everybodyHears: 'Everybody at the table hears it.',
  sounds: {
    airhorn: 'Air horn',
    applause: 'Applause',
    coins: 'Coins',
    crickets: 'Crickets',
    drumroll: 'Drum roll',
    gasp: 'Gasp',
    liar: 'Liar!',
    sadTrombone: 'Sad trombone',
  } satisfies Record<Sound, string>,

  ...lobby,
  ...table,
}
