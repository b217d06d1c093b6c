import { definePage } from '@croupier/table'
import Ending from './Ending.svelte'
import type { Event, Move, View } from './hearts'
import Page from './Page.svelte'
import { t } from './words'

export default definePage<View, Move, Event>(Page, {
  leaving: t.leaving,
  Ending,
  log: {
    // Trick by trick: a card alone tells nothing.
    turn: (view) => ({ seat: null, round: view.phase === 'play' ? view.tricks.reduce((a, b) => a + b) + 1 : undefined }),
  },
})
