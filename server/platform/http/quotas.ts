import type { FastifyReply } from 'fastify'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { HttpError } from '../errors.ts'

type Options = {
  /** In the RateLimit fields. */
  name: string
  /** How much a caller may take in one window. */
  quota: number
  windowSeconds: number
  /** The sentence for who took more, as far as "wait". */
  refusal: string
}

export type Quota = ReturnType<typeof createQuota>
export type Taken = Options & { remaining: number; resetSeconds: number; isOver: boolean }

/** So much of something for each caller in a window of time, counted in memory. A window begins with what a caller takes first in it. */
export function createQuota(options: Options) {
  const { name, quota, windowSeconds } = options
  const limiter = new RateLimiterMemory({ keyPrefix: name, points: quota, duration: windowSeconds })

  return {
    async take(caller: string, amount = 1): Promise<Taken> {
      const result = await limiter.consume(caller, amount).catch((error: unknown) => {
        if (error instanceof RateLimiterRes) return error
        throw error
      })
      return {
        ...options,
        remaining: result.remainingPoints,
        resetSeconds: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
        isOver: result.consumedPoints > quota,
      }
    },

    /** Takes back what was counted; no more than the window has by now, for it may be another one. */
    async giveBack(caller: string, amount = 1): Promise<void> {
      const counted = (await limiter.get(caller))?.consumedPoints ?? 0
      const back = Math.min(amount, counted)
      if (back > 0) await limiter.reward(caller, back)
    },
  }
}

/** Says what is left, beside what the answer says already (draft-ietf-httpapi-ratelimit-headers-10). */
export function showQuotas(reply: FastifyReply, taken: Taken[]) {
  if (taken.length === 0) return
  const add = (field: string, items: string[]) => {
    const before = reply.getHeader(field)
    reply.header(field, [...(before === undefined ? [] : [String(before)]), ...items].join(', '))
  }
  add(
    'ratelimit-policy',
    taken.map(({ name, quota, windowSeconds }) => `"${name}";q=${quota};w=${windowSeconds}`),
  )
  add('ratelimit', taken.map(left))
}

const left = ({ name, remaining, resetSeconds }: Taken) => `"${name}";r=${remaining};t=${resetSeconds}`

/** @throws 429 for the one that takes longest to come back */
export function refuseOver(taken: Taken[]) {
  const [first] = taken.filter(({ isOver }) => isOver).sort((a, b) => b.resetSeconds - a.resetSeconds)
  if (first) throw tooMany(first)
}

export function tooMany(taken: Taken): HttpError {
  const { refusal, resetSeconds } = taken
  return new HttpError(429, `${refusal}: wait ${resetSeconds} s`, {
    'retry-after': String(resetSeconds),
    ratelimit: left(taken),
  })
}
