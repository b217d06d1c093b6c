import { storage } from '@croupier/table'
import { made, STARTERS, type Deck } from './cards'
import { t } from './words'

export const BOUGHT: readonly Deck[] = STARTERS.map(({ id, name, cards }) => made(`starter ${id}`, name, cards))

/** The decks that this browser's player has made, and the one that was played with last. */
class Decks {
  own = $state.raw<readonly Deck[]>(storage.read<Deck[]>('fortress.decks', []).filter((deck) => deck.id && deck.counts))
  private chosen = $state(storage.read('fortress.deck', ''))

  all = $derived([...BOUGHT, ...this.own])
  favourite = $derived(this.all.find((deck) => deck.id === this.chosen) ?? BOUGHT[0]!)

  choose(deck: Deck): void {
    this.chosen = deck.id
    storage.write('fortress.deck', deck.id)
  }

  /** A new one, like this or empty. */
  create(like?: Deck): Deck {
    const deck: Deck = { id: crypto.randomUUID?.() ?? String(Date.now()), name: like ? t.deckLike(like.name) : t.myDeck, counts: { ...like?.counts }, castle: like?.castle ?? null }
    this.keep([...this.own, deck])
    return deck
  }

  save(deck: Deck): void {
    this.keep(this.own.map((one) => (one.id === deck.id ? deck : one)))
  }

  remove(deck: Deck): void {
    this.keep(this.own.filter((one) => one.id !== deck.id))
  }

  private keep(decks: readonly Deck[]): void {
    this.own = decks
    storage.write('fortress.decks', decks)
  }
}

export const decks = new Decks()
