import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Guards } from '../../platform/guards.ts'
import { needs } from '../../platform/openapi.ts'
import { ErrorBody, pathId } from '../../platform/schema.ts'
import { App, AppList, NewApp } from './schema.ts'
import type { AppService } from './service.ts'

const tags = ['Apps']

/** Mounted under /api/v1/apps. */
export const appRoutes =
  ({ service, guards }: { service: AppService; guards: Guards }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '',
      {
        onRequest: guards.user,
        schema: { tags, summary: "The caller's apps", security: needs.user, response: { 200: AppList } },
      },
      async (request, reply) => {
        reply.header('cache-control', 'no-store')
        return { apps: await service.ownedBy(guards.userOf(request).id) }
      },
    )

    app.post(
      '',
      {
        onRequest: guards.user,
        schema: {
          tags,
          summary: 'Create an app and its key',
          security: needs.user,
          body: NewApp,
          response: { 201: App },
        },
      },
      async (request, reply) => {
        reply.header('cache-control', 'no-store')
        return reply.code(201).send(await service.create(guards.userOf(request).id, request.body))
      },
    )

    app.get(
      '/public',
      { schema: { tags, summary: 'Public apps, keys masked', response: { 200: AppList } } },
      async () => ({ apps: await service.listPublic() }),
    )

    app.get(
      '/:id',
      {
        onRequest: guards.optionalUser,
        schema: {
          tags,
          summary: 'One app',
          security: needs.optionalUser,
          params: z.object({ id: pathId('App') }),
          response: { 200: App, 404: ErrorBody },
        },
      },
      async (request, reply) => {
        reply.header('cache-control', 'no-store')
        return service.get(request.params.id, guards.maybeUserOf(request)?.id)
      },
    )
  }
