import type { ChangeFeed } from '../../../platform/changes/feed.ts'
import { createConcurrencyLimiter } from '../../../platform/concurrency/concurrency-limiter.ts'
import type { Sender } from '../../../platform/credentials/callers.ts'
import { ThrottledReader } from '../../../platform/live/throttled-reader.ts'
import type { Conversion } from '../schema.ts'
import type { ConversionKey } from './conversion-key.ts'
import { waitLimits } from './wait-limits.ts'

/** The caller that waits, and a signal that aborts when it has left. */
export type Waiter = { caller: Sender; left: AbortSignal }

/** Conversions read at a time, to leave the database to other requests. */
const MAX_CONCURRENT_READS = 2
/** Shortest time between two reads of a conversion, and before a failed read is retried. */
const MIN_READ_INTERVAL_MS = 100
const RETRY_MS = 1000

/** A conversion that requests wait for. */
type Watch = {
  sha256: string
  reading: ThrottledReader
  conversion: Conversion | undefined
  callbacks: Set<() => void>
}

type Deps = {
  get: (key: ConversionKey) => Promise<Conversion | undefined>
  changes: Pick<ChangeFeed, 'listen'>
  topic: string
}

/**
 * Lets requests wait for conversions. However many wait for one, it is read once when its content may have changed, and
 * not at all when all have left.
 */
export function conversionWaiters({ get, changes, topic }: Deps) {
  /** By content and options. */
  const watches = new Map<string, Watch>()
  const places = waitLimits()
  const limitReads = createConcurrencyLimiter({ maxConcurrent: MAX_CONCURRENT_READS })
  let isListening = false
  let isStopping = false

  /** Reads the conversions of these contents again that requests wait for. */
  function refresh(contents: Iterable<string>): void {
    if (watches.size === 0) return
    const changed = new Set(contents)
    for (const { sha256, reading } of watches.values()) if (changed.has(sha256)) reading.soon()
  }

  function listen(): void {
    if (isListening) return
    isListening = true
    changes.listen(topic, refresh, () => {
      for (const { reading } of watches.values()) reading.soon()
    })
  }

  function watchOf(key: ConversionKey): Watch {
    const known = watches.get(nameOf(key))
    if (known) return known
    const read = async () => {
      watch.conversion = await get(key)
      if (isSettled(watch.conversion)) for (const resume of [...watch.callbacks]) resume()
    }
    const reading = new ThrottledReader({
      read,
      limited: limitReads,
      betweenMs: MIN_READ_INTERVAL_MS,
      failed: () => setTimeout(() => watch.callbacks.size > 0 && reading.soon(), RETRY_MS).unref(),
    })
    const watch: Watch = { sha256: key.sha256, reading, conversion: undefined, callbacks: new Set() }
    watches.set(nameOf(key), watch)
    return watch
  }

  return {
    /** Whether another request of this caller may wait. */
    hasRoom: places.hasRoomFor,

    /**
     * Waits until a conversion has completed or failed, for at most `ms`, until the caller leaves or the
     * service stops. @returns its state then @throws 429 if the caller waits for too many; 503 if too many requests
     * wait
     */
    async settled(key: ConversionKey, ms: number, { caller, left }: Waiter): Promise<Conversion | undefined> {
      listen()
      const release = places.take(caller)
      const watch = watchOf(key)
      // Counts as a waiter during the first read, so that the watch stays.
      let resume = () => {}
      const callback = () => resume()
      watch.callbacks.add(callback)
      try {
        await watch.reading.now()
        if (isSettled(watch.conversion) || isStopping || left.aborted) return watch.conversion
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          resume = () => {
            clearTimeout(timer)
            resolve()
          }
          left.addEventListener('abort', resume, { once: true })
        })
        return watch.conversion
      } finally {
        release()
        watch.callbacks.delete(callback)
        if (watch.callbacks.size === 0 && watches.get(nameOf(key)) === watch) {
          watch.reading.stop()
          watches.delete(nameOf(key))
        }
      }
    },

    /** Call it when this process changed a conversion of this content: waiters learn of it at once. */
    notify: (sha256: string) => refresh([sha256]),

    /** Ends all waiting, so that requests are answered before the service stops. */
    stop(): void {
      isStopping = true
      for (const { callbacks } of watches.values()) for (const resume of [...callbacks]) resume()
    },
  }
}

const isSettled = (conversion: Conversion | undefined) =>
  !conversion || ['COMPLETED', 'FAILED'].includes(conversion.status)

const nameOf = ({ sha256, options }: ConversionKey) => `${sha256} ${options}`
