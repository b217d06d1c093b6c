/** The cards as the rules have them, and all about them that can be said in words. */
import type { Box, Part, PrintedCard } from '../../protocol/fortress'
import box from '../../protocol/fortress.box.json'

export type Card = PrintedCard
export type Kind = Card['kind']

const { cards, deck_size, starters } = box as unknown as Box
export const CARDS: readonly Card[] = cards
export const DECK_SIZE = deck_size
export const STARTERS = starters
export const CASTLES = CARDS.filter((card) => card.kind === 'castle')
/** What a deck can be made of, kind by kind. */
export const KINDS = ['soldier', 'mage', 'trickster', 'decree'] as const satisfies Kind[]

export const called = (card: number | null | undefined) => (card == null ? 'a card' : CARDS[card]!.name)

/** “1 soldier, 2 tricksters and 15 castle health”; empty when it is free. */
export function cost(card: Card): string {
  const counts = new Map<string, number>()
  for (const part of card.cost) counts.set(payment(part), (counts.get(payment(part)) ?? 0) + 1)
  const words = [...counts].map(([what, count]) => (count > 1 ? `${count} ${what}s` : `a ${what}`))
  if (card.toll) words.push(`${card.toll} castle health`)
  return list(words)
}

function payment(part: Part): string {
  if (part.card !== null) return CARDS[part.card]!.name
  const kinds = part.kinds.join(' or a ')
  return part.level ? `${kinds} of level ${part.level} or more` : kinds
}

export const list = (words: readonly string[]) => (words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`)

/** Before a text: when it works. */
export function when(card: Card, text: Card['texts'][number]): string {
  const level = card.kind === 'mage' ? `Level ${text.level}` : ''
  const trigger = {
    'on play': 'On play',
    'on lvl': 'On Lvl',
    'in play': 'In play, once per turn',
    field: 'Field',
    special: 'Special',
    response: 'Answer',
    always: 'Always',
    'by itself': 'By itself',
  }[text.trigger]
  return level ? `${level} · ${trigger}` : trigger
}

export function title(card: Card): string {
  const kind = card.kind[0]!.toUpperCase() + card.kind.slice(1)
  if (card.kind === 'castle') return `${kind}, ${card.health} health`
  return card.points || card.kind === 'soldier' || card.kind === 'mage' ? `${kind}, ${card.points} points` : kind
}

/** What a screen reader says of a card in hand, a deck or a discard pile. */
export function words(card: Card): string {
  const price = cost(card)
  return [`${card.name}, ${title(card).toLowerCase()}`, price && `costs ${price}`, ...card.texts.map((text) => `${when(card, text)}: ${text.words.replace(/\.$/, '')}`)].filter(Boolean).join('. ')
}

// Decks

/** A deck that somebody makes: how many of each card, and which castle. */
export interface Deck {
  /** Tells it from another of the same name. */
  id: string
  name: string
  /** By card; those that are not in it are not here. */
  counts: Record<number, number>
  castle: number | null
}

export const size = (deck: Deck) => Object.values(deck.counts).reduce((sum, count) => sum + count, 0)

/** As it is brought to the table: the castle comes last. */
export function listed(deck: Deck): number[] {
  const found = Object.entries(deck.counts).flatMap(([card, count]) => Array.from({ length: count }, () => Number(card)))
  return deck.castle === null ? found : [...found, deck.castle]
}

export function made(id: string, name: string, listing: readonly number[]): Deck {
  const deck: Deck = { id, name, counts: {}, castle: listing.at(-1)! }
  for (const card of listing.slice(0, -1)) deck.counts[card] = (deck.counts[card] ?? 0) + 1
  return deck
}

/** Why this is no deck yet; empty when it is one. The rules have the last word. */
export function refusal(deck: Deck): string {
  for (const [id, count] of Object.entries(deck.counts)) {
    const card = CARDS[Number(id)]
    if (!card) return 'There is a card in it that does not exist.'
    if (count > card.copies) return `${count} copies of ${card.name}, where ${card.copies === 1 ? 'only one is' : `${card.copies} are`} allowed.`
  }
  const count = size(deck)
  if (count < DECK_SIZE) return `${DECK_SIZE - count} more ${DECK_SIZE - count === 1 ? 'card is' : 'cards are'} needed: a deck has ${DECK_SIZE}.`
  if (count > DECK_SIZE) return `${count - DECK_SIZE} ${count - DECK_SIZE === 1 ? 'card' : 'cards'} too many: a deck has ${DECK_SIZE}.`
  if (deck.castle === null) return 'It needs a castle.'
  return ''
}
