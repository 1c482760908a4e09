import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Secrets } from '../../../platform/credentials/secrets.ts'
import type { Clock } from '../../../platform/database/clock.ts'
import { builtInIssuer } from '../provider/provider.ts'
import type { Account } from '../schema.ts'

const COOKIE = 'cairn_new_admin'
const SECONDS = 120

type Deps = {
  secrets: Secrets
  clock: Clock
  publicUrl: () => string
  /** The account of a login that no session has been opened for yet. */
  findNewAccount: (login: string) => Promise<Account | undefined>
}
type Sealed = { login: string; version: number; endsAt: number }

export type NewAdminCookie = ReturnType<typeof newAdminCookie>

/**
 * Spares the browser that has just created the first admin from asking for the password again. The cookie is sealed, only
 * goes to the pages of the built-in issuer, and holds for two minutes, until the password changes or a session is opened.
 */
export function newAdminCookie({ secrets, clock, publicUrl, findNewAccount }: Deps) {
  const cookie = (value: string, seconds: number) => {
    const { pathname, protocol } = new URL(`${builtInIssuer(publicUrl())}/interaction`)
    const secure = protocol === 'https:' ? '; Secure' : ''
    return `${COOKIE}=${value}; Path=${pathname}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
  }

  return {
    give(reply: FastifyReply, { login, version }: Account): void {
      const sealed: Sealed = { login, version, endsAt: clock.now() + SECONDS * 1000 }
      reply.header('set-cookie', cookie(secrets.seal(COOKIE, JSON.stringify(sealed)), SECONDS))
    },

    remove(reply: FastifyReply): void {
      reply.header('set-cookie', cookie('', 0))
    },

    /** The account of the cookie; undefined without one that still holds. */
    async accountOf(request: FastifyRequest): Promise<Account | undefined> {
      const [, value] = new RegExp(`(?:^|;\\s*)${COOKIE}=([\\w.-]+)`).exec(request.headers.cookie ?? '') ?? []
      const sealed = value === undefined ? undefined : opened(value)
      if (!sealed || sealed.endsAt <= clock.now()) return undefined
      const account = await findNewAccount(sealed.login)
      return account?.version === sealed.version ? account : undefined
    },
  }

  function opened(value: string): Sealed | undefined {
    try {
      return JSON.parse(secrets.open(COOKIE, value)) as Sealed
    } catch {
      return undefined
    }
  }
}
