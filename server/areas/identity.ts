import { identityTokens } from '../modules/identity/identity-token.ts'
import { identityRoutes } from '../modules/identity/routes.ts'
import { identityService } from '../modules/identity/service.ts'
import { sessionStore } from '../modules/identity/store.ts'
import { userStore } from '../modules/users/store.ts'
import type { Guards } from '../platform/guards.ts'
import { newId } from '../platform/ids.ts'
import type { Platform } from '../platform/parts.ts'

/** Who people are: users, and how they sign in. */
export function identityArea({ config, database, tokens }: Platform) {
  const users = userStore(database.kysely)
  const identity = identityService({
    sessions: sessionStore(database.kysely),
    tokens,
    identityTokens: identityTokens(config.CAIRN_OIDC),
    newId,
    adminEmails: config.CAIRN_ADMIN_EMAILS,
    users: { save: (user) => users.upsert(newId(), user), get: users.get, bindAdminEmail: users.bindAdminEmail },
  })

  return {
    identity,
    userExists: async (id: string) => (await users.get(id)) !== undefined,
    /** A user without an identity provider: made if it is new. Roles, when given, replace those it has. */
    localUser: (name: string, roles?: string[]) => users.upsertLocal(newId(), name, roles),
    routes: (guards: Guards) => identityRoutes({ service: identity, tokens, guards }),
  }
}
