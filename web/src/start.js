/* The page consists of files, and a phone that changes networks while they load loses some of them: without this nothing
 * would be shown, for ever. So a page that has not come whole is loaded again, and what did come is kept by the browser.
 * (In braces: this is no module, and its names would be everybody's.) */

{
  const TRIES = 'croupier.tries'
  const MOST = 5
  const FIRST_WAIT = 300

  const said = navigator.language.startsWith('fr')
    ? ['La page n’a pas pu être chargée.', 'Réessayer']
    : ['The page could not be loaded.', 'Try again']

  let failed = false

  const again = () => {
    const app = document.getElementById('app')
    if (failed || app?.hasChildNodes()) return
    failed = true
    const tries = Number(sessionStorage[TRIES] ?? 0)
    sessionStorage[TRIES] = tries + 1
    if (tries < MOST) {
      const reload = () => location.reload()
      if (navigator.onLine) setTimeout(reload, FIRST_WAIT * 2 ** tries)
      else addEventListener('online', reload)
      return
    }
    delete sessionStorage[TRIES]
    const paragraph = document.createElement('p')
    const link = document.createElement('a')
    link.href = location.href
    link.textContent = said[1]
    link.onclick = () => location.reload()
    paragraph.setAttribute('role', 'alert')
    paragraph.append(said[0], ' ', link)
    const say = () => document.getElementById('app')?.append(paragraph)
    // What the head asks for may be lost before there is a body.
    if (document.readyState === 'loading') addEventListener('DOMContentLoaded', say)
    else say()
  }

  // That a file has not come is told where it was asked for, and goes no further: hence `true`.
  addEventListener('error', again, true)
  addEventListener('unhandledrejection', again)
}

/* While the page is on its way, what it will ask for first is asked for: the words of the visitor's language, and the
 * connection to the server, whose first messages are kept until the page takes it over (lib/early.ts). The build says
 * where the words are. */
{
  const WORDS = {}
  const DRAWN = []

  const chosen = () => {
    try {
      return JSON.parse(localStorage.getItem('croupier.language'))
    } catch {
      return null
    }
  }

  const language = [chosen(), ...navigator.languages.map((code) => code.slice(0, 2))].find((code) => Object.hasOwn(WORDS, code)) ?? 'en'
  const link = document.createElement('link')
  link.rel = 'modulepreload'
  link.href = WORDS[language]
  document.head.append(link)

  const url = new URL(`/ws?labels=1&drawn=${DRAWN}&language=${language}`, location.origin.replace('http', 'ws'))
  url.searchParams.set('views', '1')
  url.searchParams.set('changes', '1')
  const socket = new WebSocket(url)
  const messages = []
  socket.onmessage = (message) => messages.push(message)
  window.croupierEarly = { socket, messages }
}
