/** The kinds of pages: `/`, the lobby; `/t/<table>`; `/t/<table>/replay`; `/learn/<game>`, where a lesson begins;
 * `/people/<person>`; `/leaders/<game>`; and `/me`. */
class Route {
  path = $state(location.pathname)
  table = $derived(/^\/t\/([^/]+)\/?$/.exec(this.path)?.[1])
  /** The table whose games are watched again. */
  replay = $derived(/^\/t\/([^/]+)\/replay\/?$/.exec(this.path)?.[1])
  /** The game that somebody wants to learn. */
  lesson = $derived(/^\/learn\/([^/]+)\/?$/.exec(this.path)?.[1])
  person = $derived(/^\/people\/([^/]+)\/?$/.exec(this.path)?.[1])
  /** The game of which somebody wants to know who is best at it. */
  leaders = $derived(/^\/leaders\/([^/]+)\/?$/.exec(this.path)?.[1])

  /** The operator's page, which no link leads to. */
  operator = $derived(/^\/operator\/?$/.test(this.path))
  /** Whether it is the page about ourselves. */
  me = $derived(/^\/me\/?$/.test(this.path))

  constructor() {
    addEventListener('popstate', () => (this.path = location.pathname))
  }

  /** To an address on this server. `instead`: whoever goes back does not come here again. */
  go(address: string, instead = false): void {
    if (instead) history.replaceState(null, '', address)
    else if (address !== location.pathname + location.search) history.pushState(null, '', address)
    this.path = location.pathname
    scrollTo(0, 0)
  }
}

export const route = new Route()

/** For `<a href>`: go there without loading the page anew. */
export function link(anchor: HTMLAnchorElement): void {
  anchor.addEventListener('click', (event) => {
    if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    const { pathname, search } = new URL(anchor.href)
    route.go(pathname + search)
  })
}
