/** The pictures by which people know each other: faces in a box of 48 by 48, on a ground of their own. Their names travel
 * with the player, so a name that is given away stays what it is; others can be added. */
export interface Picture {
  name: (typeof DRAWN)[number][0]
  ground: string
  /** SVG. */
  drawing: string
}

const INK = '#22201f'
const SKIN = '#f2c9a0'

const dots = (x: number, y: number, r = 2, fill = INK) =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}"/><circle cx="${48 - x}" cy="${y}" r="${r}" fill="${fill}"/>`
const ovals = (x: number, y: number, rx: number, ry: number, fill: string, turn = 0) =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}" transform="rotate(${turn} ${x} ${y})"/>` +
  `<ellipse cx="${48 - x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}" transform="rotate(${-turn} ${48 - x} ${y})"/>`
const oval = (x: number, y: number, rx: number, ry: number, fill: string) =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}"/>`
const shape = (fill: string, d: string) => `<path fill="${fill}" d="${d}"/>`
const line = (d: string, width = 1.6, stroke = INK) =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`
const smile = (y: number) => line(`M20 ${y}q4 4 8 0`)

const DRAWN = [
  [
    'fox',
    '#35678a',
    shape('#dd7433', 'M9 8l9 7q6-2 12 0l9-7q2.5 11-.5 18Q34 39 24 43 14 39 9.5 26 6.5 19 9 8z'),
    shape('#fff3e2', 'M9.8 27Q18 27 24 40q6-13 14.2-13Q34 39 24 43 14 39 9.8 27z'),
    dots(17, 25),
    oval(24, 39.5, 2.8, 2.3, INK),
  ],
  [
    'cat',
    '#7d5ba6',
    shape('#4b4e59', 'M11 7l8 7.5q5-1.5 10 0L37 7q3.5 10 2.5 18.5A15.5 14 0 0 1 8.5 25.5Q7.5 17 11 7z'),
    ovals(17.5, 25, 3.4, 3.8, '#d6e264'),
    ovals(17.5, 25, 1, 3.2, INK),
    shape('#f0a0ab', 'M21.5 30.5h5l-2.5 3z'),
    line('M24 33.5q-2 3-4.5 2M24 33.5q2 3 4.5 2', 1.3, '#d9dade'),
    line('M14 31l-8-1.5M14 33.5l-7 2M34 31l8-1.5M34 33.5l7 2', 1, '#d9dade'),
  ],
  [
    'owl',
    '#41745a',
    shape('#8c5f37', 'M9 8q7 3.5 15 3.5T39 8q1.5 6 .8 14 1.7 20-15.8 20T8.2 22Q7.5 14 9 8z'),
    shape('#d8b083', 'M15 33q9 6 18 0-1 9-9 9t-9-9z'),
    dots(17, 22, 7, '#fff6e5'),
    dots(17.6, 22, 3.2),
    shape('#eda63a', 'M21.5 26h5L24 31.5z'),
  ],
  [
    'bear',
    '#c48a4c',
    dots(12, 13.5, 6, '#6b4226'),
    dots(12, 13.5, 3, '#b07a52'),
    oval(24, 26, 15.5, 14.5, '#6b4226'),
    oval(24, 32, 7.5, 5.8, '#dcb68c'),
    oval(24, 29.5, 2.8, 2, INK),
    dots(17.5, 23.5),
    line('M24 31.5v2.5q-2 1.5-3.5.5M24 34q2 1.5 3.5.5', 1.3),
  ],
  [
    'panda',
    '#6ea45c',
    dots(11.5, 13, 6, INK),
    oval(24, 26, 16, 14.5, '#fbfaf6'),
    ovals(16.5, 25, 4.2, 5.5, INK, 25),
    dots(17.2, 24.5, 1.7, '#fff'),
    oval(24, 31.5, 2.6, 1.9, INK),
    smile(35),
  ],
  [
    'rabbit',
    '#c9738c',
    ovals(17, 13, 4.6, 11, '#f6f1ee', -6),
    ovals(17, 14, 2, 7.5, '#eeb4bf', -6),
    oval(24, 31, 13.5, 12, '#f6f1ee'),
    dots(18.5, 29),
    shape('#e58797', 'M21.8 33h4.4L24 35.5z'),
    line('M24 35.5v2.5M21 40q3-2 6 0', 1.2),
  ],
  [
    'frog',
    '#d4aa3f',
    dots(14, 15, 7, '#4f9a48'),
    oval(24, 29, 17, 13, '#4f9a48'),
    dots(14, 15, 4.5, '#fff'),
    dots(14.5, 15.5, 2.3),
    line('M12 31q12 8.5 24 0', 2, '#245a25'),
    dots(21.5, 25.5, 0.9, '#245a25'),
  ],
  [
    'penguin',
    '#8fc0d6',
    oval(24, 27, 17, 18, '#2b3440'),
    dots(18.2, 25, 7.3, '#fff'),
    oval(24, 34.5, 11.5, 9.5, '#fff'),
    dots(18.8, 24.5),
    shape('#f0a02f', 'M19.5 29h9L24 34z'),
  ],
  [
    'lion',
    '#8c3f38',
    shape(
      '#b4651f',
      'M24 5l5 4 6-1.5 2 6 5.5 3-1.5 6 3.5 5-4 4.5.5 6-6 2-3 5-6-1.5-2 1-2-1-6 1.5-3-5-6-2 .5-6-4-4.5 3.5-5-1.5-6 5.5-3 2-6L19 9z',
    ),
    oval(24, 26, 12.5, 12.5, '#f0b957'),
    dots(19, 24),
    shape(INK, 'M21 29h6l-3 3.5z'),
    line('M24 32.5v1.5q-2 2-4 .5M24 34q2 2 4 .5', 1.3),
  ],
  [
    'mouse',
    '#5f76ad',
    dots(11.5, 16, 8.5, '#a8a7b0'),
    dots(11.5, 16, 5, '#e8b3b9'),
    shape('#a8a7b0', 'M24 15q13 1 12.5 13Q35 38 24 42.5 13 38 11.5 28 11 16 24 15z'),
    dots(18.5, 27),
    oval(24, 39.5, 2.6, 2.2, '#d9697b'),
    line('M17 36l-7-1M17 38.5l-6 2M31 36l7-1M31 38.5l6 2', 0.9, '#55545e'),
  ],
  [
    'elephant',
    '#c9a557',
    ovals(10, 22, 8, 11, '#7d8794'),
    ovals(10.5, 22, 4.5, 7.5, '#b3a3ad'),
    oval(24, 22, 12, 13, '#929dab'),
    shape('#929dab', 'M18.5 26h11v9q0 8-6 8h-3v-4.5h2q1.5 0 1.5-3z'),
    line('M20 31.5h8M20.5 35h7', 1, '#6f7986'),
    dots(18.5, 22),
  ],
  [
    'pig',
    '#4f8aa6',
    shape('#e391a0', 'M10 10l9 3-6 9zM38 10l-9 3 6 9z'),
    oval(24, 26, 15, 14, '#f1abb5'),
    oval(24, 31, 7, 5, '#e391a0'),
    dots(21.5, 31, 1.5, '#8e4555'),
    dots(17, 23.5),
  ],
  [
    'chick',
    '#5b86bd',
    line('M24 12q-4-5-6-4M24 12q0-6 1-7M24 12q4-4 6-3', 2, '#d98f1f'),
    oval(24, 27, 15, 15, '#f7d154'),
    ovals(14, 31, 2.6, 1.8, '#f0a25a'),
    dots(18, 25),
    shape('#e8872e', 'M20 28.5q4-3 8 0l-4 5.5z'),
  ],
  [
    'whale',
    '#b4d9e4',
    line('M19 13q-1-6-6-5M19 13q1-6 6-5', 2, '#4a8fc2'),
    shape('#2e6aa3', 'M5 28q0-13 15-13 12 0 15 11 4 1 5-7 4 4 0 12-4 9-18 9Q5 40 5 28z'),
    shape('#e8f1f5', 'M6 31q8 5 22 4-4 5-11 5Q8 40 6 31z'),
    oval(14, 25, 1.9, 1.9, '#fff'),
    oval(14, 25.3, 1.1, 1.1, INK),
  ],
  [
    'octopus',
    '#215565',
    shape(
      '#c2517d',
      'M24 6q14 0 14 15 0 6-2 9 2 6 7 5-3 6-9 3-1 6 2 8-7 1-8-6h-8q-1 7-8 6 3-2 2-8-6 3-9-3 5 1 7-5-2-3-2-9Q10 6 24 6z',
    ),
    dots(18, 22, 4, '#fff'),
    dots(18.5, 22.5, 2),
    smile(29),
  ],
  [
    'bee',
    '#6aa39b',
    ovals(14, 15, 8, 5.5, '#e5f3f5', 35),
    oval(24, 29, 13.5, 13, '#f4c430'),
    shape(INK, 'M11.5 33.5h25q-1 3-2.8 4.5H14.3q-1.8-1.5-2.8-4.5zM18 40.3h12Q27 42 24 42t-6-1.7z'),
    line('M19 17q-1-6-4-8M29 17q1-6 4-8', 1.5),
    dots(15, 9, 1.6),
    dots(19, 25.5, 2.1),
    smile(29),
  ],
  [
    'king',
    '#7a2c3a',
    oval(24, 27, 11, 12, SKIN),
    shape('#6d4a2c', 'M13 27q2 5 6 4.5 5-2 10 0 4 .5 6-4.5 1.5 16-11 17-12.5-1-11-17z'),
    shape('#f0c04a', 'M12 20L10 7l8 6 6-8 6 8 8-6-2 13q-12-4-24 0z'),
    dots(10, 7, 1.8, '#f0c04a'),
    oval(24, 14.5, 2, 2.2, '#c93a4b'),
    dots(19.5, 25.5, 1.7),
    line('M21 34.5q3 2 6 0', 1.4, '#fff3e2'),
  ],
  [
    'queen',
    '#45448a',
    shape('#7c3b1f', 'M24 10q15 0 14.5 17 0 9 2.5 14H7q2.5-5 2.5-14Q9 10 24 10z'),
    oval(24, 27.5, 10.5, 12, SKIN),
    shape('#7c3b1f', 'M13 25q1-9 11-9t11 9q-6-1-9-5-5 5-13 5z'),
    shape('#f0c04a', 'M13.5 17L12 8l6 4 6-7 6 7 6-4-1.5 9q-10.5-3-21 0z'),
    oval(24, 12.5, 1.7, 2, '#5fb3d9'),
    dots(19.5, 27, 1.7),
    line('M21 33.5q3 2.5 6 0', 1.8, '#c2384d'),
  ],
  [
    'jester',
    '#206b5e',
    oval(24, 29, 11, 12, SKIN),
    shape('#c73b4a', 'M24 10q-8-7-16-2-6 5-4 15 5-6 9-2-1 3-.5 5 5-4 11.5-4z'),
    shape('#f0c04a', 'M24 10q8-7 16-2 6 5 4 15-5-6-9-2 1 3 .5 5-5-4-11.5-4z'),
    dots(4.5, 24, 2.4, '#fff0c2'),
    oval(24, 9.5, 2.6, 2.6, '#fff0c2'),
    dots(19.5, 29, 1.8),
    dots(16.5, 33.5, 1.9, '#e58b7b'),
    line('M19 34.5q5 5 10 0', 1.7),
  ],
  [
    'knight',
    '#4f6478',
    shape('#c73b4a', 'M24 12q-2-8 8-9 9 0 9 12-4-6-9-5-3 1-5 4z'),
    shape('#b9c2cb', 'M24 10q14 0 14 15v8q-3 9-14 11-11-2-14-11v-8q0-15 14-15z'),
    shape('#8c98a5', 'M24 10v34q-11-2-14-11v-8q0-15 14-15z'),
    shape(INK, 'M12 23h24v4.5q-6 2-12 2t-12-2z'),
    line('M20 34v5M24 34v6M28 34v5', 1.5),
    dots(19, 26, 1.3, '#fff'),
  ],
  [
    'wizard',
    '#2b3a68',
    shape('#eceaf2', 'M12 26q-1 12 12 18 13-6 12-18-4 6-12 6t-12-6z'),
    shape(SKIN, 'M14 22h20v5q-3 6-10 6t-10-6z'),
    shape('#6a4bb0', 'M24 1q9 8 12 19 4 1 5 3-17 4-34 0 1-2 5-3Q15 9 24 1z'),
    shape('#f4c430', 'M24 10l1.2 2.8 3 .3-2.3 2 .7 3-2.6-1.6-2.6 1.6.7-3-2.3-2 3-.3z'),
    dots(19.5, 26, 1.6),
    line('M18 31.5q3-2 6 0 3-2 6 0', 2, '#eceaf2'),
  ],
  [
    'pirate',
    '#9a5430',
    oval(24, 28, 12, 13, SKIN),
    shape('#b5303d', 'M11.5 24Q11 11 24 11t12.5 13q-12-5-25 0zM37 20q5 0 6 4-3 0-6-1zM37 22q3 4 1 8-2-2-2.5-6z'),
    dots(17, 16, 1.2, '#fff'),
    oval(24, 13.5, 1.2, 1.2, '#fff'),
    line('M11.5 22.5L36 31', 1.2),
    oval(29.5, 28, 4, 3.6, INK),
    oval(18.5, 27.5, 1.9, 1.9, INK),
    line('M19 35q4 3 9-1', 1.7),
    shape('#5b3a21', 'M17 40q7-3 14 0-2 5-7 5t-7-5z'),
  ],
  [
    'ghost',
    '#3b3760',
    shape('#f3f2fa', 'M24 6q14 0 14 17v20q-3.5-4-7-1-3.5 3-7 0-3.5 3-7 0-3.5-3-7 1V23Q10 6 24 6z'),
    ovals(18.5, 22, 2.6, 3.6, INK),
    ovals(14.5, 28.5, 2.3, 1.5, '#f3b6c4'),
    oval(24, 30.5, 2.4, 3, INK),
  ],
  [
    'astronaut',
    '#1d2745',
    shape('#c4ccd6', 'M10 48q0-9 14-9t14 9z'),
    dots(8.5, 25, 3.5, '#9fa9b6'),
    oval(24, 24, 16, 16, '#eef1f5'),
    oval(24, 25, 12.5, 10.5, '#2f6f9f'),
    shape('#7fc0e3', 'M15 22q2-6 9-6.5-5 3-6 8-1 2-2 1.5-1.5-1-1-3z'),
    oval(31, 30, 1.6, 1.6, '#cde9f7'),
    dots(5, 8, 0.9, '#fff'),
  ],
] as const satisfies (readonly [name: string, ground: string, ...drawing: string[]])[]

export const PICTURES: readonly Picture[] = DRAWN.map(([name, ground, ...drawing]) => ({
  name,
  ground,
  drawing: drawing.join(''),
}))

const byName = new Map<string, Picture>(PICTURES.map((picture) => [picture.name, picture]))

/** What somebody has chosen; for those who have not, and for bots, one that always goes with their name. */
export function pictureOf(player: { name: string; avatar?: string }): Picture {
  const sum = [...player.name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7)
  return byName.get(player.avatar ?? '') ?? PICTURES[sum % PICTURES.length]!
}
