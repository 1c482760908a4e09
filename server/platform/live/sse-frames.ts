/** Tells browsers when to reconnect. */
export const RETRY = Buffer.from('retry: 3000\n\n')
/** A comment that keeps connections through proxies open. */
export const HEARTBEAT = Buffer.from(':\n\n')

/** A server-sent event (WHATWG HTML, 9.2.5). Without a name it is a `message`; without an ID, the one before stays. */
export const eventFrame = ({ event, id, data }: { event?: string; id?: string; data: string }): Buffer =>
  Buffer.from(`${event ? `event: ${event}\n` : ''}${id ? `id: ${id}\n` : ''}data: ${data}\n\n`)

/** Sets the ID with which the client reconnects, without an event. */
export const idFrame = (id: string): Buffer => Buffer.from(`id: ${id}\n\n`)
