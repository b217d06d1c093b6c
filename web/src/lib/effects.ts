/** What a table sounds like: quiet, short, and different enough to be told apart without looking. */

import { hiss, note, perform, softened, type Maker } from './audio'

const MAKERS = {
  /** Something happened in the game: a card on felt. */
  card(audio, out, at) {
    hiss(audio, out, at, 0.07, 0.7, 'bandpass', 1500)
    note(audio, out, 'sine', 150, at, 0.06, 0.3)
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
} satisfies Record<string, Maker>
export type Effect = keyof typeof MAKERS

export const play = (effect: Effect) => perform(MAKERS[effect], 0.16)
