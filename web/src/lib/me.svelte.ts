import { language, storage } from '@croupier/table'

/** Who we are beyond one table: whoever has this browser's key. It is made without asking, and nobody is told. */

/** As many random bits as anybody could want, in letters that can go anywhere. */
function madeUp(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24))
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_')
}

class Me {
  key = storage.read('key', '') || this.renew()
  /** Our id, for everybody to know; empty until the server has said it. */
  person = $state('')

  /** Be somebody new. */
  renew(): string {
    this.key = madeUp()
    storage.write('key', this.key)
    return this.key
  }

  /** Ask the server, as the one we are. */
  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const address = new URL(path, location.origin)
    address.searchParams.set('language', language)
    return fetch(address, { ...init, headers: { ...init.headers, Authorization: `bearer ${this.key}` } })
  }
}

export const me = new Me()
