import type { BacklogStore, Bounds, Cut } from './backlog-store.ts'

type Deps = {
  store: BacklogStore
  bounds: Bounds
  /** Rows that the log of a webhook keeps. */
  maxLogged: number
  /** Tells of a webhook that was disabled. */
  cut: (webhook: Cut) => void
}

/** After a look that took long the next waits so many times as long, so that counting takes little of the database's time. */
const REST = 4
const LONGEST_REST_MS = 5000

/** Holds what waits for webhooks, and their logs, to their bounds. Between two looks a backlog grows by what is published meanwhile. */
export function createBacklogs({ store, bounds, maxLogged, cut }: Deps) {
  let notBefore = 0

  return {
    /** Looks once, unless it is too early after the last look. */
    async hold(): Promise<void> {
      const begun = performance.now()
      if (begun < notBefore) return
      let webhooks: Cut[] = []
      try {
        webhooks = await store.bound(bounds)
      } finally {
        const ended = performance.now()
        // Where one was over its bound, others may soon be.
        notBefore = webhooks.length > 0 ? 0 : ended + Math.min(REST * (ended - begun), LONGEST_REST_MS)
      }
      for (const webhook of webhooks) cut(webhook)
      await store.trimLogs(maxLogged)
    },
  }
}
