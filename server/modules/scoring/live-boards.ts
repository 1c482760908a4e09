import { unavailable } from '../../platform/errors.ts'
import { Listener } from './listener.ts'
import type { RankedRow } from './ranked.ts'
import { type Bounds, type LiveTop, type Watch, watchList } from './watches.ts'

type Parts = {
  read: (appId: string, typeKey: string, limit: number) => Promise<RankedRow[]>
  /** Which of these app keys can still be used, and which of these types are still shown. */
  stillThere: (keyIds: string[], typeIds: string[]) => Promise<{ keyIds: Set<string>; typeIds: Set<string> }>
  onError: (error: unknown) => void
  bounds?: Partial<Bounds>
}

/** At most five times a second a board is read again because it was written to. */
const betweenReadsMs = 200
/** And once a second anyway: names and pictures change too, and other processes write. */
const tickMs = 1000
const ticksPerHeartbeat = 15
/** How long a board that nobody listens to any more remembers what changed. */
const lingerMs = 60_000

const retry = Buffer.from('retry: 3000\n\n')
const heartbeat = Buffer.from(':\n\n')

/** Boards that somebody listens to, each read once for all who listen. */
export function liveBoards({ read, stillThere, onError, bounds }: Parts) {
  const watches = watchList(bounds)
  let readings: Promise<unknown> = Promise.resolve()
  let ticker: NodeJS.Timeout | undefined
  let ticks = 0
  let isChecking = false
  let isFailing = false
  let isClosed = false

  /** Reads a board again and tells its listeners. One board at a time, so that requests keep the database to themselves. */
  function refresh(watch: Watch): Promise<void> {
    if (watch.next) return watch.next // not begun yet: it will see all there is now
    const reading = readings.then(async () => {
      watch.next = undefined
      watch.readAt = performance.now()
      const frame = watch.live.update(await read(watch.appId, watch.typeKey, watch.limit))
      isFailing = false
      if (frame) for (const listener of watch.listeners.keys()) listener.send(frame)
    })
    readings = reading.catch(() => {})
    watch.next = reading
    return reading
  }

  /** Tells of a failure once, not each second that it lasts. */
  function failed(error: unknown): void {
    if (!isFailing) onError(error)
    isFailing = true
  }

  function refreshSoon(watch: Watch): void {
    if (watch.listeners.size === 0) return
    watch.timer ??= setTimeout(
      () => {
        watch.timer = undefined
        if (watch.listeners.size > 0 && !isClosed) refresh(watch).catch(failed)
      },
      Math.max(0, watch.readAt + betweenReadsMs - performance.now()),
    ).unref()
  }

  /** Ends the streams of app keys that were rotated or deleted, and of types that were hidden. */
  async function endDead(): Promise<void> {
    const keyIds = new Set(watches.all().flatMap((watch) => [...watch.listeners.values()]))
    const typeIds = new Set(watches.all().flatMap(({ miniGameTypeId }) => miniGameTypeId ?? []))
    if (keyIds.size === 0) return
    const there = await stillThere([...keyIds], [...typeIds])
    const isGone = (asked: Set<string>, found: Set<string>, id: string) => asked.has(id) && !found.has(id)
    for (const { listeners, miniGameTypeId } of watches.all()) {
      for (const [listener, keyId] of listeners) {
        if (isGone(keyIds, there.keyIds, keyId) || isGone(typeIds, there.typeIds, miniGameTypeId ?? '')) listener.end()
      }
    }
  }

  async function tick(): Promise<void> {
    ticks++
    watches.forgetLeft(lingerMs)
    for (const watch of watches.all()) {
      refreshSoon(watch)
      if (ticks % ticksPerHeartbeat === 0) for (const listener of watch.listeners.keys()) listener.send(heartbeat)
    }
    if (isChecking) return
    isChecking = true
    await endDead().catch(failed)
    isChecking = false
  }

  return {
    /**
     * Opens a stream: what was missed since the event that `lastEventId` names, or the whole board, then every change.
     * @throws 429 when the app has too many streams open, 503 when all have, or while the service stops
     */
    async open(top: LiveTop, keyId: string, lastEventId: string | undefined): Promise<Listener['stream']> {
      if (isClosed) throw stopping()
      const watch = watches.forStream(top)
      watch.opening++
      try {
        if (watch.listeners.size === 0) await refresh(watch)
      } finally {
        watch.opening--
        watch.leftAt = performance.now()
      }
      if (isClosed) throw stopping()

      const listener = new Listener()
      listener.stream.once('close', () => {
        watch.listeners.delete(listener)
        watch.leftAt = performance.now()
      })
      watch.listeners.set(listener, keyId)
      listener.send(retry)
      const { miniGameTypeId, miniGameTypeName } = top
      listener.send(watch.live.since(lastEventId, { miniGameTypeId, miniGameTypeName }))
      ticker ??= setInterval(tick, tickMs).unref()
      return listener.stream
    },

    /** A score of a board was written: those who listen will soon know. */
    wrote(appId: string, typeKey: string): void {
      for (const watch of watches.ofBoard(appId, typeKey)) refreshSoon(watch)
    },

    /** How many streams are open. */
    count: watches.streams,

    /** Ends every stream, and opens no more. */
    close(): void {
      isClosed = true
      clearInterval(ticker)
      for (const { timer, listeners } of watches.all()) {
        clearTimeout(timer)
        for (const listener of listeners.keys()) listener.end()
      }
    },
  }
}
export type LiveBoards = ReturnType<typeof liveBoards>

const stopping = () => unavailable('The service is stopping: connect again', 2)
