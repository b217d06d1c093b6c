import { language } from '@croupier/table'
import { granted } from '../lib/opinions.svelte'

/** What the server tells whoever has the operator's token. It is kept only as long as this tab is. */

export interface Overview {
  version: string
  at: number
  uptime: number
  node: string | null
  nodes: readonly string[]
  bus: string | null
  connections: number
  tables: readonly { game: string; phase: 'waiting' | 'playing' | 'over'; count: number }[]
  open_tables: number
  frozen_tables: number
  entries: number
  commit_ms: number | null
  late_ms: number
  waiting: number
  memory: number | null
  journal: string
  troubles: number
  reports: number
  bans: number
}

export interface TableRow {
  id: string
  game: string
  name: string
  phase: 'waiting' | 'playing' | 'over' | 'closed'
  locked: boolean
  watchers: number
  opened_at: number
  opener?: string
  latest?: number
  lobby?: { listed?: boolean }
  options: Record<string, unknown>
  players: readonly { seat: number; name: string; bot?: string; away?: boolean; person?: string; address?: string }[]
}

export interface PersonRow {
  address: string
  person: string
  name: string
  protocol: string
  table: { id: string; name: string; game: string } | null
  seat: number | null
}

export interface Trouble {
  at: number
  kind: string
  sentence: string
  about: Record<string, string>
  error: string
}

export interface Report {
  id: string
  at: number
  reporter: string
  person: string
  name: string
  table: string
  game: string
  number: number
  why: string
  said: readonly { name: string; text: string; at: number }[]
  done_at: number | null
}

export interface Ban {
  what: 'address' | 'person'
  value: string
  until: number | null
  why: string
  at: number
}

const KEY = 'croupier operator'

class Operator {
  token = $state(sessionStorage.getItem(KEY) ?? '')
  /** Somebody who is about to be banned. */
  suspect = $state.raw<{ what: 'address' | 'person'; value: string } | null>(null)

  enter(token: string): void {
    this.token = token
    sessionStorage.setItem(KEY, token)
  }

  leave(): void {
    this.token = ''
    sessionStorage.removeItem(KEY)
  }

  async ask(path: string, method = 'GET', body?: unknown): Promise<Response> {
    const address = new URL(`/api/operator${path}`, location.origin)
    address.searchParams.set('language', language)
    const init = { method, headers: { Authorization: `Bearer ${this.token}` }, body: body === undefined ? undefined : JSON.stringify(body) }
    return granted(await fetch(address, init))
  }

  async read<T>(path: string): Promise<T> {
    return (await (await this.ask(path)).json()) as T
  }
}

export const operator = new Operator()

/** A list that is told page by page, all of it that was asked for. */
export class Listing<T> {
  rows = $state.raw<readonly T[]>([])
  more = $state(false)
  total = $state<number | undefined>()
  private pages = 1

  constructor(
    private readonly what: string,
    private readonly query: () => Record<string, string> = () => ({}),
  ) {}

  async read(): Promise<void> {
    const rows: T[] = []
    let next: number | null = 0
    for (let page = 0; page < this.pages && next !== null; page++) {
      const query: string = new URLSearchParams({ ...this.query(), offset: String(next) }).toString()
      const told: Record<string, unknown> = await operator.read(`/${this.what}?${query}`)
      rows.push(...(told[this.what] as T[]))
      this.total = told['total'] as number | undefined
      next = told['next'] as number | null
    }
    this.rows = rows
    this.more = next !== null
  }

  async further(): Promise<void> {
    this.pages++
    await this.read()
  }
}

const moment = new Intl.DateTimeFormat(language, { dateStyle: 'short', timeStyle: 'medium' })
export const when = (at: number) => moment.format(at)
