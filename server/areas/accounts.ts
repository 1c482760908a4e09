import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { boxIdentity } from '../modules/accounts/box-identity.ts'
import { passwordHashes } from '../modules/accounts/password-hash.ts'
import {
  type BoxProvider,
  boxIssuer,
  CLIENTS,
  CONSOLE_CLIENT,
  createBoxProvider,
  loadProvider,
} from '../modules/accounts/provider.ts'
import { providerKeys } from '../modules/accounts/provider-keys.ts'
import { providerRecords } from '../modules/accounts/provider-records.ts'
import { accountRoutes } from '../modules/accounts/routes.ts'
import { accountService } from '../modules/accounts/service.ts'
import { signInElsewhere } from '../modules/accounts/sign-in-routes.ts'
import { accountStore } from '../modules/accounts/store.ts'
import { signInTries } from '../modules/accounts/tries.ts'
import { triesStore } from '../modules/accounts/tries-store.ts'
import { anyAdmin } from '../modules/users/members.ts'
import { userStore } from '../modules/users/store.ts'
import { doRegularly } from '../platform/chores.ts'
import type { Config } from '../platform/config.ts'
import { consoleIsBuilt } from '../platform/http/console.ts'
import { newId } from '../platform/ids.ts'
import type { Platform } from '../platform/parts.ts'

/** Whether people sign in at the box itself. */
const boxIssuerIsOn = ({ CAIRN_BOX_ISSUER, CAIRN_OIDC }: Config): boolean =>
  (CAIRN_BOX_ISSUER ?? (CAIRN_OIDC.length === 0 ? 'on' : 'off')) === 'on'

/** Loads what the box's issuer needs, if it is on: before requests come, best while the process waits for something else. */
export async function loadBoxIssuer(config: Config): Promise<void> {
  if (boxIssuerIsOn(config) && config.CAIRN_ROLE !== 'worker') await loadProvider()
}

type Exchange = Parameters<typeof accountRoutes>[0]['exchange']

/** The box's own issuer: accounts with passwords, and their sign-in. */
export function accountsArea({ config, database, secrets, addresses, audit, log, clock }: Platform) {
  const { publicUrl } = addresses
  const isOn = boxIssuerIsOn(config)
  const users = userStore(database.kysely)
  const keys = providerKeys(database.kysely, secrets)
  const records = providerRecords(database.kysely, secrets)
  const tries = signInTries({ store: triesStore(database.pool), secrets })
  const accounts = accountService({
    store: accountStore(database.kysely, {
      audit,
      anyAdmin,
      saveUser: (trx, account) => userStore(trx).upsertLocal(newId(), account.login, account),
      forgetSignIns: (trx, userId) => records.forget(trx, userId),
    }),
    passwords: passwordHashes(),
    tries,
    claimUsername: users.claimUsername,
  })

  let made: Promise<BoxProvider> | undefined
  /** A failed start of the provider is not kept: the next request tries again. */
  const box = () => {
    made ??= createBoxProvider({ publicUrl: publicUrl(), keys, records, findAccount: accounts.find, log }).catch(
      (error) => {
        made = undefined
        throw error
      },
    )
    return made
  }

  const goOnAt = () => `${publicUrl()}${consoleIsBuilt() ? '/console/' : '/sign-in'}`

  return {
    accounts,
    isOn,
    /** What accepts the box's own identity tokens; undefined when its issuer is off. */
    issuer: isOn
      ? {
          issuer: () => boxIssuer(publicUrl()),
          audience: CLIENTS,
          keys: keys.ofToken,
          identityOf: boxIdentity(accounts.find),
        }
      : undefined,
    /** A new one-time link that makes the first admin, once the service listens; undefined when there is somebody already, or the issuer is off. */
    firstAdminLink: async (): Promise<string | undefined> => {
      const code = isOn ? await accounts.newFirstAdminCode() : undefined
      return code && `${publicUrl()}/first-admin?code=${code}`
    },
    /** How people of the console sign in: here, else at the first provider that is configured, as the client it issues tokens for. */
    consoleSignIn: () => {
      if (isOn) return { issuer: boxIssuer(publicUrl()), clientId: CONSOLE_CLIENT, isBox: true }
      const [first] = config.CAIRN_OIDC
      return first && { issuer: first.issuer, clientId: first.audience, isBox: false }
    },
    routes:
      (exchange: Exchange): FastifyPluginAsyncZod =>
      async (app) => {
        if (!isOn) return void (await app.register(signInElsewhere(config.CAIRN_OIDC.map(({ issuer }) => issuer))))
        await app.register(accountRoutes({ accounts, box, publicUrl, goOnAt, secrets, exchange, clock }))
        doRegularly(app, {
          everyMs: 60_000,
          work: () => Promise.all([records.sweep(), tries.deleteOld()]),
          onError: (error) => log.error({ err: error }, 'ended sign-ins could not be deleted'),
        })
      },
  }
}
