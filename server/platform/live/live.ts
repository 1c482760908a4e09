import type { ChangeFeed } from '../changes/feed.ts'
import type { Log } from '../logging/log.ts'
import type { Metrics } from '../metrics.ts'
import { liveRecords } from './live-records.ts'
import { createStreams } from './streams.ts'

type Deps = { changes: Pick<ChangeFeed, 'listen'>; log: Log; metrics: Metrics }

export type Live = ReturnType<typeof createLive>

/** Event streams, and the records that they follow. */
export function createLive({ changes, log, metrics }: Deps) {
  const streams = createStreams({
    onError: (error) => log.warn({ err: error }, 'failed to check stream authorization'),
  })
  const records = liveRecords({
    streams,
    changes,
    onError: (error) => log.warn({ err: error }, 'failed to read a followed record'),
  })
  metrics.gauge('cairn_event_streams', 'Open event streams, including those of leaderboards', streams.count)
  return {
    streams,
    records,
    /** Ends every stream, and opens no more. */
    close(): void {
      records.close()
      streams.close()
    },
  }
}
