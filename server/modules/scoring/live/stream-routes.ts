import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { UserCaller } from '../../../platform/credentials/callers.ts'
import { needs } from '../../../platform/http/docs/openapi.ts'
import { refuseParameters } from '../../../platform/http/requests/refuse-parameters.ts'
import { APP_KEY, APP_MEMBER, memberId, SESSION } from '../../../platform/live/record-stream.ts'
import { Events, EventsQuery, lastEventIdOf, sendEvents } from '../../../platform/live/sse-response.ts'
import { ErrorBody, timestamp } from '../../../platform/schema.ts'
import { boardLimit } from '../leaderboards/schema.ts'
import { OF_ALL_TIME } from '../periods/schema.ts'
import type { ScoringParts } from '../routes.ts'
import { TypeChoice, TypeQuery } from '../schema.ts'
import { defaultGame } from '../types/store.ts'
import type { BoardFollower } from './live-boards.ts'
import type { StreamGrant } from './stream-tokens.ts'

const tags = ['Leaderboards']

const StreamToken = z
  .object({ token: z.string(), expiryTime: timestamp.describe('When the token can no longer connect') })
  .meta({ id: 'StreamToken' })

const StreamQuery = TypeQuery.extend({
  limit: boardLimit,
  token: z.string().optional().describe('From `POST …/stream-token`; it determines the leaderboard'),
  ...EventsQuery.shape,
})

/** The board as server-sent events, and the tokens that browsers connect with. */
export const streamRoutes =
  ({ leaderboards, liveBoards, streamTokens, guards }: ScoringParts): FastifyPluginAsyncZod =>
  async (app) => {
    const grants = new WeakMap<object, StreamGrant>()
    app.addHook('preClose', async () => liveBoards.close())

    app.post(
      '/leaderboards/stream-token',
      {
        config: { clientKey: true, keyOnly: true, needsDiskSpace: false, holdsSecret: true },
        onRequest: guards.app,
        preValidation: refuseParameters(OF_ALL_TIME),
        schema: {
          tags,
          security: [{ appKey: [] }],
          operationId: 'createStreamToken',
          summary: 'Create a stream token for a leaderboard',
          description:
            "EventSource in a browser cannot send headers: pass it this token as `token` instead. The token is valid for one minute to connect, and only for its leaderboard. The stream continues after that; it ends with the app key that created the token. Request the token on your game's server, or wherever the app key is already known.",
          body: TypeChoice.nullish(),
          response: { 200: StreamToken, 404: ErrorBody },
        },
      },
      async (request, reply) => {
        const { id: appId, keyId } = guards.appOf(request)
        const { typeKey } = await leaderboards.ofAllTime(appId, request.body ?? {})
        reply.header('cache-control', 'no-store')
        return streamTokens.make({ appId, keyId, typeKey })
      },
    )

    app.get(
      '/leaderboards/stream',
      {
        config: { clientKey: true },
        exposeHeadRoute: false,
        onRequest: async (request) => {
          const { token } = request.query as { token?: unknown }
          if (token === undefined) await guards.app(request)
          else grants.set(request, await streamTokens.open(token))
        },
        preValidation: refuseParameters(OF_ALL_TIME),
        schema: {
          tags,
          security: [...needs.appKey!, {}],
          operationId: 'streamLeaderboard',
          summary: 'Stream a leaderboard',
          description:
            'Server-sent events of a leaderboard of all time: `window`, `season`, `segment` and `at` return 400. Requires an app key, the session of a member with `x-app-id`, or a token from `POST …/stream-token`. The first event is `board`: the best `limit` entries, as `GET …/mini-game` returns them. Then, within a second of each change in any process of the service, come `entries` events: `{changed: [entry with index], removed: [playerId]}`. First take out all removed and changed players, then insert each changed entry at its index, in the order given. Ranks follow from the order. Each event has an ID. Reconnect with `Last-Event-ID` (or `lastEventId`) to receive what was missed, or a `board` event if that is no longer known. A comment every 15 s keeps the connection open. The stream ends when the app key is rotated or deleted, the session ends, the caller is no longer a member of the app, the type is hidden, or the service stops. At most 1,000 streams per app and 100 per user (429), 4,000 for all apps together (503).',
          querystring: StreamQuery,
          response: {
            200: Events,
            404: ErrorBody,
            503: ErrorBody,
          },
        },
      },
      async (request, reply) => {
        const { limit, token: _, lastEventId: __, ...choice } = request.query
        const grant = grants.get(request)
        const app = guards.maybeAppOf(request)
        const user = guards.maybeUserOf(request)
        const appId = grant?.appId ?? app!.id
        const follower = user && app ? member(user, appId) : keyHolder(appId, grant?.keyId ?? app!.keyId)
        const granted = grant && { miniGameTypeId: grant.typeKey === defaultGame ? undefined : grant.typeKey }
        const board = await leaderboards.ofAllTime(appId, granted ?? choice)
        const lastEventId = lastEventIdOf(request, request.query)
        return sendEvents(reply, await liveBoards.open({ appId, limit, ...board }, follower, lastEventId))
      },
    )
  }

const member = ({ id, sessionId }: UserCaller, appId: string): BoardFollower => ({
  caller: { kind: 'user', id },
  needs: [
    { what: SESSION, id: sessionId },
    { what: APP_MEMBER, id: memberId(appId, id) },
  ],
})

const keyHolder = (appId: string, keyId: string): BoardFollower => ({
  caller: { kind: 'app', id: appId },
  needs: [{ what: APP_KEY, id: keyId }],
})
