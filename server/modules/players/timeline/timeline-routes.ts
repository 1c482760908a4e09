import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Guards } from '../../../platform/credentials/guards.ts'
import { notFound } from '../../../platform/errors.ts'
import { needs } from '../../../platform/http/docs/openapi.ts'
import { pageRows } from '../../../platform/http/pages.ts'
import { ErrorBody, pathId } from '../../../platform/schema.ts'
import type { PlayerStore } from '../store.ts'
import { Timeline, TimelineQuery } from './timeline-schema.ts'
import type { TimelineStore } from './timeline-store.ts'

type Parts = { timelines: TimelineStore; players: Pick<PlayerStore, 'get'>; guards: Guards }

/** Mounted under /api/v1/apps. */
export const timelineRoutes =
  ({ timelines, players, guards }: Parts): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/players/:playerId/timeline',
      {
        onRequest: guards.app,
        schema: {
          tags: ['Players'],
          security: needs.appKey,
          operationId: 'listPlayerTimeline',
          summary: "List a player's timeline",
          description:
            'Everything that happened to a player, the newest first: sessions, scores (current and former ones), held scores and their reviews, check-ins, and what people changed. Former scores are kept for the `historyDays` of their mini game type, changes for 400 days. `X-Total-Count` counts up to 10,000.',
          params: z.object({ playerId: pathId('Player') }),
          querystring: TimelineQuery,
          response: { 200: Timeline, 404: ErrorBody },
        },
      },
      async (request, reply) => {
        const { id } = guards.appOf(request)
        const { playerId } = request.params
        if (!(await players.get(id, playerId))) throw notFound('Player')
        reply.header('cache-control', 'no-store')
        return { timeline: pageRows(request, reply, await timelines.page(id, playerId, request.query)) }
      },
    )
  }
