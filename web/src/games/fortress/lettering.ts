/** How a name is set on a card, so that all of it can be read: in two lines, divided, and at last printed narrow. */

const ROOM = 86
const LARGEST = 16.5
const SMALLEST = 13.5

/** Where long words may be divided, in every language that we have. */
const DIVIDED: Record<string, string> = {
  Reinforcements: 'Reinforce-ments',
  Opportunist: 'Oppor-tunist',
  Apprentice: 'Appren-tice',
  Seductress: 'Seduc-tress',
  Accélération: 'Accélé-ration',
  Destruction: 'Destruc-tion',
  Canonniers: 'Canon-niers',
  Occultiste: 'Occul-tiste',
  Opportuniste: 'Oppor-tuniste',
  Pourfendeur: 'Pourfen-deur',
  Assaillant: 'Assail-lant',
  Séductrice: 'Séduc-trice',
  Protecteur: 'Protec-teur',
}

/** About how wide a line is, in ems. */
const width = (line: string) => [...line].reduce((sum, letter) => sum + (/[mwMW]/.test(letter) ? 1 : /[iljtfrI' .-]/.test(letter) ? 0.42 : /[A-Z]/.test(letter) ? 0.74 : 0.63), 0)

/** The size at which the lines fill the card, within what looks right. */
const fitting = (lines: readonly string[]) => Math.max(SMALLEST, Math.min(LARGEST, ROOM / Math.max(...lines.map(width))))

/** One line, if it can be large; else the two that can be largest. */
export function lettering(name: string): { lines: string[]; size: number } {
  if (width(name) * LARGEST <= ROOM) return { lines: [name], size: LARGEST }
  const gaps = [...name.matchAll(/ /g)].map((gap) => [name.slice(0, gap.index), name.slice(gap.index + 1)])
  const [word, rest] = (DIVIDED[name] ?? '').split('-')
  const ways = rest ? [...gaps, [`${word}-`, rest]] : gaps
  if (!ways.length) return { lines: [name], size: fitting([name]) }
  const lines = ways.reduce((best, way) => (Math.max(...way.map(width)) < Math.max(...best.map(width)) ? way : best))
  return { lines, size: fitting(lines) }
}

/** Undefined: it fits by itself. */
export const narrow = (line: string, size: number) => (width(line) * size > ROOM + 1 ? ROOM : undefined)
