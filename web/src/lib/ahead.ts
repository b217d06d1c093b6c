/** What the server has put into the page (net/pages.py): to open a connection takes two journeys, and what is asked by it one more.
 * It is shown until the connection says how things are. */
import { language } from '@croupier/table'
import type { GameInfo, Summary } from '@croupier/table/native'

interface Known {
  games?: readonly GameInfo[]
  /** In the lobby, those that come first; at a table, this one. */
  tables?: readonly Summary[]
}

const element = document.getElementById('known')
const ours = element && document.documentElement.lang === language

/** Nothing where no server has touched the page, or it was asked for in another language than was chosen here. */
export const known: Known = ours ? (JSON.parse(element.textContent) as Known) : {}
element?.remove() // it is no text of the page
