import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Guards } from '../../../platform/credentials/guards.ts'
import { playerTokenOf } from '../../../platform/credentials/player-tokens.ts'
import { needs } from '../../../platform/http/docs/openapi.ts'
import { APP_KEY, APP_MEMBER, memberId, PLAYER_TOKEN, SESSION } from '../../../platform/live/record-stream.ts'
import { Events, EventsQuery, lastEventIdOf, sendEvents } from '../../../platform/live/sse-response.ts'
import { ErrorBody } from '../../../platform/schema.ts'
import type { liveFenceEvents } from './live-events.ts'

type Deps = { live: ReturnType<typeof liveFenceEvents>; guards: Guards }

const EVENTS =
  'Server-sent events without a name (`message`), within a second of each event in any process of the service: the event as `POST …/positions` returns it, with `playerId`. Events of a player are in order. Reconnect with `Last-Event-ID` (or `lastEventId`) to receive what was missed in the last ten minutes, up to 5,000 events. A comment every 15 s keeps the connection open.'

/** The events of fences as server-sent events. Mounted under /api/v1/apps. */
export const fenceStreamRoutes =
  ({ live, guards }: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    app.addHook('onRequest', guards.app)
    app.addHook('preClose', async () => live.close())

    app.get(
      '/fences/stream',
      {
        exposeHeadRoute: false,
        schema: {
          tags: ['Fences'],
          security: needs.appKey,
          operationId: 'streamFenceEvents',
          summary: 'Stream the events of all fences',
          description: `${EVENTS} The stream ends when the app key is rotated or deleted, when the session ends, or when the caller is no longer a member of the app. At most 1,000 streams per app and 100 per user (429), 4,000 for all apps together (503).`,
          querystring: EventsQuery,
          response: { 200: Events, 503: ErrorBody },
        },
      },
      async (request, reply) => {
        const { id, keyId } = guards.appOf(request)
        const user = guards.maybeUserOf(request)
        const asMember = user && [
          { what: SESSION, id: user.sessionId },
          { what: APP_MEMBER, id: memberId(id, user.id) },
        ]
        const stream = await live.follow(id, {
          playerId: undefined,
          caller: guards.senderOf(request),
          needs: asMember ?? [{ what: APP_KEY, id: keyId }],
          lastEventId: lastEventIdOf(request, request.query),
        })
        return sendEvents(reply, stream)
      },
    )

    app.get(
      '/positions/stream',
      {
        exposeHeadRoute: false,
        config: { clientKey: 'player', keyOnly: true },
        schema: {
          tags: ['Fences'],
          security: [{ appKey: [] }],
          operationId: 'streamPlayerFenceEvents',
          summary: "Stream the player's own events at fences",
          description: `${EVENTS} The stream ends with the token and with the key. At most 1,000 streams per app (429), 4,000 for all apps together (503).`,
          querystring: EventsQuery,
          response: { 200: Events, 403: ErrorBody, 503: ErrorBody },
        },
      },
      async (request, reply) => {
        const { id, keyId } = guards.appOf(request)
        const stream = await live.follow(id, {
          playerId: guards.maybePlayerOf(request)!.id,
          caller: guards.senderOf(request),
          needs: [
            { what: APP_KEY, id: keyId },
            { what: PLAYER_TOKEN, id: playerTokenOf(request)! },
          ],
          lastEventId: lastEventIdOf(request, request.query),
        })
        return sendEvents(reply, stream)
      },
    )
  }
