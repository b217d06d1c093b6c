/** Playing cards as games write them: `T♥`, `Qs`, `D10`, `JK`; as they are written here, `10♥`, `Q♠`, `10♦`, `★R`. */

const RANK = '(10|[2-9TJQKA])'
const SUIT = '([♣♦♥♠♧♢♡♤CDHS])'
const RANK_FIRST = new RegExp(`^${RANK}(?:${SUIT}|([cdhs]))$`)
const SUIT_FIRST = new RegExp(`^${SUIT}${RANK}$`)
const SIGNS = Object.fromEntries([...'♧♢♡♤CDHScdhs'].map((sign, i) => [sign, '♣♦♥♠'[i % 4]!]))
const JOKERS: Record<string, string> = { JK: '★R', JOKER: '★R', '🃏': '★R', '★': '★R', '★R': '★R', '★B': '★B', JKR: '★R', JKB: '★B' }

const written = (rank: string, sign: string) => (rank === 'T' ? '10' : rank) + (SIGNS[sign] ?? sign)

/** The card that is meant; undefined for what is none. */
export function recognised(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined
  const joker = JOKERS[text.toUpperCase()]
  if (joker) return joker
  const first = RANK_FIRST.exec(text)
  if (first) return written(first[1]!, first[2] ?? first[3]!)
  const last = SUIT_FIRST.exec(text)
  return last ? written(last[2]!, last[1]!) : undefined
}

/** The same where any text may stand, so that "As" is a word: only with the sign of a suit. */
export const unmistakable = (text: unknown) => (typeof text === 'string' && /[♣♦♥♠]/.test(text) ? recognised(text) : undefined)
