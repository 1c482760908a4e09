import type { Readable } from 'node:stream'
import type { Sender } from '../../../platform/credentials/callers.ts'
import { unavailable } from '../../../platform/errors.ts'
import { logOnce } from '../../../platform/live/log-once.ts'
import type { Need, Streams } from '../../../platform/live/streams.ts'
import { ThrottledReader } from '../../../platform/live/throttled-reader.ts'
import type { RankedRow } from '../leaderboards/assign-ranks.ts'
import { type Bounds, type LiveTop, type Watch, watchList } from './stream-registry.ts'

/** What streams of boards need beside an app key, as `Streams.endWith` has it. */
export const GAME_TYPE = 'mini game type'

/** Who follows a board, and the credential that the stream ends with. */
export type BoardFollower = { caller: Sender; needs: Need[] }

type Deps = {
  read: (appId: string, typeKey: string, limit: number) => Promise<RankedRow[]>
  streams: Streams
  onError: (error: unknown) => void
  bounds?: Partial<Bounds>
}

/** At most five times a second a board is read again because it was written to. */
const betweenMs = 200
/** And once a second anyway: names and pictures change too. */
const tickMs = 1000
/** How long a board without listeners keeps its changes. */
const lingerMs = 60_000

/** Boards with listeners, each read once for all of its listeners. */
export function liveBoards({ read, streams, onError, bounds }: Deps) {
  const { failed, worked } = logOnce(onError)
  const watches = watchList(
    (watch) => new ThrottledReader({ read: () => readAndTell(watch()), limited, betweenMs, failed }),
    bounds,
  )
  let readings: Promise<unknown> = Promise.resolve()
  let ticker: NodeJS.Timeout | undefined
  let isClosed = false

  /** One board at a time, so that requests keep the database to themselves. */
  function limited(reading: () => Promise<void>): Promise<void> {
    const done = readings.then(reading)
    readings = done.catch(() => {})
    return done
  }

  async function readAndTell({ appId, typeKey, limit, live, listeners, opening }: Watch): Promise<void> {
    if (isClosed || listeners.size + opening === 0) return
    const frame = live.update(await read(appId, typeKey, limit))
    worked()
    if (frame) for (const listener of listeners) listener.send(frame)
  }

  const refreshSoon = ({ listeners, reading }: Watch) => {
    if (listeners.size > 0 && !isClosed) reading.soon()
  }

  function tick(): void {
    watches.forgetLeft(lingerMs)
    for (const watch of watches.all()) refreshSoon(watch)
  }

  return {
    /**
     * Opens a stream: what was missed since the event that `lastEventId` names, or the whole board, then every change.
     * @throws 429 when the caller has too many streams open, 503 when all have, or while the service stops
     */
    async open(top: LiveTop, { caller, needs }: BoardFollower, lastEventId: string | undefined): Promise<Readable> {
      const { miniGameTypeId, miniGameTypeName } = top
      const listener = streams.open(caller, [
        ...needs,
        ...(miniGameTypeId ? [{ what: GAME_TYPE, id: miniGameTypeId }] : []),
      ])
      try {
        const watch = watches.forStream(top)
        watch.opening++
        try {
          if (watch.listeners.size === 0) await watch.reading.now()
        } finally {
          watch.opening--
          watch.leftAt = performance.now()
        }
        if (isClosed) throw unavailable('The service is stopping: connect again', 2)

        // Its key may have expired in the meantime.
        if (listener.stream.destroyed) throw unavailable('The stream ended before it started: connect again', 1)

        listener.stream.once('close', () => {
          watch.listeners.delete(listener)
          watch.leftAt = performance.now()
        })
        watch.listeners.add(listener)
        listener.send(watch.live.since(lastEventId, { miniGameTypeId, miniGameTypeName }))
        ticker ??= setInterval(tick, tickMs).unref()
        return listener.stream
      } catch (error) {
        listener.stream.destroy()
        throw error
      }
    },

    /** A score of a board was written: its listeners get the change soon. */
    wrote(appId: string, typeKey: string): void {
      for (const watch of watches.ofBoard(appId, typeKey)) refreshSoon(watch)
    },

    /** Any board may have been written to. */
    wroteAny(): void {
      for (const watch of watches.all()) refreshSoon(watch)
    },

    /** How many streams are open. */
    count: watches.streams,

    /** Reads no more; the streams end with all others. */
    close(): void {
      isClosed = true
      clearInterval(ticker)
      for (const { reading } of watches.all()) reading.stop()
    },
  }
}
export type LiveBoards = ReturnType<typeof liveBoards>
