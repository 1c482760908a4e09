import type { Readable } from 'node:stream'
import type { ChangeFeed } from '../changes/feed.ts'
import { createConcurrencyLimiter } from '../concurrency/concurrency-limiter.ts'
import type { Sender } from '../credentials/guards.ts'
import { logOnce } from './log-once.ts'
import { type RecordState, RecordWatch } from './record-watch.ts'
import type { Need, Streams } from './streams.ts'

export type { RecordState as Seen }

/** A record to follow. */
export type Followed = {
  /** What the change feed tells of it. */
  topic: string
  subject: string
  /** Whoever follows a record of the topic by the same key sees the same of it: it is read once for all of them. */
  key: string
  /** Reads it as its GET does, rights included. @throws the refusal of that GET, which ends the stream */
  read: () => Promise<RecordState>
}

/** Who follows, what that takes, and the last event it has seen, if any. */
export type Follower = { caller: Sender; needs: Need[]; lastEventId: string | undefined }

type Deps = { streams: Streams; changes: Pick<ChangeFeed, 'listen'>; onError: (error: unknown) => void }

/** Records that are read at a time: requests keep the database to themselves. */
const readsAtOnce = 4
/** Whatever the feed tells, each is looked at again after this: who may see a record does not hang on the record alone. */
const lookAgainMs = 60_000

export type LiveRecords = ReturnType<typeof liveRecords>

/**
 * Streams of single records. Each is a GET that is asked again whenever the change feed tells that any process changed the
 * record, and sent when it reads otherwise than before. An event has the whole record, and as its id a hash of it: so who
 * comes back, to whichever process, is sent only what it has not seen.
 */
export function liveRecords({ streams, changes, onError }: Deps) {
  /** By topic, then by key. */
  const topics = new Map<string, Map<string, RecordWatch>>()
  const inTurn = createConcurrencyLimiter({ maxConcurrent: readsAtOnce })
  const { failed, worked } = logOnce(onError)
  let timer: NodeJS.Timeout | undefined

  const lookAgain = (watches: Iterable<RecordWatch>) => {
    for (const { reading } of watches) reading.soon()
  }

  /** The watches of a topic, which the feed wakes from now on. */
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
     * Opens a stream: the record, unless the follower has seen it so, then each state that it comes to, up to a final one.
     * @returns undefined when the follower has seen the final one already: there is nothing more to come for
     * @throws what reading it throws, 429 and 503 as any stream
     */
    async follow(followed: Followed, { caller, needs, lastEventId }: Follower): Promise<Readable | undefined> {
      const { topic, subject, key, read } = followed
      const listener = streams.open(caller, needs)
      const watches = watchesOf(topic)
      const watch = watches.get(key) ?? new RecordWatch({ subject, read, inTurn, failed, worked })
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

    /** Forgets everything; the streams end with the others. */
    close(): void {
      clearInterval(timer)
      for (const watches of topics.values()) for (const { reading } of watches.values()) reading.stop()
    },
  }
}
