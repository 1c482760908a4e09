import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { actorIn, assertFullSession, type Guards } from '../../platform/credentials/guards.ts'
import { needs } from '../../platform/http/docs/openapi.ts'
import { PageQuery, pageRows } from '../../platform/http/pages.ts'
import { ErrorBody, FULL_SESSION_ONLY, pathId } from '../../platform/schema.ts'
import { App, AppChange, AppContents, AppDeletion, AppFilter, AppList, KeyForm, KeyRotation, NewApp } from './schema.ts'
import type { AppService } from './service.ts'

const tags = ['Apps']
const params = z.object({ id: pathId('App') })

/** Mounted under /api/v1/apps. */
export const appRoutes =
  ({ service, guards }: { service: AppService; guards: Guards }): FastifyPluginAsyncZod =>
  async (app) => {
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })
    const full = [guards.user, async (request: object) => assertFullSession(guards.userOf(request))]
    const actor = (request: Parameters<typeof actorIn>[1]) => actorIn(guards.userOf(request), request)

    app.get(
      '',
      {
        config: { holdsSecret: true },
        onRequest: guards.user,
        schema: {
          tags,
          operationId: 'listApps',
          summary: "List the caller's apps",
          description:
            "The apps that the caller is a member of, oldest first, each with the caller's `role`. Owners and admins of an app see its API key, except in sessions created with a six-digit code. Views of keys are audited; `maskKeys=true` masks them. `all=true` lists everyone's apps, including PRIVATE ones, with masked keys and `ownerId`. It requires ops or admin (403 otherwise) and is audited too.",
          security: needs.user,
          querystring: PageQuery.extend(AppFilter.shape).extend(KeyForm.shape),
          response: { 200: AppList, 403: ErrorBody },
        },
      },
      async (request, reply) => {
        const { all, maskKeys, ...query } = request.query
        const user = guards.userOf(request)
        const page = all
          ? await service.listAll(user, query, actor(request))
          : await service.ofMember(user, query, maskKeys ? undefined : actor(request))
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
          operationId: 'createApp',
          summary: 'Create an app and its API key',
          description: FULL_SESSION_ONLY,
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
          operationId: 'listPublicApps',
          summary: 'List public apps',
          description: 'Oldest first, with masked keys.',
          querystring: PageQuery,
          response: { 200: AppList },
        },
      },
      async (request, reply) => ({ apps: pageRows(request, reply, await service.listPublic(request.query)) }),
    )

    app.get(
      '/:id',
      {
        config: { holdsSecret: true },
        onRequest: guards.optionalUser,
        schema: {
          tags,
          operationId: 'getApp',
          summary: 'Get an app',
          description:
            'Returns 404 for a PRIVATE app of others. Members see their `role`. The key is masked for everyone but owners and admins of the app, and for those with `maskKeys=true`.',
          security: needs.optionalUser,
          params,
          querystring: KeyForm,
          response: { 200: App, 404: ErrorBody },
        },
      },
      async (request) => {
        const user = guards.maybeUserOf(request)
        const viewer = user && !request.query.maskKeys ? actor(request) : undefined
        return service.get(request.params.id, user, viewer)
      },
    )

    app.patch(
      '/:id',
      {
        config: { holdsSecret: true },
        onRequest: full,
        schema: {
          tags,
          operationId: 'updateApp',
          summary: 'Update an app',
          description: FULL_SESSION_ONLY,
          security: needs.user,
          params,
          body: AppChange,
          response: { 200: App, 403: ErrorBody, 404: ErrorBody },
        },
      },
      async (request) => service.update(request.params.id, guards.appUserOf(request), request.body, actor(request)),
    )

    app.get(
      '/:id/contents',
      {
        onRequest: guards.user,
        schema: {
          tags,
          operationId: 'countAppContents',
          summary: 'Count the contents of an app',
          description: 'Counts what deleting the app would delete. For members of the app.',
          security: needs.user,
          params,
          response: { 200: AppContents, 403: ErrorBody, 404: ErrorBody },
        },
      },
      async (request) => service.contents(request.params.id, guards.appUserOf(request)),
    )

    app.delete(
      '/:id',
      {
        config: { appRole: 'owner' },
        onRequest: full,
        schema: {
          tags,
          operationId: 'deleteApp',
          summary: 'Delete an app and its contents',
          description: `Permanently deletes the app's players, scores, sessions, types and keys. \`name\` in the query must be the app's exact name. Without it, the response is 400 and says how much would be deleted. The app is gone at once and its key stops working within a second. The rows of a large app are deleted in the background. ${FULL_SESSION_ONLY}`,
          security: needs.user,
          params,
          querystring: AppDeletion,
          response: { 204: z.null(), 403: ErrorBody, 404: ErrorBody },
        },
      },
      async (request, reply) => {
        await service.remove(request.params.id, guards.appUserOf(request), request.query.name, actor(request))
        return reply.code(204).send(null)
      },
    )

    app.post(
      '/:id/api-key/rotate',
      {
        config: { appRole: 'admin', needsDiskSpace: false, holdsSecret: true },
        onRequest: full,
        schema: {
          tags,
          operationId: 'rotateApiKey',
          summary: "Rotate an app's API key",
          description: `Older keys keep working for \`graceSeconds\`, then stop everywhere within a second. A key already in its grace period keeps its end if that is earlier, so a rotation without grace ends all of these but the new one. Additional keys are not rotated; delete them instead. ${FULL_SESSION_ONLY}`,
          security: needs.user,
          params,
          body: KeyRotation.nullish(),
          response: { 200: App, 403: ErrorBody, 404: ErrorBody },
        },
      },
      async (request) =>
        service.rotateKey(
          request.params.id,
          guards.appUserOf(request),
          request.body?.graceSeconds ?? 0,
          actor(request),
        ),
    )
  }
