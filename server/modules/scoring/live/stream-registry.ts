import { HttpError, unavailable } from '../../../platform/errors.ts'
import type { SseConnection } from '../../../platform/live/sse-connection.ts'
import type { ThrottledReader } from '../../../platform/live/throttled-reader.ts'
import { LiveBoard } from './live-board.ts'

/** What a stream shows: the top of one board. */
export type LiveTop = {
  appId: string
  typeKey: string
  limit: number
  miniGameTypeId: string | null
  miniGameTypeName: string | null
}

/** The top of a board that has listeners, or had some a moment ago. */
export type Watch = LiveTop & {
  live: LiveBoard
  reading: ThrottledReader
  listeners: Set<SseConnection>
  /** Streams that are being opened: they need the board to stay. */
  opening: number
  leftAt: number
}

/** How many entries the boards that are streamed may have together, of one app and in all. */
const usualBounds = { entriesOfApp: 20_000, entries: 100_000 }
export type Bounds = typeof usualBounds

/** The boards that are streamed, one entry a board and length, and how many there may be. @param readingOf what reads a board */
export function watchList(readingOf: (watch: () => Watch) => ThrottledReader, given: Partial<Bounds> = {}) {
  const bounds = { ...usualBounds, ...given }
  const boards = new Map<string, Map<number, Watch>>()
  const keyOf = (appId: string, typeKey: string) => `${appId} ${typeKey}`

  const all = () => [...boards.values()].flatMap((ofBoard) => [...ofBoard.values()])
  const ofApp = (appId: string) => all().filter((watch) => watch.appId === appId)
  const entriesOf = (some: Watch[]) => some.reduce((sum, watch) => sum + watch.limit, 0)

  /** Drops boards that have had no listeners for some time. */
  function forgetLeft(olderThanMs: number): void {
    for (const [key, ofBoard] of boards) {
      for (const [limit, { listeners, opening, leftAt }] of ofBoard) {
        if (listeners.size + opening === 0 && performance.now() - leftAt >= olderThanMs) ofBoard.delete(limit)
      }
      if (ofBoard.size === 0) boards.delete(key)
    }
  }

  function make(top: LiveTop): Watch {
    const { appId, typeKey, limit } = top
    const isTooMuch = () => entriesOf(all()) + limit > bounds.entries
    const isTooMuchOfApp = () => entriesOf(ofApp(appId)) + limit > bounds.entriesOfApp
    if (isTooMuch() || isTooMuchOfApp()) forgetLeft(0)
    if (isTooMuch()) throw unavailable('Too many boards are streamed now: try again later', 30)
    if (isTooMuchOfApp()) throw tooMany('This app streams too many boards: stream fewer, or fewer entries of each')
    const [live, reading] = [new LiveBoard(limit), readingOf(() => watch)]
    const watch: Watch = { ...top, live, reading, listeners: new Set(), opening: 0, leftAt: 0 }
    const ofBoard = boards.get(keyOf(appId, typeKey)) ?? new Map<number, Watch>()
    boards.set(keyOf(appId, typeKey), ofBoard.set(limit, watch))
    return watch
  }

  return {
    all,
    forgetLeft,
    streams: () => all().reduce((sum, watch) => sum + watch.listeners.size, 0),

    /** The streams of one board, of any length. */
    ofBoard: (appId: string, typeKey: string): Iterable<Watch> =>
      boards.size === 0 ? [] : (boards.get(keyOf(appId, typeKey))?.values() ?? []),

    /** The one for another stream of a board. @throws 429 when that is too much for the app, 503 when it is for all */
    forStream: (top: LiveTop): Watch => boards.get(keyOf(top.appId, top.typeKey))?.get(top.limit) ?? make(top),
  }
}

const tooMany = (sentence: string) => new HttpError(429, sentence, { 'retry-after': '30' })
