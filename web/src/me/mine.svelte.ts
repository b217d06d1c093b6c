import { storage } from '@croupier/table'
import { me } from '../lib/me.svelte'
import { memory } from '../lib/memory.svelte'

/** What the server keeps of us, and what we can do about it. See docs/people.md. */

export interface Device {
  id: string
  label: string
  made_at: number
  seen_at: number
  this: boolean
}

export interface Passkey {
  id: string
  label: string
  made_at: number
}

export interface About {
  id: string
  name: string
  avatar: string
  /** Whether nobody but us sees our page. */
  hidden: boolean
  devices: readonly Device[]
  tables: readonly string[]
  /** Left out where the server has no passkeys. */
  passkeys?: readonly Passkey[]
}

/** Whether this browser has passkeys for this address: it has to have a name, and to have come safely. */
export function passkeysWork(): boolean {
  const named = !/^[\d.]+$|^\[/.test(location.hostname)
  return isSecureContext && named && 'PublicKeyCredential' in window && 'parseCreationOptionsFromJSON' in PublicKeyCredential
}

class Mine {
  about = $state.raw<About | null>(null)

  async look(): Promise<void> {
    const { name } = memory
    this.take(await this.ask('GET'), name)
  }

  async code(): Promise<string> {
    const { code } = await this.ask<{ code: string }>('POST', '/code')
    await this.look() // this device is written down with it
    return code
  }

  async use(code: string): Promise<void> {
    this.take(await this.ask('POST', '/devices', { code }))
  }

  async hide(hidden: boolean): Promise<void> {
    const { player: name, avatar } = memory
    this.take(await this.ask('PUT', '', { name, avatar, hidden }))
  }

  async rename(device: Device, label: string): Promise<void> {
    this.take(await this.ask('PUT', `/devices/${device.id}`, { label }))
  }

  async signOut(device: Device): Promise<void> {
    await this.ask('DELETE', `/devices/${device.id}`)
    if (device.this) me.renew()
    await this.look()
  }

  /** The file, to be saved. */
  async exported(): Promise<Blob> {
    return (await this.answer('GET', '/export')).blob()
  }

  async forget(): Promise<void> {
    await this.ask('DELETE')
    me.renew()
    storage.write('played', {})
    await this.look()
  }

  take(about: About, called?: string): void {
    this.about = about
    me.adopt(about, called)
  }

  async ask<T = About>(method: string, path = '', body?: unknown): Promise<T> {
    const response = await this.answer(method, path, body)
    return (response.status === 204 ? undefined : await response.json()) as T
  }

  private async answer(method: string, path: string, body?: unknown): Promise<Response> {
    const response = await me.fetch(`/api/me${path}`, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
    if (!response.ok) throw new Error(((await response.json()) as { error: string }).error)
    return response
  }
}

export const mine = new Mine()
