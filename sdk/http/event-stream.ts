import type { Connection } from './connection.ts'
import { CairnError, errorOf } from './error.ts'
import { pause, waitAfter } from './retry.ts'

/** One server-sent event. `data` is parsed JSON. */
export type StreamEvent = { event: string; id: string; data: unknown }

export type FollowOptions = {
  signal?: AbortSignal
  /** Resumes after this event. Missed events are sent first. */
  lastEventId?: string
  /** Called when the stream opens, and when it breaks and reconnects. */
  onConnection?: (isOpen: boolean) => void
}

type Stream = {
  url: string
  path?: unknown
  /** Called for each connection, so that short-lived tokens are fresh. */
  query?: () => Promise<object> | object
  anonymous?: boolean
}

/** The service sends a comment every 15 s. After 45 s of silence the connection is considered dead. */
const SILENCE_MS = 45_000

/** Follows an event stream. Reconnects with `Last-Event-ID` and exponential backoff. Ends when the service responds with 204, or on `break`. @throws CairnError if the service refuses, such as 401, 403 or 404; the abort reason if `signal` aborts */
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
      const request = { method: 'GET', url, path, query: await query?.(), headers, anonymous, repeatable: true }
      const response = await connection.open(request, AbortSignal.any([ended.signal, ...(signal ? [signal] : [])]))
      if (!response.ok) throw errorOf(response, await response.text())
      if (response.status === 204 || !response.body) return
      onConnection?.(true)
      for await (const event of readEvents(response.body, () => ended.abort())) {
        failures = refusals = 0
        if (event.id) last = event.id
        if (event.data !== undefined) yield event
      }
      onConnection?.(false)
      // The stream ended normally: at its last state, or because the service is stopping. Reconnecting tells which.
      await pause(waitAfter(++failures, connection.plan, null), signal)
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      const isRefused = error instanceof CairnError && error.status >= 400 && error.status < 500
      // The token may have expired. Get a new one, once.
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

/** Yields a record now and after each change, until its final state. */
export async function* followRecord<Record>(
  connection: Connection,
  stream: Stream,
  options?: FollowOptions,
): AsyncGenerator<Record, void, undefined> {
  for await (const { data } of follow(connection, stream, options)) yield data as Record
}

/** Parses server-sent events with JSON data (WHATWG HTML, 9.2.6); one without data sets the ID alone. Ends when the stream ends, breaks or falls silent. */
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
  if (fields.data) return { ...fields, data: JSON.parse(fields.data) }
  return fields.id ? { ...fields, data: undefined } : undefined
}
