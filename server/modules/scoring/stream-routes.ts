import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { needs } from '../../platform/http/openapi.ts'
import { answerEvents, Events, EventsQuery, lastEventIdOf } from '../../platform/live/event-answer.ts'
import { ErrorBody, moment } from '../../platform/schema.ts'
import { boardLimit } from './leaderboard-schema.ts'
import type { ScoringParts } from './routes.ts'
import { TypeChoice, TypeQuery } from './schema.ts'
import type { StreamGrant } from './stream-tokens.ts'
import { defaultGame } from './type-store.ts'

const tags = ['Leaderboards']

const StreamToken = z.object({ token: z.string(), expiryTime: moment }).meta({ id: 'StreamToken' })

const StreamQuery = TypeQuery.extend({
  limit: boardLimit,
  token: z.string().optional().describe('From POST …/stream-token; it names the board'),
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
        config: { needsRoom: false, holdsSecret: true },
        onRequest: guards.app,
        schema: {
          tags,
          security: needs.appKey,
          summary: 'A token for the stream of one leaderboard',
          description:
            "For browsers, whose EventSource sends no headers: good for one minute to connect with, and for the board it was made for. A stream outlives its token; it ends with the app key that the token was made with. Ask for it on your game's server, or where the app key is known anyway.",
          body: TypeChoice.nullish(),
          response: { 200: StreamToken, 404: ErrorBody },
        },
      },
      async (request, reply) => {
        const { id: appId, keyId } = guards.appOf(request)
        const { typeKey } = await leaderboards.choose(appId, request.body ?? {})
        reply.header('cache-control', 'no-store')
        return streamTokens.make({ appId, keyId, typeKey })
      },
    )

    app.get(
      '/leaderboards/stream',
      {
        exposeHeadRoute: false,
        onRequest: async (request) => {
          const { token } = request.query as { token?: unknown }
          if (token === undefined) await guards.app(request)
          else grants.set(request, await streamTokens.open(token))
        },
        schema: {
          tags,
          security: [...needs.appKey!, {}],
          summary: 'A leaderboard as it changes: server-sent events',
          description:
            'Needs an app key, or a token from POST …/stream-token. First an event `board`: the best `limit` entries, as GET …/mini-game answers them. Then, within a second of each change, by whichever process of the service, events `entries`: `{changed: [entry with index], removed: [playerId]}`. Take out who was removed or changed, then put each changed entry in at its index, in the order given; ranks follow from the order. Each event has an id: connect again with `Last-Event-ID` (or `lastEventId`) and what was missed is sent, or a `board` event when that is not known any more. A comment every 15 s keeps the connection. The stream ends when the app key is rotated or deleted, the type is hidden, or the service stops. 1,000 streams an app (429), 4,000 of all apps (503).',
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
        const appId = grant?.appId ?? app!.id
        const keyId = grant?.keyId ?? app!.keyId
        const granted = grant && { miniGameTypeId: grant.typeKey === defaultGame ? undefined : grant.typeKey }
        const board = await leaderboards.choose(appId, granted ?? choice)
        const lastEventId = lastEventIdOf(request, request.query)
        return answerEvents(reply, await liveBoards.open({ appId, limit, ...board }, keyId, lastEventId))
      },
    )
  }
