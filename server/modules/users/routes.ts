import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { UserCaller } from '../../platform/credentials/callers.ts'
import { actorIn, assertFullSession, type Guards } from '../../platform/credentials/guards.ts'
import { assertHasOps, assertIsAdmin } from '../../platform/credentials/service-roles.ts'
import { needs } from '../../platform/http/docs/openapi.ts'
import { PageQuery, pageRows } from '../../platform/http/pages.ts'
import { sendLongPage } from '../../platform/http/responses/streamed-rows.ts'
import { ErrorBody, pathId, type QuotaUse } from '../../platform/schema.ts'
import { Member, MemberList, Profile, ProfileChange, QuotaList, RoleChange } from './schema.ts'
import type { UserService } from './service.ts'

const tags = ['Users']
const security = needs.user
const params = z.object({ id: pathId('User') })

type UserParts = {
  service: UserService
  quotasOf: (user: UserCaller) => Promise<QuotaUse[]>
  guards: Guards
}

/** Mounted under /api/v1. */
export const userRoutes =
  ({ service, quotasOf, guards }: UserParts): FastifyPluginAsyncZod =>
  async (app) => {
    app.addHook('onRequest', guards.user)
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })
    const full = async (request: object) => assertFullSession(guards.userOf(request))
    const ops = async (request: object) => assertHasOps(guards.userOf(request))
    const admin = async (request: object) => assertIsAdmin(guards.userOf(request))
    const actor = (request: Parameters<typeof actorIn>[1]) => actorIn(guards.userOf(request), request)

    app.get(
      '/user',
      {
        config: { personalToken: true },
        schema: {
          tags,
          security,
          operationId: 'getCurrentUser',
          summary: 'Get the signed-in user',
          response: { 200: Profile },
        },
      },
      async (request) => service.profile(guards.userOf(request).id),
    )

    app.patch(
      '/user',
      {
        schema: {
          tags,
          security,
          operationId: 'updateCurrentUser',
          summary: "Set the caller's username",
          description: 'Returns 409 if another user has the username, ignoring case.',
          body: ProfileChange,
          response: { 200: Profile, 409: ErrorBody },
        },
      },
      async (request) => service.rename(guards.userOf(request).id, request.body.username),
    )

    app.delete(
      '/user',
      {
        onRequest: full,
        schema: {
          tags,
          security,
          operationId: 'deleteCurrentUser',
          summary: 'Delete the signed-in user',
          description:
            'Permanent and immediate; sessions end within a second. Deletes scans, private and unlisted pins, and uploaded files with their bytes, except files that a remaining record of the user or a record of ops uses. Linked players keep their scores without the link. Public pins, zones, ground control points and imports remain, without an owner. The audit log keeps only IDs. Returns 409 with the names of the apps that the user still owns: delete these first, as they hold the scores of other people. Also returns 409 for the last admin who can sign in, if the role was granted here. Not available with a personal token, or in a session created with a six-digit code.',
          response: { 204: z.null(), 403: ErrorBody, 409: ErrorBody },
        },
      },
      async (request, reply) => {
        await service.erase(guards.userOf(request).id, actor(request))
        return reply.code(204).send(null)
      },
    )

    app.get(
      '/user/quotas',
      {
        config: { personalToken: true },
        schema: {
          tags,
          security,
          operationId: 'listQuotas',
          summary: 'List the quotas of the signed-in user',
          description:
            "Lists the user's quotas of apps, zones, boundary positions and running imports, and how much of each is used. The quotas of an app are in its overview.",
          response: { 200: QuotaList },
        },
      },
      async (request) => ({ quotas: await quotasOf(guards.userOf(request)) }),
    )

    app.get(
      '/user/export',
      {
        exposeHeadRoute: false,
        onRequest: full,
        schema: {
          tags,
          security,
          operationId: 'exportUserData',
          summary: 'Export all data of the signed-in user',
          description:
            'A ZIP with JSON files of the profile, sign-ins, personal tokens, apps (without keys), linked players and their scores, codes, pins, zones, ground control points, imports and audit log, the uploaded files with their bytes, and a README.txt. The ZIP is written while it is sent, so an interrupted download is not a valid ZIP. Returns 429 while another export of the user is running. Not available with a personal token, or in a session created with a six-digit code.',
          response: {
            200: {
              description: 'The ZIP',
              content: { 'application/zip': { schema: z.string().meta({ format: 'binary' }) } },
            },
            403: ErrorBody,
          },
        },
      },
      async (request, reply) => {
        const user = guards.userOf(request)
        const zip = await service.export(user.id, actor(request))
        const name = `cairn-${user.id}.zip`
        return reply
          .headers({ 'content-type': 'application/zip', 'content-disposition': `attachment; filename="${name}"` })
          .send(zip as never)
      },
    )

    app.get(
      '/users',
      {
        onRequest: ops,
        schema: {
          tags,
          security,
          operationId: 'listUsers',
          summary: 'List users',
          description:
            'Oldest first. Requires ops or admin. With 10,000 users or more, `query` matches only prefixes: of the username or its second word, the email address or its domain, the full name or its second word, and the last name. It then finds at most 1,000 users.',
          querystring: PageQuery.extend({
            query: z
              .string()
              .trim()
              .max(255)
              .optional()
              .describe('Part of the username, email address or name; case-insensitive'),
          }),
          response: { 200: MemberList, 403: ErrorBody },
        },
      },
      async (request, reply) => {
        const { query, ...page } = request.query
        const users = await service.list(page, query)
        if ('batches' in users) return sendLongPage(request, reply, users, 'users') as never
        return { users: pageRows(request, reply, users) }
      },
    )

    app.get(
      '/users/:id',
      {
        onRequest: ops,
        schema: {
          tags,
          security,
          operationId: 'getUser',
          summary: 'Get a user',
          description: 'Requires ops or admin.',
          params,
          response: { 200: Member, 403: ErrorBody, 404: ErrorBody },
        },
      },
      async (request) => service.get(request.params.id),
    )

    app.put(
      '/users/:id/roles',
      {
        onRequest: admin,
        config: { needsDiskSpace: false },
        schema: {
          tags,
          security,
          operationId: 'setUserRoles',
          summary: 'Set the roles granted to a user',
          description:
            "Requires admin. Replaces the roles granted here. Roles that the user's issuer claims, or that the user has by `CAIRN_ADMIN_EMAILS`, remain and are included in the response. Takes effect within a second, also in open sessions. Returns 409 if the change would leave no admin.",
          params,
          body: RoleChange,
          response: { 200: Member, 403: ErrorBody, 404: ErrorBody, 409: ErrorBody },
        },
      },
      async (request) => service.grant(request.params.id, request.body.roles, actor(request)),
    )
  }
