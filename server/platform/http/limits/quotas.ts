import type { FastifyReply } from 'fastify'
import { HttpError } from '../../errors.ts'
import { createPortions } from './portions.ts'
import { createQuotaWindows } from './quota-windows.ts'
import type { SharedCount, SharedCounts } from './shared-counts.ts'

export type QuotaOptions = {
  /** Name in the RateLimit header fields. */
  name: string
  /** How much a caller may use in one window. */
  quota: number
  windowSeconds: number
  /** The error sentence for callers over the quota, up to "wait". */
  refusal: (quota: number) => string
}

export type Quota = ReturnType<typeof createQuota>

/** The state of a quota after counting. */
export type Taken = {
  of: QuotaOptions & { policy: string }
  caller: string
  /** Counted in this process only. */
  isLocal: boolean
  remaining: number
  resetSeconds: number
  isOver: boolean
}
export type Counted = Taken | Promise<Taken>

/** A quota for each caller in a fixed window, which begins with the caller's first request in it. One process counts in memory and synchronously. Several processes count together, in Redis or in their coordinator; while that is unavailable, each counts alone, at half the quota. */
export function createQuota(options: QuotaOptions, shared?: SharedCounts) {
  const windowMs = options.windowSeconds * 1000
  const whole = withPolicy(options)
  const alone = shared ? withPolicy({ ...options, quota: Math.max(1, Math.floor(options.quota / 2)) }) : whole
  const windows = createQuotaWindows(options.windowSeconds)
  const portions = shared && createPortions({ shared, quota: options.quota, windowMs })

  const takeHere = (caller: string, amount: number): Taken => {
    // The monotonic clock: a system clock set back by an hour would lock callers out for as long.
    const now = performance.now()
    const { used, endsAt } = windows.take(caller, amount, now)
    return taken(alone, { caller, isLocal: true, used, leftMs: endsAt - now })
  }
  const keyOf = (caller: string) => `cairn:quota:${options.name}:${caller}`

  return {
    /** Never rejects. */
    take(caller: string, amount = 1): Counted {
      const known = (count: SharedCount | undefined) =>
        count ? taken(whole, { caller, isLocal: false, ...count }) : takeHere(caller, amount)
      const asked = portions?.take(keyOf(caller), amount)
      return asked instanceof Promise ? asked.then(known) : known(asked)
    },

    /** Uncounts an amount, at most what the current window holds: it may be a later one. */
    uncount({ caller, isLocal }: Taken, amount = 1) {
      if (isLocal) windows.uncount(caller, amount)
      else shared!.uncount(keyOf(caller), amount)
    },
  }
}

const withPolicy = (options: QuotaOptions) => ({
  ...options,
  policy: `"${options.name}";q=${options.quota};w=${options.windowSeconds}`,
})

const taken = (
  of: Taken['of'],
  { caller, isLocal, used, leftMs }: Pick<Taken, 'caller' | 'isLocal'> & SharedCount,
): Taken => ({
  of,
  caller,
  isLocal,
  remaining: Math.max(0, of.quota - used),
  // Rounding may make the rest of a window a hair longer than the window.
  resetSeconds: Math.min(of.windowSeconds, Math.max(1, Math.ceil(leftMs / 1000))),
  isOver: used > of.quota,
})

/** Continues once all quotas are counted: synchronously when all were counted in memory. */
export function afterCounting(counted: Counted[], goOn: (taken: Taken[]) => void) {
  if (counted.some((one) => one instanceof Promise)) void Promise.all(counted).then(goOn)
  else goOn(counted as Taken[])
}

/** Adds what is left to the RateLimit fields of the response (draft-ietf-httpapi-ratelimit-headers-10). */
export function setQuotaHeaders(reply: FastifyReply, taken: Taken[]) {
  for (const one of taken) {
    add(reply, 'ratelimit-policy', one.of.policy)
    add(reply, 'ratelimit', left(one))
  }
}

function add(reply: FastifyReply, field: string, item: string) {
  const before = reply.getHeader(field)
  reply.header(field, before === undefined ? item : `${before}, ${item}`)
}

const left = ({ of, remaining, resetSeconds }: Taken) => `"${of.name}";r=${remaining};t=${resetSeconds}`

/** @returns 429 for the exceeded quota that resets last, or undefined */
export function refusalOf(taken: Taken[]): HttpError | undefined {
  let longest: Taken | undefined
  for (const one of taken)
    if (one.isOver && (longest === undefined || one.resetSeconds > longest.resetSeconds)) longest = one
  return longest && tooMany(longest)
}

export function tooMany(taken: Taken): HttpError {
  const { of, resetSeconds } = taken
  return new HttpError(429, `${of.refusal(of.quota)}. Retry in ${resetSeconds} seconds`, {
    'retry-after': String(resetSeconds),
    ratelimit: left(taken),
  })
}
