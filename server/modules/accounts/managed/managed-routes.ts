import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { restrictToFullSessions } from '../../../platform/credentials/full-session.ts'
import type { Guards } from '../../../platform/credentials/guards.ts'
import { assertHasOps } from '../../../platform/credentials/service-roles.ts'
import { needs } from '../../../platform/http/docs/openapi.ts'
import { pageRows } from '../../../platform/http/pages.ts'
import { COUNTED, ErrorBody, pathId } from '../../../platform/schema.ts'
import type { ManagedAccounts } from './managed-accounts.ts'
import {
  AccountLink,
  AccountQuery,
  CreatedLocalAccount,
  LocalAccount,
  LocalAccountChange,
  LocalAccountList,
  NewLocalAccount,
} from './managed-schema.ts'

const tags = ['Users']
const security = needs.user
const params = z.object({ id: pathId('Account') })
const errors = { 403: ErrorBody, 404: ErrorBody, 409: ErrorBody }
const RIGHTS =
  'Requires ops or admin; for the account of an admin, admin. Returns 409 if this Cairn has no local accounts.'

type Parts = { accounts: ManagedAccounts; guards: Guards; assertHasAccounts: () => void }

/** Local accounts, for ops and admins. Mounted under /api/v1. */
export const managedRoutes =
  ({ accounts, guards, assertHasAccounts }: Parts): FastifyPluginAsyncZod =>
  async (app) => {
    const actor = restrictToFullSessions(app, guards)
    app.addHook('onRequest', async (request) => {
      assertHasOps(guards.userOf(request))
      assertHasAccounts()
    })
    const changer = (request: Parameters<typeof actor>[0]) => ({
      caller: guards.userOf(request),
      actor: actor(request),
    })

    app.get(
      '/accounts',
      {
        schema: {
          tags,
          security,
          operationId: 'listAccounts',
          summary: 'List the local accounts',
          description: `Accounts with a login and a password on this Cairn, oldest first. Requires ops or admin. Returns 409 if this Cairn has no local accounts. ${COUNTED}`,
          querystring: AccountQuery,
          response: { 200: LocalAccountList, 403: ErrorBody, 409: ErrorBody },
        },
      },
      async (request, reply) => {
        const { query, ...page } = request.query
        return { accounts: pageRows(request, reply, await accounts.list(page, query)) }
      },
    )

    app.get(
      '/accounts/:id',
      {
        schema: {
          tags,
          security,
          operationId: 'getAccount',
          summary: 'Get a local account',
          description: 'Requires ops or admin.',
          params,
          response: { 200: LocalAccount, ...errors },
        },
      },
      async (request) => accounts.get(request.params.id),
    )

    app.post(
      '/accounts',
      {
        config: { holdsSecret: true },
        schema: {
          tags,
          security,
          operationId: 'createAccount',
          summary: 'Create a local account',
          description: `Only this response has the link with which its owner sets a password. It works once, for seven days. A local user of that name, which \`cairn user token\` creates, gets the account and keeps its roles. Returns 409 if the login is taken. ${RIGHTS}`,
          body: NewLocalAccount,
          response: { 201: CreatedLocalAccount, 403: ErrorBody, 409: ErrorBody },
        },
      },
      async (request, reply) => reply.code(201).send(await accounts.create(request.body, changer(request))),
    )

    app.patch(
      '/accounts/:id',
      {
        config: { needsDiskSpace: false },
        schema: {
          tags,
          security,
          operationId: 'updateAccount',
          summary: 'Change a local account',
          description: `Omitted members stay unchanged. The email address is shown and searched; signing in takes the login, which cannot be changed. Nobody can sign in to a disabled account; its sessions and its link end, and the user’s personal tokens are refused, everywhere within a second. Apps and their keys continue to work. Disabling returns 409 for the caller’s own account and for that of the last admin. ${RIGHTS}`,
          params,
          body: LocalAccountChange,
          response: { 200: LocalAccount, ...errors },
        },
      },
      async (request) => accounts.update(request.params.id, request.body, changer(request)),
    )

    app.post(
      '/accounts/:id/link',
      {
        config: { holdsSecret: true },
        schema: {
          tags,
          security,
          operationId: 'createAccountLink',
          summary: 'Create a link that sets a password',
          description: `Only this response has the link, which invalidates the one before. It works once, for a day, or for seven if the account has no password yet. The current password works until the link is used; then every session of the user ends. Returns 409 for a disabled account. ${RIGHTS}`,
          params,
          response: { 201: AccountLink, ...errors },
        },
      },
      async (request, reply) => reply.code(201).send(await accounts.newLink(request.params.id, changer(request))),
    )

    app.delete(
      '/accounts/:id',
      {
        config: { needsDiskSpace: false },
        schema: {
          tags,
          security,
          operationId: 'deleteAccount',
          summary: 'Delete a local account and its user',
          description: `Permanent and immediate, with the same effect as if the user deleted itself: see \`DELETE /api/v1/user\`. Returns 409 for the caller’s own account, for that of the last admin, and while the user is the only owner of an app. ${RIGHTS}`,
          params,
          response: { 204: z.null(), ...errors },
        },
      },
      async (request, reply) => {
        await accounts.remove(request.params.id, changer(request))
        return reply.code(204).send(null)
      },
    )
  }
