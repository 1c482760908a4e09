import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { addressBlock } from './address-block.ts'
import type { Config } from './config.ts'
import { HttpError } from './errors.ts'
import type { Guards } from './guards.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `none`: never limited. `exchange`: what fails here also counts against the failed exchanges of its address. */
    limit?: 'none' | 'exchange'
    /** What comes in is kept. `request` counts against the uploads of its sender as one and by its bytes, `chunk` by its bytes alone. */
    upload?: 'request' | 'chunk'
  }
}

type Name = 'key' | 'user' | 'address' | 'exchange'
type Taken = { name: Name; quota: number; remaining: number; resetSeconds: number; isOver: boolean }

export type Limits = ReturnType<typeof createLimits>

const WINDOW_SECONDS = 60

/** How many requests a minute each caller may make. A minute begins with a caller's first request in it. */
export function createLimits(config: Config) {
  const quotas: Record<Name, number> = {
    key: config.CAIRN_LIMIT_KEY_PER_MINUTE,
    user: config.CAIRN_LIMIT_USER_PER_MINUTE,
    address: config.CAIRN_LIMIT_ADDRESS_PER_MINUTE,
    exchange: config.CAIRN_LIMIT_EXCHANGES_PER_MINUTE,
  }
  const limiterOf = (name: Name) =>
    new RateLimiterMemory({ keyPrefix: name, points: quotas[name], duration: WINDOW_SECONDS })
  const limiters: Record<Name, RateLimiterMemory> = {
    key: limiterOf('key'),
    user: limiterOf('user'),
    address: limiterOf('address'),
    exchange: limiterOf('exchange'),
  }

  return {
    /** Counts one request. */
    async take(name: Name, caller: string): Promise<Taken> {
      const result = await limiters[name].consume(caller).catch((error: unknown) => {
        if (error instanceof RateLimiterRes) return error
        throw error
      })
      return {
        name,
        quota: quotas[name],
        remaining: result.remainingPoints,
        resetSeconds: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
        isOver: result.consumedPoints > quotas[name],
      }
    },

    /** Takes back what was counted for something that turned out well. */
    async giveBack(name: Name, caller: string): Promise<void> {
      await limiters[name].reward(caller)
    },
  }
}

/** Counts every request against its app key, its user, or, without a good credential, its address, once the credential was checked and before a body is read. Says in each answer what is left (draft-ietf-httpapi-ratelimit-headers-10). @throws 429 */
export function limitRequests(app: FastifyInstance, { limits, guards }: { limits: Limits; guards: Guards }) {
  app.addHook('preParsing', async (request, reply) => {
    const { limit } = request.routeOptions.config
    if (limit === 'none') return
    const key = guards.maybeAppOf(request)?.id
    const user = guards.maybeUserOf(request)?.id
    const taken: Taken[] = []
    if (key) taken.push(await limits.take('key', key))
    if (user) taken.push(await limits.take('user', user))
    if (taken.length === 0) taken.push(await limits.take('address', addressBlock(request.ip)))
    if (limit === 'exchange') taken.push(await limits.take('exchange', addressBlock(request.ip)))
    showLimits(reply, taken)
    refuseOver(taken)
  })

  app.addHook('onResponse', async (request, reply) => {
    const isExchange = request.routeOptions.config.limit === 'exchange'
    if (isExchange && reply.statusCode < 400) await limits.giveBack('exchange', addressBlock(request.ip))
  })
}

/** A request whose credential was refused counts against its address. @returns what to answer: the refusal, or 429 once the address has used its requests up */
export async function refusedFrom(limits: Limits, request: FastifyRequest, refusal: unknown): Promise<unknown> {
  if (!(refusal instanceof HttpError) || refusal.status !== 401) return refusal
  const taken = await limits.take('address', addressBlock(request.ip))
  return taken.isOver ? tooMany(taken) : refusal
}

function showLimits(reply: FastifyReply, taken: Taken[]) {
  const policies = taken.map(({ name, quota }) => `"${name}";q=${quota};w=${WINDOW_SECONDS}`)
  reply.header('ratelimit-policy', policies.join(', '))
  reply.header('ratelimit', taken.map(left).join(', '))
}

const left = ({ name, remaining, resetSeconds }: Taken) => `"${name}";r=${remaining};t=${resetSeconds}`

function refuseOver(taken: Taken[]) {
  const [first] = taken.filter(({ isOver }) => isOver).sort((a, b) => b.resetSeconds - a.resetSeconds)
  if (first) throw tooMany(first)
}

const OF: Record<Name, string> = {
  key: 'this app key',
  user: 'this user',
  address: 'this address without a credential',
  exchange: 'this address for failed sign-ins',
}

function tooMany(taken: Taken) {
  const { name, quota, resetSeconds } = taken
  return new HttpError(429, `More than ${quota} requests a minute for ${OF[name]}: wait ${resetSeconds} s`, {
    'retry-after': String(resetSeconds),
    ratelimit: left(taken),
  })
}
