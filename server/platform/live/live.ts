import type { ChangeFeed } from '../changes/feed.ts'
import type { Log } from '../logging/log.ts'
import type { Metrics } from '../metrics.ts'
import { liveRecords } from './live-records.ts'
import { createStreams } from './streams.ts'

type Deps = { changes: Pick<ChangeFeed, 'listen'>; log: Log; metrics: Metrics }

export type Live = ReturnType<typeof createLive>

/** What is told as it happens: event streams, and the records that they follow. */
export function createLive({ changes, log, metrics }: Deps) {
  const streams = createStreams({
    onError: (error) => log.warn({ err: error }, 'it was not found out which streams are to end'),
  })
  const records = liveRecords({
    streams,
    changes,
    onError: (error) => log.warn({ err: error }, 'a record that is followed could not be read'),
  })
  metrics.gauge('cairn_event_streams', 'Event streams that are open, those of leaderboards included', streams.count)
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
