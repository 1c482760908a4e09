import type { AppUser } from '../../platform/credentials/callers.ts'
import { medianOf } from './latency.ts'
import type { AppUsage } from './schema.ts'
import { type Counts, KEPT_DAYS, type Period, type UsageStore } from './store.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MAX_REFUSALS = 50

export type UsageService = ReturnType<typeof usageService>

type Deps = {
  store: UsageStore
  /** Writes what this process has counted to the database. */
  write: () => Promise<void>
  /** @throws 403, 404 if the user cannot read the app's usage */
  assertReader: (appId: string, user: AppUser) => Promise<void>
  limitPerMinute: number
}

/** The usage of apps. */
export function usageService({ store, write, assertReader, limitPerMinute }: Deps) {
  return {
    /** Usage of the last `days` days: hourly for 1, otherwise daily. @throws 403, 404 */
    async ofApp(appId: string, user: AppUser, days: number): Promise<AppUsage> {
      await assertReader(appId, user)
      await write()
      const now = Date.now()
      const { stepHours, starts } = stepsOf(days, now)
      const from = starts[0]!
      const before = (at: string | number) => new Date(new Date(at).getTime() - days * DAY_MS).toISOString()
      const [found, previous, latencies, busiestMinute, refusals] = await Promise.all([
        store.buckets(appId, { from, stepHours }),
        2 * days <= KEPT_DAYS ? store.totals(appId, before(from), before(now)) : null,
        store.latencies(appId, from),
        store.busiestMinute(appId, from),
        store.refusals(appId, from, MAX_REFUSALS),
      ])
      const counted = new Map(found.map((bucket) => [bucket.at, bucket]))
      const buckets = starts.map((at) => ({ ...none, ...counted.get(at), at }))
      return {
        from,
        to: new Date(now).toISOString(),
        step: stepHours === 1 ? 'hour' : 'day',
        buckets,
        totals: buckets.reduce(plus, none),
        previous,
        medianMs: medianOf(latencies),
        refusals,
        limitPerMinute,
        busiestMinute,
      }
    },
  }
}

const none: Counts = { calls: 0, refused: 0, limited: 0, failed: 0 }

const plus = (sum: Counts, { calls, refused, limited, failed }: Counts): Counts => ({
  calls: sum.calls + calls,
  refused: sum.refused + refused,
  limited: sum.limited + limited,
  failed: sum.failed + failed,
})

/** Start times of the buckets of a period, oldest first: whole UTC hours or days, including the current one. */
function stepsOf(days: number, now: number): { stepHours: Period['stepHours']; starts: string[] } {
  const stepHours = days === 1 ? 1 : 24
  const step = stepHours * HOUR_MS
  const count = days === 1 ? 24 : days
  const last = now - (now % step)
  const starts = Array.from({ length: count }, (_, n) => new Date(last - (count - 1 - n) * step).toISOString())
  return { stepHours, starts }
}
