import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { actorIn, type Guards } from '../../platform/credentials/guards.ts'
import { assertHasOps } from '../../platform/credentials/service-roles.ts'
import { needs } from '../../platform/http/docs/openapi.ts'
import { ErrorBody } from '../../platform/schema.ts'
import type { UploadedArchives } from './archive/upload-archive.ts'
import { Basemap, BasemapArchive, BasemapChoice } from './schema.ts'
import type { BasemapService } from './service.ts'

const tags = ['Administration']
const security = needs.user

type Parts = { service: BasemapService; uploads: UploadedArchives; guards: Guards }

/** Mounted under /api/v1. */
export const basemapRoutes =
  ({ service, uploads, guards }: Parts): FastifyPluginAsyncZod =>
  async (app) => {
    app.addHook('onRequest', guards.user)
    app.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      assertHasOps(guards.userOf(request))
    })

    app.get(
      '/box/basemap',
      {
        schema: {
          tags,
          security,
          operationId: 'getBasemap',
          summary: 'Get the basemap of the console',
          description: 'What the console’s maps draw below pins and zones. Requires ops or admin.',
          response: { 200: Basemap, 403: ErrorBody },
        },
      },
      async () => service.get(),
    )

    app.put(
      '/box/basemap',
      {
        schema: {
          tags,
          security,
          operationId: 'setBasemap',
          summary: 'Set the basemap of the console',
          description:
            'Applies to every page of the console that is opened afterwards, without a restart. A choice has precedence over `CAIRN_MAP_STYLE_URL`. The content security policy of the console allows the host of the chosen style and no other. Requires ops or admin; the choice is audited.',
          body: BasemapChoice,
          response: { 200: Basemap, 403: ErrorBody },
        },
      },
      async (request) => service.choose(request.body, actorIn(guards.userOf(request), request)),
    )

    app.put(
      '/box/basemap/archive',
      {
        schema: {
          tags,
          security,
          operationId: 'replaceBasemapArchive',
          summary: 'Replace the archive of the basemap',
          description:
            'Copies a PMTiles archive that the caller has uploaded, for example resumably, into the data folder of the process that responds, in place of the one before. The uploaded file stays. Returns 400 and changes nothing if the file is not the caller’s or cannot be drawn. Returns 409 if `CAIRN_BASEMAP` names the archive. With several machines, put the file on each. Requires ops or admin; audited.',
          body: BasemapArchive,
          response: { 200: Basemap, 403: ErrorBody, 409: ErrorBody },
        },
      },
      async (request) => {
        const user = guards.userOf(request)
        await uploads.replace(request.body.fileId, user.id, actorIn(user, request))
        return service.get()
      },
    )

    app.delete(
      '/box/basemap/archive',
      {
        config: { needsDiskSpace: false },
        schema: {
          tags,
          security,
          operationId: 'deleteBasemapArchive',
          summary: 'Delete the archive of the basemap',
          description:
            'Deletes the PMTiles archives in the data folder of the process that responds. If they are chosen, maps draw the bundled map from then on. Returns 409 if `CAIRN_BASEMAP` names the archive. With several machines, remove the file on each. Requires ops or admin; audited.',
          response: { 204: z.null(), 403: ErrorBody, 404: ErrorBody, 409: ErrorBody },
        },
      },
      async (request, reply) => {
        await uploads.remove(actorIn(guards.userOf(request), request))
        return reply.code(204).send(null)
      },
    )
  }
