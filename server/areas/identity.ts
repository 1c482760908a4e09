import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { codeRoutes } from '../modules/identity/codes/code-routes.ts'
import { codeSpaces } from '../modules/identity/codes/code-spaces.ts'
import { codeStore } from '../modules/identity/codes/code-store.ts'
import { codeService } from '../modules/identity/codes/codes.ts'
import { identityTokens } from '../modules/identity/identity-token.ts'
import { identityRoutes } from '../modules/identity/routes.ts'
import { identityService } from '../modules/identity/service.ts'
import { sessionStore } from '../modules/identity/store.ts'
import { memberStore } from '../modules/users/members.ts'
import { rolesOf } from '../modules/users/roles.ts'
import type { User } from '../modules/users/schema.ts'
import { userStore } from '../modules/users/store.ts'
import { doRegularly } from '../platform/chores.ts'
import type { Guards } from '../platform/credentials/guards.ts'
import { isId, newId } from '../platform/ids.ts'
import type { Platform } from '../platform/parts.ts'
import { accountsArea } from './accounts.ts'

/** Who people are: users, and how they sign in. */
export function identityArea(platform: Platform) {
  const { config, database, secrets, tokens, audit, clock, log, metrics } = platform
  const users = userStore(database.kysely)
  const box = accountsArea(platform)
  const days = config.CAIRN_SESSION_DAYS
  const sessions = sessionStore(database.kysely, { days })
  const identity = identityService({
    sessions,
    tokens,
    identityTokens: identityTokens(config.CAIRN_OIDC, box.issuer, clock),
    newId,
    adminEmails: config.CAIRN_ADMIN_EMAILS,
    users: {
      save: (user) => users.upsert(newId(), user, { claimDays: days }),
      get: users.get,
      bindAdminEmail: users.bindAdminEmail,
    },
  })
  const codes = codeService({
    store: codeStore(database.kysely),
    secrets,
    tokens,
    newId,
    log,
    seconds: config.CAIRN_CODE_SECONDS,
    risk: config.CAIRN_CODE_RISK,
  })
  metrics.gauge('cairn_code_lockouts', 'Times that a space was locked against guessing since the start', codes.lockouts)

  /** A local user, made if it is new; a name that is an account's login is that account's user. Roles, when given, replace those it has. */
  const localUser = async (name: string, roles?: string[]): Promise<User> => {
    const account = await box.accounts.find(name)
    const user = await users.upsertLocal(newId(), account?.login ?? name, roles ? { roles } : {})
    return users.claimUsername(user, name)
  }

  return {
    identity,
    /** Which of these sessions live. */
    sessionsLeft: sessions.left,
    userExists: async (id: string) => (await users.get(id)) !== undefined,
    localUser,
    box: { isOn: box.isOn, firstAdminLink: box.firstAdminLink },
    /** What the console is told of signing in. */
    consoleSignIn: box.consoleSignIn,
    needsFirstAdmin: async () => box.isOn && !(await box.accounts.anybody()),
    /** What the command line does with people. */
    operator: {
      codes: codeSpaces(database.kysely, { risk: config.CAIRN_CODE_RISK, audit }),
      accounts: box.accounts,
      /** The user of an account's login, the local user of that name, or the user of that id. */
      findUser: async (name: string): Promise<User | undefined> => {
        const account = await box.accounts.find(name)
        const id = account?.userId ?? (isId(name) ? name : undefined)
        return id ? users.get(id) : users.getLocal(name)
      },
      /** A session of the user, which the audit log tells of before there is one: an operator can be anybody. */
      openSession: async (user: User) => {
        await audit.record([{ actor: 'operator', action: 'session.opened', subject: user.id, address: null }])
        return identity.openFor(user)
      },
      rolesOf: (user: User) => rolesOf(user, config.CAIRN_ADMIN_EMAILS),
      grantRoles: memberStore(database.kysely, { audit, adminEmails: config.CAIRN_ADMIN_EMAILS }).grant,
    },
    routes:
      (guards: Guards): FastifyPluginAsyncZod =>
      async (app) => {
        await app.register(identityRoutes({ service: identity, tokens, guards }))
        await app.register(codeRoutes({ service: codes, guards }))
        await app.register(box.routes(identity.exchange))
        app.addHook('onListen', async () =>
          tokens.keys.watch((error) => log.error({ err: error }, 'signing keys could not be read')),
        )
        app.addHook('onClose', async () => tokens.keys.stop())
        doRegularly(app, {
          everyMs: 60_000,
          work: () => Promise.all([codes.deleteOld(), sessions.deleteOld(), tokens.keys.deleteEnded()]),
          onError: (error) => log.error({ err: error }, 'what has ended was not deleted'),
        })
      },
  }
}
