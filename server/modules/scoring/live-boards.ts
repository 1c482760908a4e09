import { HttpError, unavailable } from '../../platform/errors.ts'
import { Listener } from './listener.ts'
import { LiveBoard } from './live-board.ts'
import type { RankedRow } from './ranked.ts'

/** What a stream shows: the top of one board. */
export type LiveTop = {
  appId: string
  typeKey: string
  limit: number
  miniGameTypeId: string | null
  miniGameTypeName: string | null
}

type Parts = {
  read: (appId: string, typeKey: string, limit: number) => Promise<RankedRow[]>
  /** Which of these app keys can still be used, and which of these types are still shown. */
  stillThere: (keyIds: string[], typeIds: string[]) => Promise<{ keyIds: Set<string>; typeIds: Set<string> }>
  onError: (error: unknown) => void
  bounds?: Partial<typeof usualBounds>
}

/** How many streams may be open, and how many entries the boards that they show may have together, of one app and in all. */
const usualBounds = { streamsOfApp: 1000, streams: 5000, entriesOfApp: 20_000, entries: 100_000 }
/** At most five times a second a board is read again because it was written to. */
const betweenReadsMs = 200
/** And as often it is read again anyway: names and pictures change too, and other processes write. */
const tickMs = 1000
const ticksPerHeartbeat = 15
/** How long a board that nobody listens to any more remembers what changed. */
const lingerMs = 60_000

const retry = Buffer.from('retry: 3000\n\n')
const heartbeat = Buffer.from(':\n\n')

type Watch = LiveTop & {
  live: LiveBoard
  /** Who listens, and the id of the app key that lets it. */
  listeners: Map<Listener, string>
  /** Streams that are being opened: they need the board to stay. */
  opening: number
  /** The next reading, until it begins. */
  next: Promise<void> | undefined
  timer: NodeJS.Timeout | undefined
  readAt: number
  leftAt: number
}

/** Boards that somebody listens to, each read once for all who listen. */
export function liveBoards({ read, stillThere, onError, bounds: given }: Parts) {
  const bounds = { ...usualBounds, ...given }
  const boards = new Map<string, Map<number, Watch>>()
  let readings: Promise<unknown> = Promise.resolve()
  let ticker: NodeJS.Timeout | undefined
  let ticks = 0
  let isChecking = false
  let isFailing = false
  let isClosed = false

  const all = () => [...boards.values()].flatMap((ofBoard) => [...ofBoard.values()])
  const ofApp = (appId: string) => all().filter((watch) => watch.appId === appId)
  const streamsOf = (some: Watch[]) => some.reduce((sum, watch) => sum + watch.listeners.size + watch.opening, 0)
  const entriesOf = (some: Watch[]) => some.reduce((sum, watch) => sum + watch.limit, 0)

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
    watch.timer ??= setTimeout(
      () => {
        watch.timer = undefined
        if (watch.listeners.size > 0 && !isClosed) refresh(watch).catch(failed)
      },
      Math.max(0, watch.readAt + betweenReadsMs - performance.now()),
    ).unref()
  }

  /** @throws 429 or 503 when streams show too many entries already */
  function watchOf(top: LiveTop): Watch {
    const { appId, typeKey, limit } = top
    const known = boards.get(`${appId} ${typeKey}`)?.get(limit)
    if (known) return known
    const isTooMuch = () => entriesOf(all()) + limit > bounds.entries
    const isTooMuchOfApp = () => entriesOf(ofApp(appId)) + limit > bounds.entriesOfApp
    if (isTooMuch() || isTooMuchOfApp()) forgetLeft(0)
    if (isTooMuch()) throw unavailable('Too many boards are streamed now: try again later', 30)
    if (isTooMuchOfApp()) throw tooMany('This app streams too many boards: stream fewer, or fewer entries of each')
    const live = new LiveBoard(limit)
    const nobody = { listeners: new Map(), opening: 0, next: undefined, timer: undefined, readAt: 0, leftAt: 0 }
    const watch: Watch = { ...top, ...nobody, live }
    const ofBoard = boards.get(`${appId} ${typeKey}`) ?? new Map<number, Watch>()
    boards.set(`${appId} ${typeKey}`, ofBoard.set(limit, watch))
    return watch
  }

  /** Forgets boards that nobody has listened to for some time. */
  function forgetLeft(olderThanMs: number): void {
    for (const [key, ofBoard] of boards) {
      for (const [limit, { listeners, opening, leftAt }] of ofBoard) {
        if (listeners.size + opening === 0 && performance.now() - leftAt >= olderThanMs) ofBoard.delete(limit)
      }
      if (ofBoard.size === 0) boards.delete(key)
    }
  }

  /** Ends the streams of app keys that were rotated or deleted, and of types that were hidden. */
  async function endDead(): Promise<void> {
    const keyIds = new Set(all().flatMap((watch) => [...watch.listeners.values()]))
    const typeIds = new Set(all().flatMap(({ miniGameTypeId }) => miniGameTypeId ?? []))
    if (keyIds.size === 0) return
    const there = await stillThere([...keyIds], [...typeIds])
    const isGone = (asked: Set<string>, found: Set<string>, id: string) => asked.has(id) && !found.has(id)
    for (const { listeners, miniGameTypeId } of all()) {
      for (const [listener, keyId] of listeners) {
        if (isGone(keyIds, there.keyIds, keyId) || isGone(typeIds, there.typeIds, miniGameTypeId ?? '')) listener.end()
      }
    }
  }

  async function tick(): Promise<void> {
    ticks++
    forgetLeft(lingerMs)
    for (const watch of all()) {
      if (watch.listeners.size > 0) refreshSoon(watch)
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
      if (streamsOf(all()) >= bounds.streams) throw unavailable('Too many streams are open: try again later', 30)
      if (streamsOf(ofApp(top.appId)) >= bounds.streamsOfApp)
        throw tooMany(`This app has ${bounds.streamsOfApp} streams open: close some`)
      const watch = watchOf(top)
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
      if (boards.size === 0) return
      for (const watch of boards.get(`${appId} ${typeKey}`)?.values() ?? []) {
        if (watch.listeners.size > 0) refreshSoon(watch)
      }
    },

    /** How many streams are open. */
    count: () => streamsOf(all()),

    /** Ends every stream, and opens no more. */
    close(): void {
      isClosed = true
      clearInterval(ticker)
      for (const { timer, listeners } of all()) {
        clearTimeout(timer)
        for (const listener of listeners.keys()) listener.end()
      }
    },
  }
}
export type LiveBoards = ReturnType<typeof liveBoards>

const tooMany = (sentence: string) => new HttpError(429, sentence, { 'retry-after': '30' })
const stopping = () => unavailable('The service is stopping: connect again', 2)
