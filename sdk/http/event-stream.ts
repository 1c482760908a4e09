import type { Connection } from './connection.ts'
import { CairnError, errorOf } from './error.ts'
import { pause, waitAfter } from './retry.ts'

/** One server-sent event. `data` is what its JSON says. */
export type StreamEvent = { event: string; id: string; data: unknown }

export type FollowOptions = {
  signal?: AbortSignal
  /** Goes on after this event: what was missed is sent first. */
  lastEventId?: string
  /** Told whenever the stream opens, and whenever it breaks and is tried again. */
  onConnection?: (isOpen: boolean) => void
}

type Stream = {
  url: string
  path?: unknown
  /** Asked for at each connection, so that a short-lived token in it is fresh. */
  query?: () => Promise<object> | object
  anonymous?: boolean
}

/** The service sends a comment every 15 s. After three that did not come, the connection is taken for dead. */
const SILENCE_MS = 45_000

/** Follows a stream of events, and connects again with `Last-Event-ID` whenever it breaks, with growing waits.
 * Ends when the service answers that nothing more will come (204), and when it is left (`break`).
 * @throws CairnError when the service refuses, such as 401, 403 or 404; the reason of `signal` once it is aborted */
export async function* follow(
  connection: Connection,
  { url, path, query, anonymous = false }: Stream,
  { signal, lastEventId, onConnection }: FollowOptions = {},
): AsyncGenerator<StreamEvent, void, undefined> {
  let last = lastEventId
  let failures = 0
  let refusals = 0
  for (;;) {
    const ended = new AbortController()
    try {
      const headers = { accept: 'text/event-stream', ...(last ? { 'last-event-id': last } : {}) }
      const sending = { method: 'GET', url, path, query: await query?.(), headers, anonymous, repeatable: true }
      const response = await connection.open(sending, AbortSignal.any([ended.signal, ...(signal ? [signal] : [])]))
      if (!response.ok) throw errorOf(response, await response.text())
      if (response.status === 204 || !response.body) return
      onConnection?.(true)
      for await (const event of readEvents(response.body, () => ended.abort())) {
        failures = refusals = 0
        if (event.id) last = event.id
        yield event
      }
      onConnection?.(false)
      // It ended in order, at its last state or because the service stops: coming back tells.
      await pause(waitAfter(++failures, connection.plan, null), signal)
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      const isRefused = error instanceof CairnError && error.status >= 400 && error.status < 500
      // A token that ended in between: ask for another one, once.
      const isTokenOver = isRefused && error.status === 401 && query !== undefined && refusals++ === 0
      if (isRefused && !isTokenOver && ![408, 429].includes(error.status)) throw error
      onConnection?.(false)
      const retryAfter = error instanceof CairnError ? error.retryAfter : null
      await pause(waitAfter(++failures, connection.plan, retryAfter), signal)
    } finally {
      ended.abort()
    }
  }
}

/** A record now and after each change, until its last state. */
export async function* followRecord<Record>(
  connection: Connection,
  stream: Stream,
  options?: FollowOptions,
): AsyncGenerator<Record, void, undefined> {
  for await (const { data } of follow(connection, stream, options)) yield data as Record
}

/** Reads server-sent events (WHATWG HTML, 9.2.6) whose data is JSON. Ends when the stream ends, breaks or falls silent. */
async function* readEvents(body: ReadableStream<Uint8Array>, cut: () => void): AsyncGenerator<StreamEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const silence = setTimeout(cut, SILENCE_MS)
      const { done, value } = await reader.read().finally(() => clearTimeout(silence))
      if (done) return
      const blocks = (rest + decoder.decode(value, { stream: true })).replaceAll('\r\n', '\n').split('\n\n')
      rest = blocks.pop()!
      for (const block of blocks) {
        const event = eventIn(block)
        if (event) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

function eventIn(block: string): StreamEvent | undefined {
  const fields = { event: 'message', id: '', data: '' }
  for (const line of block.split('\n')) {
    const [, name, value] = /^(event|id|data): ?(.*)$/.exec(line) ?? []
    if (name === 'data') fields.data += (fields.data && '\n') + value
    else if (name) fields[name as 'event' | 'id'] = value!
  }
  return fields.data ? { ...fields, data: JSON.parse(fields.data) } : undefined
}
