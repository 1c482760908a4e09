import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { actorIn, type Guards } from '../../platform/credentials/guards.ts'
import { assertHasOps } from '../../platform/credentials/service-roles.ts'
import { needs } from '../../platform/http/docs/openapi.ts'
import { ErrorBody } from '../../platform/schema.ts'
import { Basemap, BasemapChoice } from './schema.ts'
import type { BasemapService } from './service.ts'

const tags = ['Administration']
const security = needs.user

/** Mounted under /api/v1. */
export const basemapRoutes =
  ({ service, guards }: { service: BasemapService; guards: Guards }): FastifyPluginAsyncZod =>
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
  }
