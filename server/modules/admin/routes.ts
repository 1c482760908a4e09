import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { actorIn, type Guards } from '../../platform/credentials/guards.ts'
import { assertHasOps, assertIsAdmin } from '../../platform/credentials/service-roles.ts'
import { needs } from '../../platform/http/docs/openapi.ts'
import { pageRows } from '../../platform/http/pages.ts'
import { ErrorBody } from '../../platform/schema.ts'
import type { BoxHealth } from './health.ts'
import type { JobService } from './job-service.ts'
import { Health, JobList, JobParams, JobQuery, type Limit, LimitList } from './schema.ts'

const tags = ['Administration']
const security = needs.user

type Deps = { health: BoxHealth; jobs: JobService; limits: Limit[]; guards: Guards }

/** Mounted under /api/v1. */
export const boxRoutes =
  ({ health, jobs, limits, guards }: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    app.addHook('onRequest', guards.user)
    app.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      assertHasOps(guards.userOf(request))
    })

    app.get(
      '/box/health',
      {
        schema: {
          tags,
          security,
          operationId: 'getHealth',
          summary: 'Get the health of this installation',
          description:
            'Requires ops or admin. Covers parts, disk, database, processes, queues, webhooks and scheduled backups, as seen by the process that responds. Each part is checked on every request and has two seconds to respond.',
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
          operationId: 'listJobs',
          summary: 'List background jobs',
          description:
            'Lists failed, active and waiting jobs, newest first. Requires ops or admin. The queues are `convert` and `convert-with-options` (models to USDZ), `convert-to-glb`, `scan`, `scan-weather`, `gcp-csv-fetch` and `gcp-csv-import` (each with `-by-header` if a header line was sent) and `purge-app`. Successful jobs are not listed. Failed jobs are kept for a week.',
          querystring: JobQuery,
          response: { 200: JobList, 403: ErrorBody },
        },
      },
      async (request, reply) => ({ jobs: pageRows(request, reply, await jobs.list(request.query)) }),
    )

    app.post(
      '/box/jobs/:queue/:id/retry',
      {
        onRequest: async (request) => assertIsAdmin(guards.userOf(request)),
        config: { needsDiskSpace: false },
        schema: {
          tags,
          security,
          operationId: 'retryJob',
          summary: 'Retry a failed job',
          description:
            'Requires admin; the retry is audited. Returns 409 for a job that has not failed, and for one whose scan or import has failed or ended: these have their own retry operation, which the response names.',
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
          operationId: 'listLimits',
          summary: 'List the limits in effect',
          description: 'Lists limits and sizes, each with the setting that controls it. Requires ops or admin.',
          response: { 200: LimitList, 403: ErrorBody },
        },
      },
      async () => ({ limits }),
    )
  }
