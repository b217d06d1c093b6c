/** The connection that start.js has opened while the page was on its way. */

import type { ClientOptions } from '@croupier/client'

interface Early {
  socket: WebSocket
  /** What has come meanwhile. */
  messages: MessageEvent[]
}

declare global {
  interface Window {
    croupierEarly?: Early
  }
}

function connect(url: string): WebSocket {
  const early = window.croupierEarly
  delete window.croupierEarly
  if (early?.socket.url !== url || early.socket.readyState > WebSocket.OPEN) {
    early?.socket.close()
    return new WebSocket(url)
  }
  // Whoever takes it says at once who is to hear what comes.
  queueMicrotask(() => early.messages.forEach((message) => early.socket.onmessage?.(message)))
  return early.socket
}

/** Makes WebSockets; the first of them is the early one, if it leads to the same place and is of use. */
export const EarlyWebSocket = connect as unknown as NonNullable<ClientOptions['WebSocket']>
