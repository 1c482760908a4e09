import type { Readable } from 'node:stream'
import type { ChangeFeed } from '../../../platform/changes/feed.ts'
import { createConcurrencyLimiter } from '../../../platform/concurrency/concurrency-limiter.ts'
import type { Sender } from '../../../platform/credentials/callers.ts'
import { logOnce } from '../../../platform/live/log-once.ts'
import type { SseConnection } from '../../../platform/live/sse-connection.ts'
import { eventFrame, idFrame } from '../../../platform/live/sse-frames.ts'
import type { Need, Streams } from '../../../platform/live/streams.ts'
import { ThrottledReader } from '../../../platform/live/throttled-reader.ts'
import type { FenceEventStore, StoredEvent } from './event-store.ts'
import { eventIdOf, snapshotOf } from './snapshot-id.ts'

type Deps = {
  store: Omit<FenceEventStore, 'removeOld'>
  streams: Pick<Streams, 'open'>
  changes: Pick<ChangeFeed, 'listen'>
  /** The event of a stream, of what is stored. */
  shown: (event: StoredEvent) => object
  onError: (error: unknown) => void
}

/** Who follows an app: all of its players, or one. */
export type Follower = { playerId: string | undefined; caller: Sender; needs: Need[]; lastEventId: string | undefined }

/** `missedSince` is set until the listener has what it missed. */
type Listener = { playerId: string | undefined; isNew: boolean; missedSince: string | undefined }

type Watch = { snapshot: string | undefined; listeners: Map<SseConnection, Listener>; reading: ThrottledReader }

/** The events of an app are read at most five times a second. */
const BETWEEN_MS = 200
/** Delay before a failed read is repeated. */
const AGAIN_MS = 1000
/** How often the apps that are followed are noted, so that their events are stored. */
const NOTED_MS = 60_000
const READS_AT_ONCE = 4

/** Event streams of fences: the events of an app are read once for all who follow it, whichever process they come from. */
export function liveFenceEvents({ store, streams, changes, shown, onError }: Deps) {
  const watches = new Map<string, Watch>()
  const limited = createConcurrencyLimiter({ maxConcurrent: READS_AT_ONCE })
  const { failed, worked } = logOnce(onError)
  let timer: NodeJS.Timeout | undefined

  changes.listen(
    'fence_events',
    (appIds) => {
      for (const appId of watches.size > 0 ? appIds : []) watches.get(appId)?.reading.soon()
    },
    () => {
      for (const { reading } of watches.values()) reading.soon()
    },
  )

  const framesOf = (events: StoredEvent[], id: string): Buffer[] =>
    events.map((event, i) => eventFrame({ data: JSON.stringify(shown(event)), ...(i === events.length - 1 && { id }) }))

  async function read(appId: string, watch: Watch): Promise<void> {
    try {
      const { snapshot, events } = await store.since(appId, watch.snapshot)
      watch.snapshot = snapshot
      const id = eventIdOf(snapshot)
      const added = [...watch.listeners].filter(([, { isNew }]) => isNew)
      for (const [connection, listener] of watch.listeners)
        if (!listener.isNew)
          for (const frame of framesOf(
            events.filter(({ playerId }) => isFor(listener, playerId)),
            id,
          ))
            connection.send(frame)
      for (const [connection, listener] of added) await welcome(appId, { snapshot, id }, connection, listener)
      worked()
    } catch (error) {
      setTimeout(() => watch.listeners.size > 0 && watch.reading.soon(), AGAIN_MS).unref()
      throw error
    }
  }

  /** Sends what a listener has missed up to a snapshot, and the ID from which it would resume. */
  async function welcome(
    appId: string,
    { snapshot, id }: { snapshot: string; id: string },
    connection: SseConnection,
    listener: Listener,
  ): Promise<void> {
    const { missedSince: earlier, playerId } = listener
    const missed = earlier === undefined ? [] : await store.between(appId, { earlier, snapshot, playerId })
    listener.isNew = false
    for (const frame of framesOf(missed, id)) connection.send(frame)
    if (missed.length === 0) connection.send(idFrame(id))
  }

  function watchOf(appId: string): Watch {
    const known = watches.get(appId)
    if (known) return known
    const reading = new ThrottledReader({ read: () => read(appId, watch), limited, betweenMs: BETWEEN_MS, failed })
    const watch: Watch = { snapshot: undefined, listeners: new Map(), reading }
    watches.set(appId, watch)
    return watch
  }

  return {
    /**
     * Opens a stream of the events of an app: what was missed since `lastEventId`, as far as it is kept, then each event.
     * @throws 429 and 503 as any stream
     */
    async follow(appId: string, { playerId, caller, needs, lastEventId }: Follower): Promise<Readable> {
      const connection = streams.open(caller, needs)
      const watch = watchOf(appId)
      watch.listeners.set(connection, { playerId, isNew: true, missedSince: snapshotOf(lastEventId) })
      connection.stream.once('close', () => {
        watch.listeners.delete(connection)
        if (watch.listeners.size > 0 || watches.get(appId) !== watch) return
        watch.reading.stop()
        watches.delete(appId)
      })
      timer ??= setInterval(() => {
        if (watches.size > 0) store.willStream([...watches.keys()]).then(worked, failed)
      }, NOTED_MS).unref()
      try {
        await store.willStream([appId])
        await watch.reading.now()
      } catch (error) {
        connection.stream.destroy()
        throw error
      }
      return connection.stream
    },

    /** Reads no more; the streams end with all others. */
    close(): void {
      clearInterval(timer)
      for (const { reading } of watches.values()) reading.stop()
    },
  }
}

const isFor = ({ playerId }: Listener, of: string) => playerId === undefined || playerId === of
