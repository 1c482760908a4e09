import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { restrictToFullSessions } from '../../../platform/credentials/full-session.ts'
import type { Guards } from '../../../platform/credentials/guards.ts'
import { needs } from '../../../platform/http/docs/openapi.ts'
import { ErrorBody, FULL_SESSION_ONLY, pathId } from '../../../platform/schema.ts'
import {
  AcceptedInvitation,
  AppInvitationList,
  AppInvitationWithToken,
  InvitationToken,
  NewAppInvitation,
} from './member-schema.ts'
import type { MemberService } from './members.ts'

const tags = ['Apps']
const security = needs.user
const params = z.object({ id: pathId('App') })
const errors = { 403: ErrorBody, 404: ErrorBody }

/** Mounted under /api/v1. */
export const invitationRoutes =
  ({ service, guards }: { service: MemberService; guards: Guards }): FastifyPluginAsyncZod =>
  async (app) => {
    const actor = restrictToFullSessions(app, guards)

    app.get(
      '/apps/:id/invitations',
      {
        config: { appRole: 'admin' },
        schema: {
          tags,
          security,
          operationId: 'listAppInvitations',
          summary: 'List the pending invitations of an app',
          description: `Oldest first, without their tokens. For owners and admins of the app. ${FULL_SESSION_ONLY}`,
          params,
          response: { 200: AppInvitationList, ...errors },
        },
      },
      async (request) => ({ invitations: await service.invitations(request.params.id, guards.appUserOf(request)) }),
    )

    app.post(
      '/apps/:id/invitations',
      {
        config: { appRole: 'admin', holdsSecret: true },
        schema: {
          tags,
          security,
          operationId: 'createAppInvitation',
          summary: 'Create an invitation to an app',
          description: `Only this response contains the token, which makes one signed-in user a member with this role. It works once, for seven days. For owners and admins of the app; only owners invite owners. Returns 409 if 50 invitations are pending. ${FULL_SESSION_ONLY}`,
          params,
          body: NewAppInvitation,
          response: { 201: AppInvitationWithToken, ...errors, 409: ErrorBody },
        },
      },
      async (request, reply) =>
        reply
          .code(201)
          .send(await service.invite(request.params.id, guards.appUserOf(request), request.body.role, actor(request))),
    )

    app.delete(
      '/apps/:id/invitations/:invitationId',
      {
        config: { appRole: 'admin' },
        schema: {
          tags,
          security,
          operationId: 'revokeAppInvitation',
          summary: 'Revoke an invitation',
          description: `For owners and admins of the app. ${FULL_SESSION_ONLY}`,
          params: params.extend({ invitationId: pathId('Invitation') }),
          response: { 204: z.null(), ...errors },
        },
      },
      async (request, reply) => {
        const { id, invitationId } = request.params
        await service.revoke(id, guards.appUserOf(request), invitationId, actor(request))
        return reply.code(204).send(null)
      },
    )

    app.post(
      '/invitations/accept',
      {
        config: { limit: 'exchange' },
        schema: {
          tags,
          security,
          operationId: 'acceptAppInvitation',
          summary: 'Accept an invitation to an app',
          description: `Makes the caller a member of the app. Returns 404 if the invitation was accepted or revoked, has expired or never existed, and 409 for a member or if the app has 100 members; then the invitation stays pending. Failed attempts are limited like those of six-digit codes. ${FULL_SESSION_ONLY}`,
          body: InvitationToken,
          response: { 200: AcceptedInvitation, ...errors, 409: ErrorBody },
        },
      },
      async (request) => service.accept(request.body.token, guards.userOf(request), actor(request)),
    )
  }
