import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Guards, UserCaller } from '../credentials/guards.ts'
import type { LiveRecords, Seen } from './live-records.ts'
import { type EventsQuery, lastEventIdOf, sendEvents } from './sse-response.ts'

/** What a stream that was opened with a session needs, as `Streams.endWith` has it. */
export const SESSION = 'session'

type FollowedRecord = {
  /** What the change feed tells of it. */
  topic: string
  subject: string
  /** Tells it from others of the topic. */
  id: string | number
  /** Reads it as its GET does for this user. @throws the refusal of that GET */
  read: (viewer: UserCaller | undefined) => Promise<Seen>
}

export type FollowRecord = ReturnType<typeof recordFollower>

/** Answers requests, whose query is `EventsQuery`, with the events of a record, for whoever asks, for as long as that one may see it; 204 when there is nothing more to come. */
export const recordFollower =
  ({ records, guards }: { records: LiveRecords; guards: Guards }) =>
  async (request: FastifyRequest, reply: FastifyReply, { id, read, ...followed }: FollowedRecord) => {
    const sessionId = guards.maybeUserOf(request)?.sessionId
    const stream = await records.follow(
      { ...followed, key: `${id} ${sessionId ?? ''}`, read: async () => read(await guards.userNow(request)) },
      {
        caller: guards.senderOf(request),
        needs: sessionId ? [{ what: SESSION, id: sessionId }] : [],
        lastEventId: lastEventIdOf(request, request.query as z.infer<typeof EventsQuery>),
      },
    )
    return stream ? sendEvents(reply, stream) : reply.code(204).send()
  }
