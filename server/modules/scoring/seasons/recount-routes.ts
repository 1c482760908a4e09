import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { actorIn, assertFullSession } from '../../../platform/credentials/guards.ts'
import { needs } from '../../../platform/http/docs/openapi.ts'
import { ErrorBody, pathId } from '../../../platform/schema.ts'
import type { ScoringParts } from '../routes.ts'
import { SeasonRecount } from './schema.ts'

/** Mounted under /api/v1/apps. */
export const seasonRecountRoutes =
  ({ seasonRecount, guards }: ScoringParts): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/seasons/:id/recount',
      {
        onRequest: guards.user,
        schema: {
          tags: ['Seasons'],
          security: needs.user,
          operationId: 'recountSeason',
          summary: 'Recount the leaderboard of an ended season',
          description:
            'Applies corrections made since the end of the season to its leaderboard: scores that were lowered count as they are now (with `sortOrder: asc`, those that were raised), and scores of removed players, of players whose `standing` is not `normal`, and of deleted sessions no longer count. Better scores written after the end do not count. Needs a session of a member, and is in the audit log. Returns 409 until 15 seconds after the end, and once the history of scores no longer reaches back to it.',
          params: z.object({ id: pathId('Season') }),
          querystring: z.object({ appId: z.string().max(255).describe('The app of the season') }),
          response: { 200: SeasonRecount, 403: ErrorBody, 404: ErrorBody, 409: ErrorBody },
        },
      },
      async (request) => {
        const user = guards.appUserOf(request)
        assertFullSession(user)
        const { appId } = request.query
        return { changed: await seasonRecount(appId, request.params.id, user, actorIn(user, request)) }
      },
    )
  }
