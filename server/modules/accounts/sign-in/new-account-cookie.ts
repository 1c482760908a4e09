import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Secrets } from '../../../platform/credentials/secrets.ts'
import type { Clock } from '../../../platform/database/clock.ts'
import { builtInIssuer } from '../provider/provider.ts'
import type { Account } from '../schema.ts'
import { sealedCookie } from './sealed-cookie.ts'

type Deps = {
  secrets: Secrets
  clock: Clock
  publicUrl: () => string
  /** The account of a login that no session has been opened for yet. */
  findNewAccount: (login: string) => Promise<Account | undefined>
}

export type NewAccountCookie = ReturnType<typeof newAccountCookie>

/**
 * Spares the browser that has just set the first password of an account from asking for it again. The cookie only goes to
 * the pages of the built-in issuer, and holds for two minutes, until the password changes or a session is opened.
 */
export function newAccountCookie({ secrets, clock, publicUrl, findNewAccount }: Deps) {
  const cookie = sealedCookie<Pick<Account, 'login' | 'version'>>({
    name: 'cairn_new_account',
    seconds: 120,
    address: () => `${builtInIssuer(publicUrl())}/interaction`,
    ...{ secrets, clock },
  })

  return {
    give: (reply: FastifyReply, { login, version }: Account): void => cookie.set(reply, { login, version }),

    remove: cookie.remove,

    /** The account of the cookie; undefined without one that still holds. */
    async accountOf(request: FastifyRequest): Promise<Account | undefined> {
      const value = cookie.valueIn(request)
      const account = value && (await findNewAccount(value.login))
      return account?.version === value?.version ? account : undefined
    },
  }
}
