import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { actorIn, type Guards, mustBeAdmin, mustHaveOps } from '../../platform/credentials/guards.ts'
import { needs } from '../../platform/http/docs/openapi.ts'
import { pageRows } from '../../platform/http/pages.ts'
import { ErrorBody } from '../../platform/schema.ts'
import type { BoxHealth } from './health.ts'
import type { JobService } from './job-service.ts'
import { Health, JobList, JobParams, JobQuery, type Limit, LimitList } from './schema.ts'

const tags = ['Box']
const security = needs.user

type Parts = { health: BoxHealth; jobs: JobService; limits: Limit[]; guards: Guards }

/** Mounted under /api/v1. */
export const boxRoutes =
  ({ health, jobs, limits, guards }: Parts): FastifyPluginAsyncZod =>
  async (app) => {
    app.addHook('onRequest', guards.user)
    app.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      mustHaveOps(guards.userOf(request))
    })

    app.get(
      '/box/health',
      {
        schema: {
          tags,
          security,
          summary: 'How this installation fares',
          description:
            'For ops and admins: its parts, disk, database, processes, queues and webhooks, as the process that answers sees them. Each part is asked anew, and has two seconds to answer.',
          response: { 200: Health, 403: ErrorBody },
        },
      },
      async () => health(),
    )

    app.get(
      '/box/jobs',
      {
        schema: {
          tags,
          security,
          summary: 'Jobs that failed, run or wait; newest first',
          description:
            'For ops and admins. Queues are `convert` (GLB to USDZ), `scan`, `scan-weather`, `gcp-csv-fetch`, `gcp-csv-import` (with `-by-header` where a header line was sent along) and `purge-app`. Jobs that ended well are not listed; those that failed are kept for a week.',
          querystring: JobQuery,
          response: { 200: JobList, 403: ErrorBody },
        },
      },
      async (request, reply) => ({ jobs: pageRows(request, reply, await jobs.list(request.query)) }),
    )

    app.post(
      '/box/jobs/:queue/:id/retry',
      {
        onRequest: async (request) => mustBeAdmin(guards.userOf(request)),
        config: { needsRoom: false },
        schema: {
          tags,
          security,
          summary: 'Do a job again that failed',
          description:
            'For admins; the audit log tells of it. 409 for a job that did not fail, and where its scan or import has failed or ended: these have a retry of their own, which the answer names.',
          params: JobParams,
          response: { 204: z.null(), 403: ErrorBody, 404: ErrorBody, 409: ErrorBody },
        },
      },
      async (request, reply) => {
        const { queue, id } = request.params
        await jobs.retry(queue, id, actorIn(guards.userOf(request), request))
        return reply.code(204).send(null)
      },
    )

    app.get(
      '/box/limits',
      {
        schema: {
          tags,
          security,
          summary: 'The limits and sizes in effect',
          description: 'For ops and admins, by the setting of each.',
          response: { 200: LimitList, 403: ErrorBody },
        },
      },
      async () => ({ limits }),
    )
  }
