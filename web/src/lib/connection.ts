import type { Message, Reply, Request, Welcome } from '@croupier/table/native'
import { t } from '../words'

/** A request without what the connection adds. */
export type Wish = Request extends infer R ? (R extends Request ? Omit<R, 'id'> : never) : never

/** The server said no. `code` is for programs, the message for people. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    sentence: string,
  ) {
    super(sentence)
  }
}

/** What to tell people about an error. */
export function sentence(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  const first = text.slice(0, 1).toUpperCase() + text.slice(1)
  return /[.!?…]$/.test(first) ? first : `${first}.`
}

/** The code of a refusal; empty for any other error. */
export function code(error: unknown): string {
  return error instanceof Refused ? error.code : ''
}

export interface Listener {
  /** A connection stands, for the first time or again: the server knows nothing of us yet. */
  connected(welcome: Welcome): void
  /** Anything but replies. */
  told(message: Exclude<Message, Reply | Welcome>): void
  lost(): void
  /** The server's time, seen in a message that has just come. */
  time(at: number): void
}

/** The connection was lost before the answer came: whether it was done, nobody knows. */
export class Lost extends Error {}

const FIRST_WAIT = 250
const LONGEST_WAIT = 8000
/** How long silence may last before we ask whether anybody is there. */
const QUIET = 30_000
/** The same while an answer is awaited: a line that dies without a word is noticed when it is needed. */
const UNANSWERED = 3500
/** How long that question may go unanswered, or a new connection take, before we take it for dead. */
const PATIENCE = 4000

/** A WebSocket that comes back by itself. */
export class Connection {
  private socket: WebSocket | null = null
  private welcomed = false
  private pending = new Map<number, { since: number; resolve(reply: Reply): void; reject(error: Error): void }>()
  private lastId = 0
  private wait = FIRST_WAIT
  private retry: ReturnType<typeof setTimeout> | undefined
  private heardAt = 0
  private probing = false

  constructor(
    private readonly url: string,
    private readonly listener: Listener,
  ) {
    addEventListener('online', () => this.hurry())
    // The socket may not know for minutes. If it is a false alarm, the next one stands in a moment.
    addEventListener('offline', () => this.socket && this.failed())
    document.addEventListener('visibilitychange', () => document.hidden || this.hurry())
    setInterval(() => this.listen(), 500)
    this.connect()
  }

  /** Resolves with the reply; rejects with `Refused`, with `Lost`, or with another error when there is no connection. */
  request(wish: Wish): Promise<Reply> {
    return new Promise((resolve, reject) => {
      if (!this.socket || !this.welcomed) return reject(new Error(t.noConnection))
      const id = ++this.lastId
      this.pending.set(id, { since: Date.now(), resolve, reject })
      this.socket.send(JSON.stringify({ ...wish, id }))
    })
  }

  /** Hang up and connect anew: the only way to leave a table without giving up the seat. */
  reset(): void {
    this.hangUp()
    this.listener.lost()
    this.wait = FIRST_WAIT
    this.connect()
  }

  private connect(): void {
    clearTimeout(this.retry)
    const socket = (this.socket = new WebSocket(this.url))
    socket.onmessage = ({ data }) => socket === this.socket && this.receive(JSON.parse(data as string) as Message)
    socket.onclose = () => socket === this.socket && this.failed()
    // On a dead line, a browser would wait for minutes. The longer we are without one, the slower we may believe it to be.
    setTimeout(() => socket === this.socket && !this.welcomed && this.failed(), PATIENCE + this.wait)
  }

  private receive(message: Message): void {
    this.heardAt = Date.now()
    if (message.type === 'welcome') {
      this.welcomed = true
      this.wait = FIRST_WAIT
      this.listener.connected(message)
    } else if (message.type === 'reply') {
      if (message.at != null) this.listener.time(message.at)
      const request = this.pending.get(message.id ?? -1)
      this.pending.delete(message.id ?? -1)
      if (message.error) request?.reject(new Refused(message.error.code, message.error.message))
      else request?.resolve(message)
    } else {
      if (message.type === 'fact') this.listener.time(message.at)
      this.listener.told(message)
    }
  }

  private failed(): void {
    this.hangUp()
    this.listener.lost()
    // Many clients lose their server at the same moment; they should not all come back at the same moment.
    this.retry = setTimeout(() => this.connect(), this.wait * (0.75 + Math.random() / 2))
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT)
  }

  private hangUp(): void {
    const socket = this.socket
    this.socket = null
    this.welcomed = false
    socket?.close()
    const lost = new Lost(t.connectionLost)
    for (const { reject } of this.pending.values()) reject(lost)
    this.pending.clear()
  }

  /** The network is back, or somebody looks at the page again: no time to lose. */
  private hurry(): void {
    if (this.welcomed) return void this.probe()
    this.hangUp() // an attempt that began without a network may hang for long
    this.wait = FIRST_WAIT
    this.connect()
  }

  private listen(): void {
    const waiting = Math.min(...[...this.pending.values()].map(({ since }) => since))
    const now = Date.now()
    if (now - this.heardAt > QUIET || now - Math.max(waiting, this.heardAt) > UNANSWERED) void this.probe()
  }

  /** A browser may take minutes to notice that the other end is gone. Asking for an answer finds out. */
  private async probe(): Promise<void> {
    const socket = this.socket
    if (!this.welcomed || this.probing) return
    this.probing = true
    const asked = Date.now()
    // Something that costs the server nothing and changes nothing. Any reply will do, a refusal too.
    const answer = this.request({ type: 'see', table: '-' }).catch(() => undefined)
    await Promise.race([answer, new Promise((resolve) => setTimeout(resolve, PATIENCE))])
    this.probing = false
    if (socket === this.socket && this.heardAt < asked) this.failed()
  }
}
