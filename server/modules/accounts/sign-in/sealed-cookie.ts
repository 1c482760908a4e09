import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Secrets } from '../../../platform/credentials/secrets.ts'
import type { Clock } from '../../../platform/database/clock.ts'

type Options = {
  name: string
  /** How long it holds, by the browser and by the service. */
  seconds: number
  /** The pages that receive it: this address and those below it. */
  address: () => string
  secrets: Secrets
  clock: Clock
}

/** A cookie that only this service can read and write. Browsers send it with links from other sites, but not with their forms. */
export function sealedCookie<Value extends object>({ name, seconds, address, secrets, clock }: Options) {
  const cookie = (value: string, maxAge: number) => {
    const { pathname, protocol } = new URL(address())
    const secure = protocol === 'https:' ? '; Secure' : ''
    return `${name}=${value}; Path=${pathname}; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`
  }

  return {
    set(reply: FastifyReply, value: Value): void {
      const sealed = secrets.seal(name, JSON.stringify({ ...value, endsAt: clock.now() + seconds * 1000 }))
      reply.header('set-cookie', cookie(sealed, seconds))
    },

    remove(reply: FastifyReply): void {
      reply.header('set-cookie', cookie('', 0))
    },

    /** The value in a request; undefined without one that is whole and still holds. */
    valueIn(request: FastifyRequest): Value | undefined {
      const [, sealed] = new RegExp(`(?:^|;\\s*)${name}=([\\w.-]+)`).exec(request.headers.cookie ?? '') ?? []
      try {
        const value = JSON.parse(secrets.open(name, sealed ?? '')) as Value & { endsAt: number }
        return value.endsAt > clock.now() ? value : undefined
      } catch {
        return undefined
      }
    },
  }
}
