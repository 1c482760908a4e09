import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { UserCaller } from '../../platform/credentials/callers.ts'
import type { Guards } from '../../platform/credentials/guards.ts'
import { needs } from '../../platform/http/docs/openapi.ts'
import type { FollowRecord } from '../../platform/live/record-stream.ts'
import { Events, EventsQuery, NothingMore, RECORD_EVENTS } from '../../platform/live/sse-response.ts'
import { ErrorBody } from '../../platform/schema.ts'
import { Scan, ScanChange, ScanList, ScanPage, ScanParams, UserScansQuery } from './schema.ts'
import type { ScanService } from './service.ts'

const tags = ['Scans']
const security = needs.user

/** What streams and presenters need. */
const TOPIC = 'scan'

type Deps = { service: ScanService; guards: Guards; follow: FollowRecord }

/** Registered under /api/v1. */
export const scanRoutes =
  ({ service, guards, follow }: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    // URLs of private scans are signed.
    app.addHook('onSend', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })

    app.get(
      '/user/scans',
      {
        onRequest: guards.user,
        schema: {
          tags,
          security,
          operationId: 'listScans',
          summary: "List the caller's scans",
          description:
            'Ordered by timestamp, then ID. A page beyond the end is empty. `scans` and `pagination` are read in one snapshot.',
          querystring: UserScansQuery,
          response: { 200: ScanList },
        },
      },
      async (request) => service.ofUser(guards.userOf(request), request.query),
    )

    app.get(
      '/scans/public-scans',
      {
        config: { clientKey: true },
        onRequest: guards.app,
        schema: {
          tags,
          security: needs.appKey,
          operationId: 'listPublicScans',
          summary: 'List public scans',
          description: 'Lists the public, COMPLETED scans of all users, newest timestamp first.',
          querystring: ScanPage,
          response: { 200: ScanList },
        },
      },
      async (request) => service.ofAll(request.query),
    )

    app.get(
      '/user/scans/:id',
      {
        onRequest: guards.user,
        schema: {
          tags,
          security,
          operationId: 'getScan',
          summary: 'Get a scan',
          description: 'Returns 404 for everyone but its owner and ops.',
          params: ScanParams,
          response: { 200: Scan, 404: ErrorBody },
        },
      },
      async (request) => service.get(guards.userOf(request), request.params.id),
    )

    app.get(
      '/user/scans/:id/stream',
      {
        exposeHeadRoute: false,
        onRequest: guards.user,
        schema: {
          tags,
          security,
          operationId: 'streamScan',
          summary: 'Stream the processing of a scan',
          description: `The last state is COMPLETED or FAILED; for a GLB, it comes once its USDZ exists or has failed too. ${RECORD_EVENTS}`,
          params: ScanParams,
          querystring: EventsQuery,
          response: { 200: Events, 204: NothingMore, 404: ErrorBody, 503: ErrorBody },
        },
      },
      async (request, reply) => {
        const { id } = request.params
        const read = (viewer?: UserCaller) => service.progress(viewer!, id)
        return follow(request, reply, { topic: TOPIC, subject: id, id, read })
      },
    )

    app.patch(
      '/user/scans/:id',
      {
        onRequest: guards.user,
        schema: {
          tags,
          security,
          operationId: 'updateScan',
          summary: 'Update a scan',
          description:
            'Omitted members are unchanged; `null` clears. `lat` and `long` change together. If the place or time changes, `location` and `timeOfDay` follow at once, `weather` (`null` until then) shortly after. `visibility` takes effect at once, also for the file, its preview and its USDZ; what was public may stay in caches for five minutes.',
          params: ScanParams,
          body: ScanChange,
          response: { 200: Scan, 404: ErrorBody },
        },
      },
      async (request) => service.change(guards.userOf(request), request.params.id, request.body),
    )

    app.delete(
      '/user/scans/:id',
      {
        onRequest: guards.user,
        schema: {
          tags,
          security,
          operationId: 'deleteScan',
          summary: 'Delete a scan',
          description:
            'Also deletes its preview, its file and the USDZ made from it. The file of a public scan remains if a pin or another record of its owner or of ops uses it.',
          params: ScanParams,
          response: { 204: z.null().describe('Deleted'), 404: ErrorBody },
        },
      },
      async (request, reply) => {
        await service.remove(guards.userOf(request), request.params.id)
        return reply.code(204).send(null)
      },
    )

    app.post(
      '/user/scans/:id/retry',
      {
        onRequest: guards.user,
        schema: {
          tags,
          security,
          operationId: 'retryScan',
          summary: 'Retry a scan',
          description:
            'Processes a failed scan again, or one that no process has worked on for an hour. Returns 409 for any other.',
          params: ScanParams,
          response: { 200: Scan, 404: ErrorBody, 409: ErrorBody },
        },
      },
      async (request) => service.retry(guards.userOf(request), request.params.id),
    )
  }
