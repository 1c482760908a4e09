import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { restrictToFullSessions } from '../../../platform/credentials/full-session.ts'
import type { Guards } from '../../../platform/credentials/guards.ts'
import { needs } from '../../../platform/http/docs/openapi.ts'
import { ErrorBody, FULL_SESSION_ONLY } from '../../../platform/schema.ts'
import { PasswordChange } from '../schema.ts'
import type { AccountService } from '../service.ts'

type Parts = { accounts: AccountService; guards: Guards; assertHasAccounts: () => void }

/** The password of the caller. Mounted under /api/v1. */
export const ownPasswordRoutes =
  ({ accounts, guards, assertHasAccounts }: Parts): FastifyPluginAsyncZod =>
  async (app) => {
    const actor = restrictToFullSessions(app, guards)

    app.put(
      '/user/password',
      {
        config: { needsDiskSpace: false, holdsSecret: true },
        schema: {
          tags: ['Users'],
          security: needs.user,
          operationId: 'changePassword',
          summary: 'Change the password of the signed-in user',
          description: `Every other session of the user ends. Returns 400 for a wrong current password, which counts as a failed sign-in, and 429 after too many of them; 409 if the user has no local account. ${FULL_SESSION_ONLY}`,
          body: PasswordChange,
          response: { 204: z.null(), 403: ErrorBody, 409: ErrorBody },
        },
      },
      async (request, reply) => {
        assertHasAccounts()
        await accounts.changeOwnPassword(request.body, guards.userOf(request), actor(request))
        return reply.code(204).send(null)
      },
    )
  }
