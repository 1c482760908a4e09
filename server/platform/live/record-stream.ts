import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { UserCaller } from '../credentials/callers.ts'
import type { Guards } from '../credentials/guards.ts'
import type { LiveRecords, Seen } from './live-records.ts'
import { type EventsQuery, lastEventIdOf, sendEvents } from './sse-response.ts'

/** The kind of dependency of streams opened with a session; see `Streams.endWith`. */
export const SESSION = 'session'
/** That of streams opened with an app key. */
export const APP_KEY = 'app key'
/** That of streams opened beside the token of a player, with the token as the ID. */
export const PLAYER_TOKEN = 'player token'
/** That of streams opened by a member of an app, with the IDs of the app and the user. */
export const APP_MEMBER = 'app member'
export const memberId = (appId: string, userId: string): string => `${appId} ${userId}`

type FollowedRecord = {
  /** Its topic in the change feed. */
  topic: string
  subject: string
  /** Identifies the record in the topic. */
  id: string | number
  /** Reads the record as its GET does for this user. @throws the error of that GET */
  read: (viewer: UserCaller | undefined) => Promise<Seen>
}

export type FollowRecord = ReturnType<typeof recordFollower>

/**
 * Handles requests (with query `EventsQuery`) for the events of a record, for as long as the caller may see it; 204 if
 * nothing more follows.
 */
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
