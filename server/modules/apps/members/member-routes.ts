import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { restrictToFullSessions } from '../../../platform/credentials/full-session.ts'
import type { Guards } from '../../../platform/credentials/guards.ts'
import { needs } from '../../../platform/http/docs/openapi.ts'
import { ErrorBody, FULL_SESSION_ONLY, pathId } from '../../../platform/schema.ts'
import { AppMember, AppMemberChange, AppMemberList, NewAppMember } from './member-schema.ts'
import type { MemberService } from './members.ts'

const tags = ['Apps']
const security = needs.user
const params = z.object({ id: pathId('App') })
const ofMember = params.extend({ userId: pathId('Member') })
const errors = { 403: ErrorBody, 404: ErrorBody, 409: ErrorBody }

/** Mounted under /api/v1/apps. */
export const memberRoutes =
  ({ service, guards }: { service: MemberService; guards: Guards }): FastifyPluginAsyncZod =>
  async (app) => {
    const actor = restrictToFullSessions(app, guards)

    app.get(
      '/:id/members',
      {
        schema: {
          tags,
          security,
          operationId: 'listAppMembers',
          summary: 'List the members of an app',
          description: `In the order in which they became members. For members of the app. ${FULL_SESSION_ONLY}`,
          params,
          response: { 200: AppMemberList, 403: ErrorBody, 404: ErrorBody },
        },
      },
      async (request) => ({ members: await service.list(request.params.id, guards.appUserOf(request)) }),
    )

    app.post(
      '/:id/members',
      {
        config: { appRole: 'admin' },
        schema: {
          tags,
          security,
          operationId: 'addAppMember',
          summary: 'Add a member to an app',
          description: `For owners and admins of the app; only owners add owners. Returns 404 for an unknown user, and 409 for a member or if the app has 100 members. ${FULL_SESSION_ONLY}`,
          params,
          body: NewAppMember,
          response: { 201: AppMember, ...errors },
        },
      },
      async (request, reply) =>
        reply
          .code(201)
          .send(await service.add(request.params.id, guards.appUserOf(request), request.body, actor(request))),
    )

    app.patch(
      '/:id/members/:userId',
      {
        config: { appRole: 'admin' },
        schema: {
          tags,
          security,
          operationId: 'updateAppMember',
          summary: "Set a member's role",
          description: `For owners and admins of the app; only owners grant and remove the role \`owner\`. Ends the invitations that the member made. Returns 409 for the only owner. ${FULL_SESSION_ONLY}`,
          params: ofMember,
          body: AppMemberChange,
          response: { 200: AppMember, ...errors },
        },
      },
      async (request) => {
        const { id, userId } = request.params
        return service.change(id, guards.appUserOf(request), userId, request.body.role, actor(request))
      },
    )

    app.delete(
      '/:id/members/:userId',
      {
        // Every member may leave.
        config: { appRole: 'viewer' },
        schema: {
          tags,
          security,
          operationId: 'removeAppMember',
          summary: 'Remove a member, or leave an app',
          description: `For owners and admins of the app; only owners remove owners. Every member can leave. Ends the invitations that the member made. Returns 409 for the only owner. ${FULL_SESSION_ONLY}`,
          params: ofMember,
          response: { 204: z.null(), ...errors },
        },
      },
      async (request, reply) => {
        const { id, userId } = request.params
        await service.remove(id, guards.appUserOf(request), userId, actor(request))
        return reply.code(204).send(null)
      },
    )
  }
