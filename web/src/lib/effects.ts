/** What a table sounds like: quiet, short, and different enough to be told apart without looking: paper hisses, coins ring, magic
 * rises, blows are low, and what is asked of people are two notes. */

import type { Heard } from '@croupier/table'

import { hiss, note, perform, softened, type Maker } from './audio'

const MAKERS = {
  /** Something happened in the game: a card on felt. */
  card(audio, out, at) {
    hiss(audio, out, at, 0.07, 0.7, 'bandpass', 1500)
    note(audio, out, 'sine', 150, at, 0.06, 0.3)
  },
  /** Off a pile, into a hand: the same further up, and without the felt. */
  draw(audio, out, at) {
    hiss(audio, out, at, 0.09, 0.45, 'bandpass', 2600).frequency.exponentialRampToValueAtTime(4200, at + 0.09)
  },
  /** Turned over: it snaps twice. */
  flip(audio, out, at) {
    hiss(audio, out, at, 0.03, 0.6, 'highpass', 3000)
    hiss(audio, out, at + 0.09, 0.06, 0.7, 'bandpass', 1300)
  },
  /** Many cards at once are pushed together, or shuffled. */
  sweep(audio, out, at) {
    const cards = hiss(audio, out, at, 0.45, 0.9, 'bandpass', 500)
    cards.frequency.linearRampToValueAtTime(1900, at + 0.3)
  },
  coins(audio, out, at) {
    for (const [start, pitch] of [[0, 2093], [0.07, 2637]] as const) {
      note(audio, out, 'triangle', pitch, at + start, 0.22, 0.35)
      note(audio, out, 'sine', pitch * 2.76, at + start, 0.08, 0.1)
    }
  },
  magic(audio, out, at) {
    for (const [i, pitch] of [784, 988, 1319].entries()) note(audio, out, 'sine', pitch, at + i * 0.06, 0.24, 0.3)
  },
  /** Somebody objects, attacks or calls: a knock on wood. */
  call(audio, out, at) {
    for (const start of [0, 0.12]) {
      note(audio, out, 'sine', 320, at + start, 0.08, 0.8)
      hiss(audio, out, at + start, 0.03, 0.6, 'bandpass', 900)
    }
  },
  /** A hand comes down on the pile. */
  snap(audio, out, at) {
    hiss(audio, out, at, 0.12, 1, 'bandpass', 2200)
    note(audio, out, 'sine', 110, at, 0.14, 0.7)
  },
  wrong(audio, out, at) {
    const dull = softened(audio, out, 700)
    for (const [i, pitch] of [185, 139].entries()) note(audio, dull, 'sawtooth', pitch, at + i * 0.13, 0.15, 0.6)
  },
  fire(audio, out, at) {
    hiss(audio, out, at, 0.6, 0.8, 'lowpass', 500).frequency.exponentialRampToValueAtTime(1800, at + 0.25)
    for (let spark = 0; spark < 7; spark++) hiss(audio, out, at + 0.08 + spark * 0.07, 0.02, 0.5, 'highpass', 3500)
  },
  blow(audio, out, at) {
    note(audio, out, 'sine', 140, at, 0.35, 0.9).frequency.exponentialRampToValueAtTime(45, at + 0.3)
    hiss(audio, out, at, 0.16, 0.7, 'lowpass', 700)
  },
  /** A game begins: cards are riffled. */
  deal(audio, out, at) {
    for (let card = 0; card < 9; card++) hiss(audio, out, at + card * 0.045, 0.04, 0.4 + card / 30, 'bandpass', 1700 + card * 60)
  },
  turn(audio, out, at) {
    note(audio, out, 'triangle', 659, at, 0.16, 0.6)
    note(audio, out, 'triangle', 988, at + 0.11, 0.28, 0.6)
  },
  /** A second less. */
  tick(audio, out, at) {
    note(audio, softened(audio, out, 2400), 'square', 1200, at, 0.035, 0.35)
  },
  said(audio, out, at) {
    note(audio, out, 'sine', 880, at, 0.09, 0.4)
  },
  won(audio, out, at) {
    for (const [i, pitch] of [523, 659, 784, 1047].entries()) note(audio, out, 'triangle', pitch, at + i * 0.12, i === 3 ? 0.6 : 0.2, 0.55)
  },
  over(audio, out, at) {
    for (const [i, pitch] of [440, 349].entries()) note(audio, out, 'triangle', pitch, at + i * 0.2, 0.4, 0.45)
  },
} satisfies Record<Heard, Maker> & Record<string, Maker>
export type Effect = keyof typeof MAKERS

/** How loud each is made, so that by ear none stands out: what happens all the time is a little quieter, what calls somebody a
 * little louder. Noise and low notes take more for that. */
const LOUD: Record<Effect, number> = {
  card: 0.36, draw: 0.45, flip: 0.36, deal: 0.45, sweep: 0.33, coins: 0.1, magic: 0.09, call: 0.13, snap: 0.24, wrong: 0.25, fire: 0.55,
  blow: 0.27, turn: 0.13, tick: 0.11, said: 0.12, won: 0.13, over: 0.17,
}

export const play = (effect: Effect) => perform(MAKERS[effect], LOUD[effect])
