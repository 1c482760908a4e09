import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { actorIn, type Guards, mustBeFull } from '../../platform/credentials/guards.ts'
import { needs } from '../../platform/http/docs/openapi.ts'
import { PageQuery, pageRows } from '../../platform/http/pages.ts'
import { ErrorBody, pathId } from '../../platform/schema.ts'
import { App, AppChange, AppContents, AppDeletion, AppFilter, AppList, KeyRotation, NewApp } from './schema.ts'
import type { AppService } from './service.ts'

const tags = ['Apps']
const params = z.object({ id: pathId('App') })
const fullOnly = 'A session from a six-digit code cannot do this.'

/** Mounted under /api/v1/apps. */
export const appRoutes =
  ({ service, guards }: { service: AppService; guards: Guards }): FastifyPluginAsyncZod =>
  async (app) => {
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })
    const full = [guards.user, async (request: object) => mustBeFull(guards.userOf(request))]
    const actor = (request: Parameters<typeof actorIn>[1]) => actorIn(guards.userOf(request), request)

    app.get(
      '',
      {
        onRequest: guards.user,
        schema: {
          tags,
          summary: "The caller's apps, oldest first",
          description:
            'With their keys, except to a session from a six-digit code. Each view of keys is audited. With all=true those of everybody, PRIVATE ones too, keys masked and with their ownerId: for ops and admins, else 403; that is audited as well.',
          security: needs.user,
          querystring: PageQuery.extend(AppFilter.shape),
          response: { 200: AppList, 403: ErrorBody },
        },
      },
      async (request, reply) => {
        const { all, ...query } = request.query
        const user = guards.userOf(request)
        const page = all
          ? await service.listAll(user, query, actor(request))
          : await service.ownedBy(user, query, actor(request))
        return { apps: pageRows(request, reply, page) }
      },
    )

    app.post(
      '',
      {
        config: { holdsSecret: true },
        onRequest: full,
        schema: {
          tags,
          summary: 'Create an app and its key',
          description: fullOnly,
          security: needs.user,
          body: NewApp,
          response: { 201: App, 403: ErrorBody },
        },
      },
      async (request, reply) =>
        reply.code(201).send(await service.create(guards.userOf(request), request.body, actor(request))),
    )

    app.get(
      '/public',
      {
        onRequest: guards.optionalUser,
        schema: {
          tags,
          security: needs.optionalUser,
          summary: 'Public apps, oldest first, keys masked',
          querystring: PageQuery,
          response: { 200: AppList },
        },
      },
      async (request, reply) => ({ apps: pageRows(request, reply, await service.listPublic(request.query)) }),
    )

    app.get(
      '/:id',
      {
        onRequest: guards.optionalUser,
        schema: {
          tags,
          summary: 'One app',
          description: 'A PRIVATE app is 404 to all but its owner; of a PUBLIC one others see the key masked.',
          security: needs.optionalUser,
          params,
          response: { 200: App, 404: ErrorBody },
        },
      },
      async (request) => {
        const user = guards.maybeUserOf(request)
        return service.get(request.params.id, user, user ? actor(request) : { actor: 'anonymous', address: request.ip })
      },
    )

    app.patch(
      '/:id',
      {
        config: { holdsSecret: true },
        onRequest: full,
        schema: {
          tags,
          summary: 'Change an app',
          description: fullOnly,
          security: needs.user,
          params,
          body: AppChange,
          response: { 200: App, 403: ErrorBody, 404: ErrorBody },
        },
      },
      async (request) => service.update(request.params.id, guards.userOf(request), request.body, actor(request)),
    )

    app.get(
      '/:id/contents',
      {
        onRequest: guards.user,
        schema: {
          tags,
          summary: 'How much an app has',
          description: 'What its deletion would take along. For its owner.',
          security: needs.user,
          params,
          response: { 200: AppContents, 403: ErrorBody, 404: ErrorBody },
        },
      },
      async (request) => service.contents(request.params.id, guards.userOf(request)),
    )

    app.delete(
      '/:id',
      {
        onRequest: full,
        schema: {
          tags,
          summary: 'Delete an app with everything it has',
          description: `Its players, scores, sessions, types and keys go along, for good. Without its exact name in the query, the answer is 400 and says how much that is. The app is gone at once, its key within a second; the rows of a large app follow in the background. ${fullOnly}`,
          security: needs.user,
          params,
          querystring: AppDeletion,
          response: { 204: z.null(), 403: ErrorBody, 404: ErrorBody },
        },
      },
      async (request, reply) => {
        await service.remove(request.params.id, guards.userOf(request), request.query.name, actor(request))
        return reply.code(204).send(null)
      },
    )

    app.post(
      '/:id/api-key/rotate',
      {
        config: { needsRoom: false, holdsSecret: true },
        onRequest: full,
        schema: {
          tags,
          summary: 'Give an app another key',
          description: `The keys before go on working for graceSeconds, and then are dead everywhere within a second. A key whose grace already runs keeps its own end if that is earlier: so a rotation without grace ends all keys but the new one. ${fullOnly}`,
          security: needs.user,
          params,
          body: KeyRotation.nullish(),
          response: { 200: App, 403: ErrorBody, 404: ErrorBody },
        },
      },
      async (request) =>
        service.rotateKey(request.params.id, guards.userOf(request), request.body?.graceSeconds ?? 0, actor(request)),
    )

    app.delete(
      '/:id/api-keys/:keyId',
      {
        onRequest: full,
        schema: {
          tags,
          summary: 'End a key that was replaced',
          description: `Before its grace is over: within a second it is dead everywhere. The key in use is 409: rotate it. ${fullOnly}`,
          security: needs.user,
          params: params.extend({ keyId: z.string() }),
          response: { 204: z.null(), 403: ErrorBody, 404: ErrorBody, 409: ErrorBody },
        },
      },
      async (request, reply) => {
        const { id, keyId } = request.params
        await service.endKey(id, guards.userOf(request), keyId, actor(request))
        return reply.code(204).send(null)
      },
    )
  }
