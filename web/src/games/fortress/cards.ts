/** The cards as the rules have them, and all about them that can be said in words. */
import type { Box, PrintedCard } from '../../protocol/fortress'
import box from '../../protocol/fortress.box.json'
import { capital } from './capital'
import { printed, t } from './words'

export type Card = PrintedCard
export type Kind = Card['kind']
export type Trigger = Card['texts'][number]['trigger']

const { cards, deck_size, starters } = box as unknown as Box

/** As the rules have them, or as this language does. */
function translated(card: Card): Card {
  const own = printed?.cards[card.id]
  return own ? { ...card, name: own.name, texts: card.texts.map((text, i) => ({ ...text, words: own.texts[i] ?? text.words })) } : card
}

export const CARDS: readonly Card[] = cards.map(translated)
export const DECK_SIZE = deck_size
/** The id is the name by which the rules know it. */
export const STARTERS = starters.map(({ name, cards }) => ({ id: name, name: printed?.starters[name] ?? name, cards }))
export const CASTLES = CARDS.filter((card) => card.kind === 'castle')
/** What a deck can be made of, kind by kind. */
export const KINDS = ['soldier', 'mage', 'trickster', 'decree'] as const satisfies Kind[]

export const called = (card: number | null | undefined) => (card == null ? t.someCard : CARDS[card]!.name)

/** So many cards of one sort that are part of a cost: of these kinds, or just this one. */
export interface Payment {
  kinds: readonly Kind[]
  card: string | null
  /** A mage of at least this level. */
  level: number
  count: number
}

/** “a soldier, 2 tricksters and 15 castle health”; empty when it is free. */
export function cost(card: Card): string {
  const payments = new Map<string, Payment>()
  for (const part of card.cost) {
    const same = payments.get(JSON.stringify(part))
    payments.set(JSON.stringify(part), { ...part, card: part.card === null ? null : CARDS[part.card]!.name, count: (same?.count ?? 0) + 1 })
  }
  return t.cost([...payments.values()], card.toll)
}

/** Before a text: when it works. */
export function when(card: Card, text: Card['texts'][number]): string {
  return card.kind === 'mage' ? t.atLevel(text.level, t.triggers[text.trigger]) : t.triggers[text.trigger]
}

export function title(card: Card): string {
  return capital(about(card))
}

function about(card: Card): string {
  if (card.kind === 'castle') return t.castleTitle(card.health)
  return card.points || card.kind === 'soldier' || card.kind === 'mage' ? t.fighterTitle(card.kind, card.points) : t.kind[card.kind]
}

/** What a screen reader says of a card in hand, a deck or a discard pile. */
export function words(card: Card): string {
  return t.reading(
    card.name,
    about(card),
    cost(card),
    card.texts.map((text) => ({ when: when(card, text), words: text.words })),
  )
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
    if (!card) return t.unknownCard
    if (count > card.copies) return t.tooManyCopies(count, card.name, card.copies)
  }
  const count = size(deck)
  if (count < DECK_SIZE) return t.tooFewCards(DECK_SIZE - count, DECK_SIZE)
  if (count > DECK_SIZE) return t.tooManyCards(count - DECK_SIZE, DECK_SIZE)
  if (deck.castle === null) return t.castleNeeded
  return ''
}
