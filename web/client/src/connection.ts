import { Lost, Refused } from './errors.ts'
import type { Message, Problem, Reply, Request, Welcome } from './protocol/native.ts'

/** A request without what the connection adds. */
export type Wish = Request extends infer R ? (R extends Request ? Omit<R, 'id'> : never) : never

/** What the server says by itself. */
export type Told = Exclude<Message, Reply | Welcome>

/** What is needed of a WebSocket: that of a browser has it, and that of the package `ws`. */
export interface Socket {
  onmessage: unknown
  onclose: unknown
  onerror: unknown
  send(text: string): void
  close(): void
}

export type SocketClass = new (url: string) => Socket

interface Listener {
  /** A connection stands, for the first time or again: the server knows nothing of us yet. */
  connected(welcome: Welcome): void
  told(message: Told): void
  lost(): void
}

/** A request that is on its way, or is to be sent as soon as there is a connection. */
interface Asked {
  wish: Wish
  answer(reply: Reply): void
  fail(error: Error): void
}

const FIRST_WAIT = 250
const LONGEST_WAIT = 8000
/** How long silence may last before we ask whether anybody is there. */
const QUIET = 30_000
/** The same while an answer is awaited: a line that dies without a word is noticed when it is needed. */
const UNANSWERED = 3500
/** How long that question may go unanswered, or a new connection take, before we take it for dead. */
const PATIENCE = 4000
/** After being told that we send too much. */
const BREATH = 1000
/** How often we look at the time. */
const TICK = 500

/** A WebSocket that comes back by itself. */
export class Connection {
  private socket: Socket | null = null
  private welcomed = false
  /** Whether there has ever been a connection. */
  private known = false
  private pending = new Map<number, Asked>()
  private waiting: Asked[] = []
  private lastId = 0
  private wait = FIRST_WAIT
  private retry: ReturnType<typeof setTimeout> | undefined
  /** When to ask whether anybody is there; and when, without a word, to take the line for dead. */
  private probeAt = Infinity
  private deadAt = Infinity
  /** What the server says once a second to who sends too much, and not of which request. */
  private warning: Problem = { code: 'too_fast', message: 'it was not read' }
  private skew = 0
  private readonly clock = setInterval(() => this.look(), TICK)
  private readonly closed = new AbortController()

  constructor(
    private readonly url: string,
    private readonly WebSocket: SocketClass,
    private readonly listener: Listener,
  ) {
    const { signal } = this.closed
    // Where there is a browser around us, it knows more.
    globalThis.addEventListener?.('online', () => this.hurry(), { signal })
    // The socket may not know for minutes. If it is a false alarm, the next one stands in a moment.
    globalThis.addEventListener?.('offline', () => this.socket && this.failed(), { signal })
    globalThis.document?.addEventListener('visibilitychange', () => document.hidden || this.hurry(), { signal })
    this.connect()
  }

  /** The server's time. */
  now(): number {
    return Date.now() + this.skew
  }

  /** Resolves with what `read` makes of the reply, the moment that it comes; rejects with `Refused`, or with `Lost`. Without a
   * connection, it is sent with the next one; but who has never had one is told that there is no server. */
  request<T>(wish: Wish, read: (reply: Reply) => T): Promise<T> {
    return new Promise((resolve, fail) => {
      const answer = (reply: Reply) => (reply.error ? fail(refused(reply.error)) : resolve(read(reply)))
      const asked = { wish, answer, fail }
      if (this.closed.signal.aborted) fail(new Lost())
      else if (this.welcomed) this.send(asked)
      else this.waiting.push(asked)
    })
  }

  /** Hang up and connect anew: the only way to leave a table without giving up the seat. */
  reset(): void {
    this.hangUp()
    this.listener.lost()
    this.wait = FIRST_WAIT
    this.connect()
  }

  /** Hang up for good. */
  close(): void {
    this.closed.abort()
    clearInterval(this.clock)
    clearTimeout(this.retry)
    this.hangUp()
    this.refuse(new Lost())
  }

  private send(asked: Asked): void {
    this.pending.set(++this.lastId, asked)
    this.probeAt = Math.min(this.probeAt, Date.now() + UNANSWERED)
    this.socket!.send(JSON.stringify({ ...asked.wish, id: this.lastId }))
  }

  private connect(): void {
    clearTimeout(this.retry)
    const socket = (this.socket = new this.WebSocket(this.url))
    // On a dead line, a browser would wait for minutes. The longer we are without one, the slower we may believe it to be.
    this.deadAt = Date.now() + PATIENCE + this.wait
    socket.onmessage = ({ data }: { data: unknown }) => socket === this.socket && this.receive(JSON.parse(String(data)) as Message)
    socket.onclose = () => socket === this.socket && this.failed()
    socket.onerror = () => undefined // it is closed next; and in Node, an error that nobody listens to ends the program
  }

  private receive(message: Message): void {
    const now = Date.now()
    this.deadAt = Infinity
    if (message.type === 'welcome') {
      this.welcomed = this.known = true
      this.wait = FIRST_WAIT
      this.listener.connected(message)
      while (this.welcomed && this.waiting.length) this.send(this.waiting.shift()!)
    } else if (message.type === 'reply') {
      if (message.at != null) this.skew = message.at - now
      if (message.id != null) this.answered(message.id, message)
      else if (message.error) {
        this.warning = message.error
        setTimeout(() => this.probe(), BREATH)
      }
    } else {
      if (message.type === 'fact') this.skew = message.at - now
      this.listener.told(message)
    }
    this.probeAt = now + (this.pending.size ? UNANSWERED : QUIET)
  }

  /** Requests are answered in their order: what was sent before and has no answer by now was not done. */
  private answered(id: number, reply: Reply): void {
    for (const [earlier, asked] of this.pending) {
      if (earlier > id) break
      this.pending.delete(earlier)
      if (earlier === id) asked.answer(reply)
      else asked.fail(refused(this.warning))
    }
  }

  private failed(): void {
    this.hangUp()
    this.listener.lost()
    if (!this.known) this.refuse(new Error(`there is no server at ${this.url}`))
    // Many clients lose their server at the same moment; they should not all come back at the same moment.
    this.retry = setTimeout(() => this.connect(), this.wait * (0.75 + Math.random() / 2))
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT)
  }

  private hangUp(): void {
    const { socket, pending } = this
    this.socket = null
    this.welcomed = false
    this.probeAt = this.deadAt = Infinity
    this.pending = new Map()
    socket?.close()
    for (const { fail } of pending.values()) fail(new Lost())
  }

  /** What waits for a connection does so in vain. */
  private refuse(error: Error): void {
    for (const { fail } of this.waiting.splice(0)) fail(error)
  }

  /** The network is back, or somebody looks at the page again: no time to lose. */
  private hurry(): void {
    if (this.welcomed) return this.probe()
    this.hangUp() // an attempt that began without a network may hang for long
    this.wait = FIRST_WAIT
    this.connect()
  }

  private look(): void {
    const now = Date.now()
    if (now > this.deadAt) this.failed()
    else if (now > this.probeAt) this.probe()
  }

  /** It may take minutes to notice that the other end is gone. Asking for an answer finds out. */
  private probe(): void {
    if (!this.welcomed || this.deadAt < Infinity) return
    // Something that costs the server nothing and changes nothing. Any reply will do, a refusal too.
    this.request({ type: 'see', table: '-' }, () => undefined).catch(() => undefined)
    this.deadAt = Date.now() + PATIENCE
  }
}

function refused({ code, message, data }: Problem): Refused {
  return new Refused(code, message, data)
}
