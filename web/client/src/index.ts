/** Play and watch at the tables of a Croupier server. See README.md. */

export { Client, type ClientOptions, type Listing } from './client.ts'
export type { Socket, SocketClass, Wish } from './connection.ts'
export { Lost, Refused, TooLate } from './errors.ts'
export { Table, type Fact, type Happening, type Hint, type Listener, type Synced } from './table.ts'
export type { Clock, Entry, Form, GameInfo, Line, Player, Result, Summary } from './protocol/native.ts'
