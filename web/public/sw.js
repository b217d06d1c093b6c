/* Keeps the page, so that it opens without a network, and nothing else: what the server says is never kept, and all its
 * other addresses are none of our business. There is no stale code to serve: a page is fetched from the network whenever
 * that answers, and the files it asks for have other names when they change. */

const KEPT = 'croupier'
/** All pages are the same file, but for what links to them show elsewhere; the address tells the program in it what to show. */
const SHELL = '/'
const PAGE = /^\/(?:(?:t\/[^/]+(?:\/replay)?|learn\/[^/]+)\/?)?$/
const ASSETS = '/assets/'
/** The server is away, and somebody else answers in its place. */
const AWAY = [502, 503, 504]

self.addEventListener('install', (event) => {
  self.skipWaiting()
  event.waitUntil(fetch(SHELL, { cache: 'no-cache' }).then(keep))
})

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate' && PAGE.test(pathname)) event.respondWith(page(event))
  else if (pathname.startsWith(ASSETS)) event.respondWith(asset(event))
})

async function page(event) {
  try {
    const response = await fetch(event.request)
    if (AWAY.includes(response.status)) throw new Error('the server is away')
    if (response.ok) event.waitUntil(renew(response.clone()))
    return response
  } catch (error) {
    const kept = await caches.match(SHELL, { ignoreVary: true })
    if (kept) return kept
    throw error
  }
}

async function asset(event) {
  const kept = await caches.match(event.request)
  if (kept) return kept
  const response = await fetch(event.request)
  if (response.ok) event.waitUntil(put(event.request, response.clone()))
  return response
}

async function put(request, response) {
  const cache = await caches.open(KEPT)
  await cache.put(request, response)
}

const files = (text) => text.match(/\/assets\/[^"']+/g) ?? []
/** What one address shows first, which is not for later; and the files that it takes besides those of all pages. */
const KNOWN = /<script type="application\/json"[^]*?<\/script>/
const BESIDES = /<link rel="(?:module)?preload" .*/g
const first = (text) => files(text.replace(BESIDES, ''))

/** A page has come: if it begins with other files than the one we keep, that is an old one. */
async function renew(response) {
  const kept = await caches.match(SHELL, { ignoreVary: true })
  if (kept && String(first(await kept.text())) === String(first(await response.text()))) return
  await keep(await fetch(SHELL, { cache: 'no-cache' }))
}

/** Keep the page and the files it begins with. When it is a new one, the files of the old one are not needed any more. */
async function keep(response) {
  const cache = await caches.open(KEPT)
  const text = await response.text()
  const needed = new Set(files(text))
  await cache.addAll(needed)
  await cache.put(SHELL, new Response(text.replace(KNOWN, ''), response))
  for (const request of await cache.keys()) {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith(ASSETS) && !needed.has(pathname)) await cache.delete(request)
  }
}
