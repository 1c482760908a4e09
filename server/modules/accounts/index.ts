import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Config } from '../../platform/config.ts'
import type { Guards } from '../../platform/credentials/guards.ts'
import type { Actor } from '../../platform/database/audit.ts'
import { conflict } from '../../platform/errors.ts'
import { consoleIsBuilt } from '../../platform/http/console/console.ts'
import type { Platform } from '../../platform/platform.ts'
import { scheduleEvery } from '../../platform/scheduler.ts'
import type { Users } from '../users/index.ts'
import { accountLinks } from './managed/account-links.ts'
import { linkStore } from './managed/link-store.ts'
import { managedAccounts } from './managed/managed-accounts.ts'
import { managedRoutes } from './managed/managed-routes.ts'
import { managedAccountStore } from './managed/managed-store.ts'
import { ownPasswordRoutes } from './managed/own-password-routes.ts'
import { setPasswordRoutes } from './managed/set-password-routes.ts'
import { passwordHashes } from './password-hash.ts'
import { builtInIdentity } from './provider/built-in-identity.ts'
import {
  type BuiltInProvider,
  builtInIssuer,
  CLIENTS,
  CONSOLE_CLIENT,
  createBuiltInProvider,
} from './provider/provider.ts'
import { providerKeys } from './provider/provider-keys.ts'
import { providerRecords } from './provider/provider-records.ts'
import { accountRoutes, type Exchange } from './routes.ts'
import { accountService } from './service.ts'
import { newAccountCookie } from './sign-in/new-account-cookie.ts'
import { signInElsewhere } from './sign-in/sign-in-routes.ts'
import { signInThrottle } from './sign-in/sign-in-throttle.ts'
import { signInThrottleStore } from './sign-in/sign-in-throttle-store.ts'
import { accountStore } from './store.ts'

type Deps = {
  users: Pick<
    Users,
    | 'hasAdmin'
    | 'saveLocal'
    | 'claimUsername'
    | 'held'
    | 'setDisabled'
    | 'setEmail'
    | 'getIn'
    | 'getLocalIn'
    | 'rolesOf'
    | 'lockRoles'
    | 'erase'
  >
}

/** May change every account. */
const OPERATOR = { id: null, roles: ['admin'] }

export type Accounts = ReturnType<typeof createAccounts>

/** Whether the built-in issuer is on. */
const boxIssuerIsOn = ({ CAIRN_BOX_ISSUER, CAIRN_OIDC }: Config): boolean =>
  (CAIRN_BOX_ISSUER ?? (CAIRN_OIDC.length === 0 ? 'on' : 'off')) === 'on'

/** The built-in issuer: accounts with passwords, and their sign-in. */
export function createAccounts({ config, database, secrets, addresses, audit, log, clock }: Platform, { users }: Deps) {
  const { publicUrl } = addresses
  const isOn = boxIssuerIsOn(config)
  const keys = providerKeys(database.kysely, secrets)
  const records = providerRecords(database.kysely, secrets)
  const tries = signInThrottle({ store: signInThrottleStore(database.pool), secrets })
  const store = accountStore(database.kysely, {
    audit,
    hasAdmin: users.hasAdmin,
    saveUser: (trx, account) => users.saveLocal(account.login, account, trx),
    forgetSignIns: (trx, userId) => records.forget(trx, userId),
  })
  const passwords = passwordHashes()
  const accounts = accountService({ store, passwords, tries, claimUsername: users.claimUsername })
  const links = accountLinks({
    store: linkStore(database.kysely),
    ...{ accounts: store, passwords, users, database: database.kysely, publicUrl },
  })
  const managed = managedAccounts({
    store: managedAccountStore(database.kysely),
    ...{ accounts: store, links, passwords, tries, users, audit },
  })
  const assertHasAccounts = () => {
    if (!isOn) throw conflict('This Cairn has no local accounts: people sign in at the configured identity provider')
  }

  let made: Promise<BuiltInProvider> | undefined
  /** A failed start of the provider is not cached: the next request retries it. */
  const box = () => {
    made ??= createBuiltInProvider({
      publicUrl: publicUrl(),
      keys,
      records,
      findAccount: accounts.findActive,
      log,
    }).catch((error) => {
      made = undefined
      throw error
    })
    return made
  }

  const consoleUrl = () => (consoleIsBuilt() ? `${publicUrl()}/console/#sign-in` : undefined)
  const goOnAt = () => consoleUrl() ?? `${publicUrl()}/sign-in`
  const newAccount = newAccountCookie({ secrets, clock, publicUrl, findNewAccount: accounts.findNew })

  return {
    service: accounts,
    /** The account commands of the command line. */
    operator: {
      ...accounts,
      setDisabled: (id: string, isDisabled: boolean, actor: Actor) =>
        managed.update(id, { disabled: isDisabled }, { caller: OPERATOR, actor }),
      newLink: async (id: string, actor: Actor) => {
        assertHasAccounts()
        return managed.newLink(id, { caller: OPERATOR, actor })
      },
    },
    isOn,
    /** Verifies identity tokens of the built-in issuer; undefined if the issuer is off. */
    issuer: isOn
      ? {
          issuer: () => builtInIssuer(publicUrl()),
          audience: CLIENTS,
          keys: keys.ofToken,
          identityOf: builtInIdentity(accounts.findActive),
        }
      : undefined,
    /**
     * Creates a new one-time link for the first admin. Call it once the service listens. Returns undefined if an
     * account or admin exists, or if the issuer is off.
     */
    firstAdminLink: async (): Promise<string | undefined> => {
      const code = isOn ? await accounts.newFirstAdminCode() : undefined
      return code && `${publicUrl()}/first-admin?code=${code}`
    },
    /**
     * How people sign in to the console: through the built-in issuer or, if it is off, the first configured provider,
     * with the client it issues tokens for.
     */
    consoleSignIn: () => {
      if (isOn) return { issuer: builtInIssuer(publicUrl()), clientId: CONSOLE_CLIENT, isBox: true }
      const [first] = config.CAIRN_OIDC
      return first && { issuer: first.issuer, clientId: first.audience, isBox: false }
    },
    /** Whether sign-in requires creating the first admin. */
    needsFirstAdmin: async () => isOn && !(await accounts.anybody()),
    routes:
      (exchange: Exchange, guards: Guards): FastifyPluginAsyncZod =>
      async (app) => {
        const prefix = '/api/v1'
        await app.register(managedRoutes({ accounts: managed, guards, assertHasAccounts }), { prefix })
        await app.register(ownPasswordRoutes({ accounts, guards, assertHasAccounts }), { prefix })
        if (!isOn) return void (await app.register(signInElsewhere(config.CAIRN_OIDC.map(({ issuer }) => issuer))))
        await app.register(
          accountRoutes({ accounts, newAccount, box, publicUrl, consoleUrl, goOnAt, secrets, exchange, clock }),
        )
        await app.register(setPasswordRoutes({ accounts, links, newAccount, goOnAt, publicUrl, secrets, clock }))
        scheduleEvery(app, {
          everyMs: 60_000,
          work: () => Promise.all([records.sweep(), tries.deleteOld(), links.removeExpired()]),
          onError: (error) => log.error({ err: error }, 'failed to delete expired sign-ins and links'),
        })
      },
  }
}
