import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import { isId, newId } from '../../platform/ids.ts'
import { SESSION } from '../../platform/live/record-stream.ts'
import type { Streams } from '../../platform/live/streams.ts'
import type { Platform } from '../../platform/platform.ts'
import { scheduleEvery } from '../../platform/scheduler.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Users } from '../users/index.ts'
import type { User } from '../users/schema.ts'
import { codeRoutes } from './codes/code-routes.ts'
import { codeSpaces } from './codes/code-spaces.ts'
import { codeStore } from './codes/code-store.ts'
import { codeService } from './codes/codes.ts'
import { identityTokens } from './identity-token.ts'
import { identityRoutes } from './routes.ts'
import { identityService } from './service.ts'
import { sessionStore } from './store.ts'

type Deps = {
  users: Users
  accounts: Accounts
  /** What sessions are told by that they have ended. */
  streams: Pick<Streams, 'endWith'>
}

/** Sign-in: sessions, identity tokens of providers, and one-time codes. */
export function createIdentity(platform: Platform, { users, accounts, streams }: Deps) {
  const { config, database, secrets, tokens, audit, clock, log, metrics } = platform
  const sessions = sessionStore(database.kysely, { days: config.CAIRN_SESSION_DAYS })
  const service = identityService({
    sessions,
    tokens,
    identityTokens: identityTokens(config.CAIRN_OIDC, accounts.issuer, clock),
    newId,
    adminEmails: config.CAIRN_ADMIN_EMAILS,
    users,
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
  streams.endWith(SESSION, sessions.left)
  metrics.gauge('cairn_code_lockouts', 'Times that a space was locked against guessing since the start', codes.lockouts)

  /** A local user, made if it is new; a name that is an account's login is that account's user. Roles, when given, replace those it has. */
  const localUser = async (name: string, roles?: string[]): Promise<User> => {
    const account = await accounts.service.find(name)
    const user = await users.saveLocal(account?.login ?? name, { roles })
    return users.claimUsername(user, name)
  }

  return {
    service,
    localUser,
    /** What the command line does with people. */
    operator: {
      codes: codeSpaces(database.kysely, { risk: config.CAIRN_CODE_RISK, audit }),
      /** The user of an account's login, the local user of that name, or the user of that id. */
      findUser: async (name: string): Promise<User | undefined> => {
        const account = await accounts.service.find(name)
        const id = account?.userId ?? (isId(name) ? name : undefined)
        return id ? users.get(id) : users.getLocal(name)
      },
      /** A session of the user, which the audit log tells of before there is one: an operator can be anybody. */
      openSession: async (user: User) => {
        await audit.record([{ actor: 'operator', action: 'session.opened', subject: user.id, address: null }])
        return service.openFor(user)
      },
    },
    routes:
      (guards: Guards): FastifyPluginAsyncZod =>
      async (app) => {
        await app.register(identityRoutes({ service, tokens, guards }))
        await app.register(codeRoutes({ service: codes, guards }))
        app.addHook('onListen', async () =>
          tokens.keys.watch((error) => log.error({ err: error }, 'signing keys could not be read')),
        )
        app.addHook('onClose', async () => tokens.keys.stop())
        scheduleEvery(app, {
          everyMs: 60_000,
          work: () => Promise.all([codes.deleteOld(), sessions.deleteOld(), tokens.keys.deleteEnded()]),
          onError: (error) => log.error({ err: error }, 'what has ended was not deleted'),
        })
      },
  }
}
