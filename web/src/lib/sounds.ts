/** What people at a table can let everybody hear, made as it is played: none is longer than two seconds. Which of them
 * are on the board is the game's affair. */

import { hiss, note, perform, softened, type Maker } from './audio'

/** However many arrive, a table is never louder than this. */
const AT_ONCE = 5
const WITHIN = 10_000

let heard: number[] = []

/** Play a sound, unless there were many just now. Whether it is played. */
export function play(name: string): boolean {
  if (!(name in MAKERS)) return false
  const now = Date.now()
  heard = heard.filter((at) => at > now - WITHIN)
  if (heard.length >= AT_ONCE) return false
  heard.push(now)
  return perform(MAKERS[name as Sound], LOUD[name as Sound])
}

const MAKERS = {
  airhorn(audio, out, at) {
    const horn = softened(audio, out, 2600)
    for (const [start, length] of [[0, 0.16], [0.2, 0.16], [0.4, 0.75]] as const)
      for (const pitch of [466, 470, 587]) note(audio, horn, 'sawtooth', pitch, at + start, length, 0.35)
  },
  applause(audio, out, at) {
    for (let clap = 0; clap < 70; clap++) {
      const start = Math.random() * 1.5
      hiss(audio, out, at + start, 0.05, 0.9 * (1 - start / 2), 'bandpass', 900 + Math.random() * 1200)
    }
  },
  coins(audio, out, at) {
    for (const [start, pitch] of [[0, 1976], [0.08, 2637], [0.24, 1976], [0.32, 2637]] as const) {
      note(audio, out, 'triangle', pitch, at + start, 0.32, 0.6)
      note(audio, out, 'sine', pitch * 2.76, at + start, 0.12, 0.2)
    }
  },
  crickets(audio, out, at) {
    for (const start of [0, 0.6, 1.2])
      for (let chirp = 0; chirp < 5; chirp++) note(audio, out, 'sine', 4300 + chirp * 30, at + start + chirp * 0.055, 0.04, 0.35)
  },
  drumroll(audio, out, at) {
    for (let beat = 0; beat < 40; beat++) hiss(audio, out, at + beat * 0.032, 0.06, 0.25 + beat / 60, 'lowpass', 900)
    hiss(audio, out, at + 1.3, 0.6, 1, 'highpass', 2500)
    note(audio, out, 'sine', 70, at + 1.3, 0.3)
  },
  gasp(audio, out, at) {
    const breath = hiss(audio, out, at, 0.6, 1, 'bandpass', 700)
    breath.Q.value = 2.5
    breath.frequency.exponentialRampToValueAtTime(2600, at + 0.4)
  },
  liar(audio, out, at) {
    // Two syllables, each a vowel: a buzz through a moving formant.
    const mouth = softened(audio, out, 500, 'bandpass')
    mouth.Q.value = 3
    mouth.frequency.setValueAtTime(500, at)
    mouth.frequency.linearRampToValueAtTime(2000, at + 0.3)
    mouth.frequency.linearRampToValueAtTime(800, at + 0.45)
    note(audio, mouth, 'sawtooth', 230, at, 0.34, 1.6).frequency.linearRampToValueAtTime(290, at + 0.3)
    note(audio, mouth, 'sawtooth', 240, at + 0.34, 0.5, 1.6).frequency.linearRampToValueAtTime(150, at + 0.84)
  },
  sadTrombone(audio, out, at) {
    const brass = softened(audio, out, 1100)
    for (const [start, pitch, length] of [[0, 311, 0.3], [0.34, 294, 0.3], [0.68, 277, 0.3], [1.02, 262, 0.9]] as const) {
      const voice = note(audio, brass, 'sawtooth', pitch, at + start, length, 0.8)
      if (length > 0.5) for (let wave = 0; wave < 8; wave++) voice.frequency.linearRampToValueAtTime(262 - wave * 3 + (wave % 2) * 10, at + start + 0.15 + wave * 0.09)
    }
  },
} satisfies Record<string, Maker>
export type Sound = keyof typeof MAKERS

/** How loud each is made, so that by ear they are about the same. */
const LOUD: Record<Sound, number> = {
  airhorn: 0.16, applause: 0.5, coins: 0.09, crickets: 0.24, drumroll: 0.15, gasp: 0.8, liar: 0.22, sadTrombone: 0.18,
}
