import type { BacklogStore, Bounds, Cut } from './backlog-store.ts'

type Parts = {
  store: BacklogStore
  bounds: Bounds
  /** Rows that the log of a webhook keeps. */
  mostLogged: number
  /** Tells of a webhook that was disabled. */
  cut: (webhook: Cut) => void
}

/** A look takes no more than this part of the database's time, however much waits. */
const SHARE = 0.1

/** Holds what waits for webhooks, and their logs, to their bounds. Between two looks a backlog grows by what is published meanwhile. */
export function createBacklogs({ store, bounds, mostLogged, cut }: Parts) {
  let notBefore = 0

  return {
    /** Looks once, unless the last look took so long that it is too early. */
    async hold(): Promise<void> {
      const begun = performance.now()
      if (begun < notBefore) return
      for (const webhook of await store.bound(bounds)) cut(webhook)
      await store.trimLogs(mostLogged)
      const ended = performance.now()
      notBefore = ended + (ended - begun) * (1 / SHARE - 1)
    },
  }
}
