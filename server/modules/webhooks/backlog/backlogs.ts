import type { BacklogStore, Bounds, DisabledForBacklog } from './backlog-store.ts'

type Deps = {
  store: BacklogStore
  bounds: Bounds
  /** Maximum number of rows in a webhook's delivery log. */
  maxLogged: number
  /** Reports a webhook that was disabled. */
  onDisabled: (webhook: DisabledForBacklog) => void
}

/**
 * The pause after a check is this many times as long as the check, so that counting takes a bounded share of the
 * database's time.
 */
const REST = 4
const LONGEST_REST_MS = 5000

/**
 * Keeps the backlogs and delivery logs of webhooks within their bounds. Between two checks a backlog can exceed its
 * bound by what is published meanwhile.
 */
export function createBacklogs({ store, bounds, maxLogged, onDisabled }: Deps) {
  let notBefore = 0

  return {
    /** Checks once, unless it is too early after the last check. */
    async enforce(): Promise<void> {
      const startedAt = performance.now()
      if (startedAt < notBefore) return
      let webhooks: DisabledForBacklog[] = []
      try {
        webhooks = await store.bound(bounds)
      } finally {
        const ended = performance.now()
        // If one webhook exceeded its bound, others may soon do so.
        notBefore = webhooks.length > 0 ? 0 : ended + Math.min(REST * (ended - startedAt), LONGEST_REST_MS)
      }
      for (const webhook of webhooks) onDisabled(webhook)
      await store.trimLogs(maxLogged)
    },
  }
}
