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
  /** Ends the streams of ended sessions. */
  streams: Pick<Streams, 'endWith'>
  /** Which of some personal tokens still work: streams may be opened with one instead of a session. */
  tokensLeft: (ids: string[]) => Promise<Set<string>>
}

/** Sign-in: sessions, identity tokens of providers, and six-digit codes. */
export function createIdentity(platform: Platform, { users, accounts, streams, tokensLeft }: Deps) {
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
  streams.endWith(SESSION, async (ids) => {
    const [inSession, withToken] = await Promise.all([sessions.left(ids), tokensLeft(ids)])
    return new Set([...inSession, ...withToken])
  })
  metrics.gauge(
    'cairn_code_lockouts',
    'Times that a code space was locked because of guessing, since the start',
    codes.lockouts,
  )

  /**
   * Returns the local user of that name, created if it is new. The login of an account names that account's user.
   * Roles, if given, replace the current ones.
   */
  const localUser = async (name: string, roles?: string[]): Promise<User> => {
    const account = await accounts.service.find(name)
    const user = await users.saveLocal(account?.login ?? name, { roles })
    return users.claimUsername(user, name)
  }

  return {
    service,
    localUser,
    /** The user commands of the command line. */
    operator: {
      codes: codeSpaces(database.kysely, { risk: config.CAIRN_CODE_RISK, audit }),
      /** Finds a user by account login, by local name, or by ID. */
      findUser: async (name: string): Promise<User | undefined> => {
        const account = await accounts.service.find(name)
        const id = account?.userId ?? (isId(name) ? name : undefined)
        return id ? users.get(id) : users.getLocal(name)
      },
      /** Opens a session for the user. The audit entry is written first, because an operator can act as anyone. */
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
          tokens.keys.watch((error) => log.error({ err: error }, 'failed to read signing keys')),
        )
        app.addHook('onClose', async () => tokens.keys.stop())
        scheduleEvery(app, {
          everyMs: 60_000,
          work: () => Promise.all([codes.deleteOld(), sessions.deleteOld(), tokens.keys.deleteEnded()]),
          onError: (error) => log.error({ err: error }, 'failed to purge expired sessions and codes'),
        })
      },
  }
}
