import { language, storage } from '@croupier/table'
import { memory } from './memory.svelte'

/** Who we are beyond one table: whoever has this browser's key. It is made without asking, and nobody is told. */

/** As many random bits as anybody could want, in letters that can go anywhere. */
function madeUp(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24))
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_')
}

/** What the server knows of us: see docs/people.md. */
interface Known {
  id: string
  name: string
  avatar: string
  tables: readonly string[]
}

class Me {
  /** Whether nobody can know us yet: there is nothing to ask then. */
  unknown = false
  key = storage.read('key', '') || this.renew()
  /** Our id, for everybody to know; empty until the server has said it. */
  person = $state('')
  /** Open tables where we have sat down, from whatever device. */
  tables = $state.raw<readonly string[]>([])

  /** Be somebody new. */
  renew(): string {
    this.key = madeUp()
    this.unknown = true
    storage.write('key', this.key)
    return this.key
  }

  /** What we are called on our other devices, and where we sit. */
  async look(): Promise<void> {
    if (this.unknown) return
    const { name } = memory
    try {
      const response = await this.fetch('/api/me')
      if (response.ok) this.adopt((await response.json()) as Known, name)
    } catch {
      // Without a connection we are who we were here.
    }
  }

  /** `called`: what we were called when we asked. Who has written another name meanwhile means it. */
  adopt({ id, name, avatar, tables }: Known, called = memory.name): void {
    this.person = id
    this.tables = tables
    if (name && memory.name === called) memory.become(name, avatar)
  }

  /** Our other devices are to know what we are called. Nobody minds if they don't. */
  publish(): void {
    const { player: name, avatar } = memory
    this.unknown = false
    const body = JSON.stringify({ name, avatar })
    void this.fetch('/api/me', { method: 'PUT', body, keepalive: true }).catch(() => undefined) // also if we go elsewhere at once
  }

  /** Ask the server, as the one we are. */
  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const address = new URL(path, location.origin)
    address.searchParams.set('language', language)
    return fetch(address, { ...init, headers: { ...init.headers, Authorization: `bearer ${this.key}` } })
  }
}

export const me = new Me()
