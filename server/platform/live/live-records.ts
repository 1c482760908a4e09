import type { Readable } from 'node:stream'
import type { ChangeFeed } from '../changes/feed.ts'
import { createConcurrencyLimiter } from '../concurrency/concurrency-limiter.ts'
import type { Sender } from '../credentials/callers.ts'
import { logOnce } from './log-once.ts'
import { type RecordState, RecordWatch } from './record-watch.ts'
import type { Need, Streams } from './streams.ts'

export type { RecordState as Seen }

/** A record to follow. */
export type Followed = {
  /** Its topic in the change feed. */
  topic: string
  subject: string
  /** Followers of a topic with the same key see the same record, which is read once for all of them. */
  key: string
  /** Reads the record as its GET does, permissions included. @throws the error of that GET, which ends the stream */
  read: () => Promise<RecordState>
}

/** The caller, what its stream depends on, and the last event it has seen, if any. */
export type Follower = { caller: Sender; needs: Need[]; lastEventId: string | undefined }

type Deps = { streams: Streams; changes: Pick<ChangeFeed, 'listen'>; onError: (error: unknown) => void }

/** Records read at a time, to leave the database to requests. */
const readsAtOnce = 4
/** Each record is read again after this time even without a change, because permissions depend on other records too. */
const lookAgainMs = 60_000

export type LiveRecords = ReturnType<typeof liveRecords>

/**
 * Event streams of single records. Each repeats a GET whenever the change feed reports a change of the record by any
 * process, and sends the result if it differs. An event contains the whole record, and a hash of it as its ID: a client
 * that reconnects, to any process, gets only what it has not seen.
 */
export function liveRecords({ streams, changes, onError }: Deps) {
  /** By topic, then by key. */
  const topics = new Map<string, Map<string, RecordWatch>>()
  const limited = createConcurrencyLimiter({ maxConcurrent: readsAtOnce })
  const { failed, worked } = logOnce(onError)
  let timer: NodeJS.Timeout | undefined

  const lookAgain = (watches: Iterable<RecordWatch>) => {
    for (const { reading } of watches) reading.soon()
  }

  /** The watches of a topic, woken by the feed from now on. */
  function watchesOf(topic: string): Map<string, RecordWatch> {
    const known = topics.get(topic)
    if (known) return known
    const watches = new Map<string, RecordWatch>()
    topics.set(topic, watches)
    changes.listen(
      topic,
      (subjects) => {
        const changed = new Set(watches.size > 0 ? subjects : [])
        if (changed.size > 0) lookAgain([...watches.values()].filter(({ subject }) => changed.has(subject)))
      },
      () => lookAgain(watches.values()),
    )
    timer ??= setInterval(() => {
      for (const some of topics.values()) lookAgain(some.values())
    }, lookAgainMs).unref()
    return watches
  }

  return {
    /**
     * Opens a stream: the record, unless the follower has seen this state, then each new state up to a final one.
     * @returns undefined if the follower has already seen the final state @throws the errors of the read; 429 and 503
     * as any stream
     */
    async follow(followed: Followed, { caller, needs, lastEventId }: Follower): Promise<Readable | undefined> {
      const { topic, subject, key, read } = followed
      const listener = streams.open(caller, needs)
      const watches = watchesOf(topic)
      const watch = watches.get(key) ?? new RecordWatch({ subject, read, limited, failed, worked })
      watches.set(key, watch)
      watch.listeners.set(listener, lastEventId)
      listener.stream.once('close', () => {
        watch.listeners.delete(listener)
        if (watch.listeners.size > 0 || watches.get(key) !== watch) return
        watch.reading.stop()
        watches.delete(key)
      })
      try {
        await watch.reading.now()
      } catch (error) {
        listener.stream.destroy()
        throw error
      }
      if (!watch.isOverAfter(lastEventId)) return listener.stream
      listener.stream.destroy()
      return undefined
    },

    /** Drops all watches; the streams end with the others. */
    close(): void {
      clearInterval(timer)
      for (const watches of topics.values()) for (const { reading } of watches.values()) reading.stop()
    },
  }
}
