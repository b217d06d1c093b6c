/** Two kinds of pages: `/`, the lobby, and `/t/<table>`. */
class Route {
  path = $state(location.pathname)
  table = $derived(/^\/t\/([^/]+)\/?$/.exec(this.path)?.[1])

  constructor() {
    addEventListener('popstate', () => (this.path = location.pathname))
  }

  go(path: string): void {
    if (path !== location.pathname) history.pushState(null, '', path)
    this.path = path
    scrollTo(0, 0)
  }
}

export const route = new Route()

/** For `<a href>`: go there without loading the page anew. */
export function link(anchor: HTMLAnchorElement): void {
  anchor.addEventListener('click', (event) => {
    if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    route.go(new URL(anchor.href).pathname)
  })
}
