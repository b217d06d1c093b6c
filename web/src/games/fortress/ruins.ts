/** A castle in a box of 60 by 52, by how much of it has fallen: whole, cracked, breached, in ruins, fallen. */

/** Left, middle and right, each in its five states. */
export const TOWERS: readonly (readonly string[])[] = [
  [
    'M2 50V16H6V20H9V16H13V20H16V16H20V50z',
    'M2 50V16H6V20H9V16H13V20H16V16H20V50z',
    'M2 50V16H6V20H9L11 25 14 23 16 29 20 27V50z',
    'M2 50V33L5 30 8 35 11 31 15 37 20 35V50z',
    'M2 50V45L7 42 12 46 20 44V50z',
  ],
  [
    'M16 50V24H21V28H26V12H30V16H34V12H38V28H39V24H44V50z',
    'M16 50V24H21V28H26V12H30V16H34V12H38V28H39V24H44V50z',
    'M16 50V24H21V28H26V12H30V16H34V12H38V28H39V24H44V50z',
    'M16 50V34L21 36 26 30 26 20 29 23 33 18 36 27 38 25V34L44 37V50z',
    'M16 50V44L22 46 28 41 33 45 38 42 44 46V50z',
  ],
  [
    'M40 50V16H44V20H47V16H51V20H54V16H58V50z',
    'M40 50V16H44V20H47V16H51V20L54 22 58 20V50z',
    'M40 50V16H44V20H47V16L50 22 54 20 58 26V50z',
    'M40 50V24L43 21 45 27 49 24 52 31 58 29V50z',
    'M40 50V46L47 43 53 46 58 44V50z',
  ],
]

/** The light on the battlements of the middle. */
const LIT = 'M26.5 28V12.8H29.5M34.5 12.8H37.5'
export const BATTLEMENTS: readonly string[] = [LIT, LIT, LIT, '', '']

export const STONES = 'M5 42h4M11 46h4M47 44h4M52 40h4M19 44h3M38 46h3'
export const GATE = 'M25 50V42a5 5 0 0 1 10 0V50z'

/** One more with every state. */
export const CRACKS: readonly string[] = [
  'M52 22l-3 6 4 4-3 6 2 5',
  'M8 21l3 6-4 5 4 6-2 6M38 17l-4 5 3 4',
  'M20 30l3 5-3 5 4 5M42 38l-3 4 3 5',
  'M30 44l2 6',
]

/** Between the towers, when hardly anything is left. */
export const FIRE = 'M10 33C9 27 14 25 13 18 18 22 17 26 20 24 24 29 21 36 16 37 12 37 10 36 10 33z'
