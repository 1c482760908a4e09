import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { inForms } from '../http/docs/openapi.ts'

/** The query of a stream. */
export const EventsQuery = z.object({
  lastEventId: z
    .string()
    .max(255)
    .optional()
    .describe('Same as the header Last-Event-ID, which a new EventSource cannot send'),
})

/** The response of a stream in the OpenAPI document. */
export const Events = inForms('Server-sent events', { 'text/event-stream': z.string() })

/** The last event that the caller has seen, if given. */
export const lastEventIdOf = (request: FastifyRequest, query: z.infer<typeof EventsQuery>): string | undefined =>
  (request.headers['last-event-id'] ?? query.lastEventId)?.toString()

/** Sends the events of a stream as they come, and disables buffering by proxies. */
export function sendEvents(reply: FastifyReply, stream: Readable): FastifyReply {
  return reply
    .headers({ 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
    .send(stream)
}

/** The shared part of the descriptions of record streams. */
export const RECORD_EVENTS =
  'Server-sent events without a name (`message`): first the record as GET returns it, then the whole record after each change, in any process of the service. Reconnect with `Last-Event-ID` (or `lastEventId`): the record is sent only if it differs from that event. The stream ends after the last state. A client that has seen it and reconnects gets 204, which makes an EventSource stop. The stream also ends if the record is deleted or the caller loses access to it. A comment every 15 s keeps the connection open. At most 100 streams per user or address (429), 500 for callers without a session together, 5,000 in total (503).'

/** The response to a client that has seen the final state of a record. */
export const NothingMore = z.null().describe('Nothing more follows: do not reconnect')
