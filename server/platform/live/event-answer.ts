import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { inForms } from '../http/openapi.ts'

/** The query of a stream. */
export const EventsQuery = z.object({
  lastEventId: z
    .string()
    .max(255)
    .optional()
    .describe('As the header Last-Event-ID, which a new EventSource cannot send'),
})

/** A stream of events in the description. */
export const Events = inForms('Server-sent events', { 'text/event-stream': z.string() })

/** The last event that the caller has seen, if it says so. */
export const lastEventIdOf = (request: FastifyRequest, query: z.infer<typeof EventsQuery>): string | undefined =>
  (request.headers['last-event-id'] ?? query.lastEventId)?.toString()

/** Sends the events of a stream as they come, past proxies that would collect them. */
export function answerEvents(reply: FastifyReply, stream: Readable): FastifyReply {
  return reply
    .headers({ 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
    .send(stream)
}

/** What the description of a stream of one record says of all of them. */
export const RECORD_EVENTS =
  'Server-sent events without a name (`message`): first the record as GET answers it, then the whole record again whenever it changed, whichever process of the service changed it. Connect again with `Last-Event-ID` (or `lastEventId`) and it is sent only if it is not as that event had it. After its last state the stream ends; whoever comes back having seen that is answered 204, at which an EventSource stays away. It ends as well when the record is gone, or is not for the caller any more. A comment every 15 s keeps the connection. 100 streams a user or address (429), 500 of those without a session together and 5,000 in all (503).'

/** To who has seen the last state of a record. */
export const NothingMore = z.null().describe('There is nothing more to come: do not connect again')
