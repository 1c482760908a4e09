import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import { forbidden } from '../../platform/errors.ts'
import { needs } from '../../platform/http/docs/openapi.ts'
import { PageQuery, pageRows } from '../../platform/http/pages.ts'
import { refuseParameters } from '../../platform/http/requests/refuse-parameters.ts'
import { sendLongPage } from '../../platform/http/responses/streamed-rows.ts'
import { ErrorBody, pathId, queryBoolean, SEARCHED } from '../../platform/schema.ts'
import { OF_ALL_TIME } from '../scoring/periods/schema.ts'
import type { PlayerListStore } from './list-store.ts'
import { Player, PlayerChange, PlayerList, PlayerListing, PlayerUpdate, PlayerWithRankings } from './schema.ts'
import type { PlayerService } from './service.ts'

const tags = ['Players']
const security = needs.appKey
const params = z.object({ id: pathId('Player') })

/** A player as a key may see it: a standing other than `normal` is for server keys, attributes also for the player itself. playerListStore does the same in SQL. */
function shownTo<Shown extends Player>(guards: Guards, request: object, player: Shown): Shown {
  const { standing, standingNote, attributes, ...rest } = player
  const { seesAll } = guards.viewerOf(request)
  const isOwn = guards.maybePlayerOf(request)?.id === player.id
  return {
    ...rest,
    ...(seesAll && standing !== 'normal' && { standing, standingNote }),
    ...((seesAll || isOwn) && attributes && { attributes }),
  } as Shown
}

/** Mounted under /api/v1/apps. */
export const playerRoutes =
  ({
    lists,
    service,
    guards,
  }: {
    lists: PlayerListStore
    service: PlayerService
    guards: Guards
  }): FastifyPluginAsyncZod =>
  async (app) => {
    // Moderators look after players.
    app.addHook('onRoute', (route) => {
      if (!['GET', 'HEAD'].includes(String(route.method))) route.config = { ...route.config, appRole: 'moderator' }
    })
    app.addHook('onRequest', guards.app)

    app.get(
      '/players',
      {
        config: { clientKey: true },
        schema: {
          tags,
          security,
          operationId: 'listPlayers',
          summary: "List the app's players",
          description: `Oldest first, unless \`sort\` says otherwise. \`search\` matches any part of the display name and ignores case; \`%\` and \`_\` are literal. ${SEARCHED}`,
          querystring: PageQuery.extend(PlayerListing.shape),
          response: { 200: PlayerList, 403: ErrorBody },
        },
      },
      async (request, reply) => {
        const { standing } = request.query
        if (standing && !guards.viewerOf(request).seesAll)
          throw forbidden('Only server keys and members see the standing of players: leave standing out')
        const viewer = { ...guards.viewerOf(request), playerId: guards.maybePlayerOf(request)?.id }
        const page = await lists.page(guards.appOf(request).id, request.query, viewer)
        if ('batches' in page) return sendLongPage(request, reply, page, 'players') as never
        return { players: pageRows(request, reply, page).map((player) => shownTo(guards, request, player)) }
      },
    )

    app.post(
      '/players',
      {
        schema: {
          tags,
          security,
          operationId: 'createPlayer',
          summary: 'Create a player',
          description: 'Returns 409 if another player of the app has the display name, ignoring case.',
          body: PlayerChange,
          response: { 200: Player, 409: ErrorBody },
        },
      },
      async (request) => shownTo(guards, request, await service.create(guards.appOf(request).id, request.body)),
    )

    app.get(
      '/players/:id',
      {
        config: { clientKey: true },
        preValidation: refuseParameters(OF_ALL_TIME),
        schema: {
          tags,
          security,
          operationId: 'getPlayer',
          summary: 'Get a player',
          params,
          querystring: z.object({
            includeGlobalRankings: queryBoolean
              .default(false)
              .describe(
                'Adds `globalRankings` of all time, one for each mini game type with a written score, and `appName`',
              ),
          }),
          response: { 200: z.union([PlayerWithRankings, Player]), 404: ErrorBody },
        },
      },
      async (request) => {
        const caller = guards.appOf(request)
        const { id } = request.params
        return request.query.includeGlobalRankings
          ? shownTo(guards, request, await service.getWithRankings(caller, id, guards.viewerOf(request)))
          : shownTo(guards, request, await service.get(caller, id))
      },
    )

    app.patch(
      '/players/:id',
      {
        config: { clientKey: { ofPlayer: 'id' } },
        schema: {
          tags,
          security,
          operationId: 'updatePlayer',
          summary: 'Update a player',
          description:
            'With `standing: hidden`, only the player sees its scores, and they count in no rank; `banned` also refuses its scores and registrations (403) and ends its player tokens; `normal` brings its scores back. Leaderboards that have ended do not change. A player token cannot change `userId`, `standing` or `attributes` (403).',
          params,
          body: PlayerUpdate,
          response: { 200: Player, 403: ErrorBody, 404: ErrorBody, 409: ErrorBody },
        },
      },
      async (request) => {
        const { id } = request.params
        const caller = guards.appOf(request)
        if (guards.maybePlayerOf(request)) await service.checkOwnChange(caller, id, request.body)
        return shownTo(guards, request, await service.update(caller.id, id, request.body, guards.actorInApp(request)))
      },
    )

    app.delete(
      '/players/:id',
      {
        schema: {
          tags,
          security,
          operationId: 'deletePlayer',
          summary: 'Delete a player and its scores',
          description: 'Its leaderboard entries and its profile image are deleted at once.',
          params,
          response: { 204: z.null(), 404: ErrorBody },
        },
      },
      async (request, reply) => {
        await service.remove(guards.appOf(request), request.params.id)
        return reply.code(204).send(null)
      },
    )
  }
