import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import {
  actorIn,
  type Guards,
  mustBeAdmin,
  mustBeFull,
  mustHaveOps,
  type UserCaller,
} from '../../platform/credentials/guards.ts'
import { needs } from '../../platform/http/openapi.ts'
import { PageQuery, pageRows } from '../../platform/http/pages.ts'
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
    const full = async (request: object) => mustBeFull(guards.userOf(request))
    const ops = async (request: object) => mustHaveOps(guards.userOf(request))
    const admin = async (request: object) => mustBeAdmin(guards.userOf(request))
    const actor = (request: Parameters<typeof actorIn>[1]) => actorIn(guards.userOf(request), request)

    app.get(
      '/user',
      { schema: { tags, security, summary: 'The signed-in user', response: { 200: Profile } } },
      async (request) => service.profile(guards.userOf(request).id),
    )

    app.patch(
      '/user',
      {
        schema: {
          tags,
          security,
          summary: 'Choose a username',
          description: 'One that another user has, in whatever case, answers 409.',
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
          summary: 'Erase the signed-in user',
          description:
            'For good, and at once; sessions end within a second. Private and unlisted pins go, and uploaded files with their bytes, but for those that an open record of the user, or a record of ops, shows. Players linked to the user keep their scores without the link; public pins, zones, ground control points and imports stay without an owner; the audit log keeps ids alone. A user who still owns apps is answered 409 with their names: a game holds the scores of other people, so its deletion is a decision of its own. A session from a six-digit code cannot do this.',
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
        schema: {
          tags,
          security,
          summary: 'What the signed-in user may own, and owns of it',
          description:
            "Apps, zones, positions of their boundaries, and imports under way. An app's quotas are in its overview.",
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
          summary: 'Everything held on the signed-in user, as a ZIP',
          description:
            'JSON files of the profile, sign-ins, apps (without keys), linked players and their scores, codes, pins, zones, ground control points, imports and audit log, the uploaded files with their bytes, and a README.txt. It is made while it is sent: one that breaks off is no valid ZIP. One at a time for a user: another meanwhile is 429. A session from a six-digit code cannot do this.',
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
          summary: 'Users, oldest first',
          description:
            'For ops and admins. Of 10,000 users or more the query finds 1,000 at most, whose username (or the second word of it), e-mail address, its domain, name, second name or last name begins with it.',
          querystring: PageQuery.extend({
            query: z
              .string()
              .trim()
              .max(255)
              .optional()
              .describe('A part of the username, e-mail address or name, whatever its case'),
          }),
          response: { 200: MemberList, 403: ErrorBody },
        },
      },
      async (request, reply) => {
        const { query, ...page } = request.query
        return { users: pageRows(request, reply, await service.list(page, query)) }
      },
    )

    app.get(
      '/users/:id',
      {
        onRequest: ops,
        schema: {
          tags,
          security,
          summary: 'One user',
          description: 'For ops and admins.',
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
        config: { needsRoom: false },
        schema: {
          tags,
          security,
          summary: 'Grant roles to a user',
          description:
            "For admins. Replaces the roles granted here; what the user's issuer claims, or an address of the configuration gives, stays and is among the roles answered. In effect within a second, in sessions that are open too. What would leave nobody admin is 409.",
          params,
          body: RoleChange,
          response: { 200: Member, 403: ErrorBody, 404: ErrorBody, 409: ErrorBody },
        },
      },
      async (request) => service.grant(request.params.id, request.body.roles, actor(request)),
    )
  }
