import { Readable } from 'node:stream'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { inForms, needs } from '../../../platform/http/docs/openapi.ts'
import { PageQuery, pageRows } from '../../../platform/http/pages.ts'
import { refuseParameters } from '../../../platform/http/requests/refuse-parameters.ts'
import { ErrorBody, pathId } from '../../../platform/schema.ts'
import type { ScoringParts } from '../routes.ts'
import { ScoreFilter } from '../schema.ts'
import { NewSeason, Season, SeasonChange, SeasonList } from './schema.ts'

const tags = ['Seasons']
const security = needs.appKey
const params = z.object({ id: pathId('Season') })
const errors = { 404: ErrorBody }
const FIXED = {
  values: { startsAt: [], miniGameTypeId: [], miniGameTypeName: [] },
  message: 'cannot be changed: omit it, or create another season',
}

/** Mounted under /api/v1/apps. */
export const seasonRoutes =
  ({ seasonStore, seasons, seasonExport, types, guards }: ScoringParts): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/seasons',
      {
        config: { clientKey: true },
        schema: {
          tags,
          security,
          operationId: 'listSeasons',
          summary: "List the app's seasons",
          description: 'The latest start first.',
          querystring: PageQuery.extend(ScoreFilter.shape),
          response: { 200: SeasonList, ...errors },
        },
      },
      async (request, reply) => {
        const { id } = guards.appOf(request)
        const typeKey = await types.keyOf(id, request.query)
        return { seasons: pageRows(request, reply, await seasonStore.page(id, typeKey, request.query)) }
      },
    )

    app.post(
      '/seasons',
      {
        schema: {
          tags,
          security,
          operationId: 'createSeason',
          summary: 'Create a season',
          description:
            'The leaderboard of a season counts the scores written from `startsAt` until before `endsAt`, by the clock of the database: of each game session the score that was last written in the season. After its end it changes only by a recount, and by the deletion of players. With `repeat`, the next season begins a day, week or month later at the same local time, also across daylight saving time; it is listed from when this one begins. Returns 409 if the app has reached its quota of seasons, or 4 other seasons of the type overlap with it.',
          body: NewSeason,
          response: { 201: Season, ...errors, 409: ErrorBody },
        },
      },
      async (request, reply) => reply.code(201).send(await seasons.create(guards.appOf(request).id, request.body)),
    )

    app.get(
      '/seasons/:id',
      {
        config: { clientKey: true },
        schema: {
          tags,
          security,
          operationId: 'getSeason',
          summary: 'Get a season',
          params,
          response: { 200: Season, ...errors },
        },
      },
      async (request) => seasons.get(guards.appOf(request).id, request.params.id),
    )

    app.patch(
      '/seasons/:id',
      {
        preValidation: refuseParameters(FIXED),
        schema: {
          tags,
          security,
          operationId: 'updateSeason',
          summary: 'Update a season',
          description:
            'A new `endsAt` must be at least 15 seconds from now. The start and the mini game type cannot be changed (400). Returns 409 once the season has ended.',
          params,
          body: SeasonChange,
          response: { 200: Season, ...errors, 409: ErrorBody },
        },
      },
      async (request) => seasons.change(guards.appOf(request).id, request.params.id, request.body),
    )

    app.delete(
      '/seasons/:id',
      {
        schema: {
          tags,
          security,
          operationId: 'deleteSeason',
          summary: 'Delete a season',
          description:
            'Deletes the season with its leaderboard; scores and other leaderboards are unchanged. Deleting an upcoming season of a series ends the series.',
          params,
          response: { 204: z.null().describe('Deleted'), ...errors },
        },
      },
      async (request, reply) => {
        await seasons.remove(guards.appOf(request).id, request.params.id)
        return reply.code(204).send(null)
      },
    )

    app.get(
      '/seasons/:id/export',
      {
        schema: {
          tags,
          security,
          operationId: 'exportSeason',
          summary: 'Export the leaderboard of a season',
          description:
            'CSV (RFC 4180) of all entries, best first: rank, player, score, game session and times. While the season is running, entries that move during the export may be missing or appear twice. Returns 503 with `Retry-After` until the leaderboard is made.',
          params,
          response: { 200: inForms('The leaderboard', { 'text/csv': z.string() }), ...errors, 503: ErrorBody },
        },
      },
      async (request, reply) => {
        const { id: appId } = guards.appOf(request)
        const { id } = await seasons.getMade(appId, request.params.id)
        reply.type('text/csv; charset=utf-8').header('content-disposition', `attachment; filename="season-${id}.csv"`)
        return reply.send(Readable.from(seasonExport(appId, id)) as never)
      },
    )
  }
