import type { SharedCount, SharedCounts } from './shared-counts.ts'

type Options = {
  shared: SharedCounts
  quota: number
  windowMs: number
}

/** What a process knows of a caller: the count of all processes when they last answered, and what it has not reported since. */
type Portion = { known: number; endsAt: number; unreported: number }

/** The share of a quota that a process counts by itself before it asks. */
const PORTION = 1 / 200
/** The share of a quota beyond which every request is counted by all processes together. */
const COUNTED_APART = 1 / 2
/** How long a process keeps counts to itself. */
const REPORT_MS = 100

/**
 * Counts of all processes, asked for once in many requests: while a caller is below half of its quota, each process
 * counts up to 1/200 of it by itself, and reports that within 100 ms. Beyond, and for quotas below 200, it asks each
 * time, so that all processes together let exactly the quota through.
 */
export function createPortions({ shared, quota, windowMs }: Options) {
  const largest = Math.floor(quota * PORTION)
  const portions = new Map<string, Portion>()
  const toReport = new Set<string>()

  const current = (key: string, now: number): Portion | undefined => {
    const portion = portions.get(key)
    return portion && now < portion.endsAt ? portion : undefined
  }

  /** Counts an amount and what was not reported. */
  function ask(key: string, amount: number): Promise<SharedCount | undefined> | undefined {
    const portion = current(key, performance.now())
    const whole = amount + (portion?.unreported ?? 0)
    if (portion) {
      portion.known += whole
      portion.unreported = 0
    }
    toReport.delete(key)
    const asked = shared.take(key, whole, windowMs)
    if (!asked) portions.delete(key)
    return asked?.then((count) => {
      if (count && largest > 0) keep(key, count)
      else portions.delete(key)
      return count
    })
  }

  function keep(key: string, { used, leftMs }: SharedCount): void {
    const now = performance.now()
    const unreported = current(key, now)?.unreported ?? 0
    portions.delete(key)
    for (const [other, { endsAt }] of portions) {
      if (endsAt > now) break
      portions.delete(other)
    }
    portions.set(key, { known: used, endsAt: now + leftMs, unreported })
  }

  function report(): void {
    for (const key of [...toReport]) void ask(key, 0)
  }

  return {
    /** @returns undefined if the other processes cannot be asked; the caller then counts in this process. Never rejects. */
    take(key: string, amount: number): SharedCount | Promise<SharedCount | undefined> | undefined {
      const now = performance.now()
      const portion = current(key, now)
      if (!portion || portion.unreported + amount > largest) return ask(key, amount)
      const used = portion.known + portion.unreported + amount
      if (used > quota * COUNTED_APART) return ask(key, amount)
      portion.unreported += amount
      if (toReport.size === 0) setTimeout(report, REPORT_MS).unref()
      toReport.add(key)
      return { used, leftMs: portion.endsAt - now }
    },
  }
}
