import { LRUCache } from 'lru-cache'
import type { RankKeeper } from '../rank-provider.ts'
import { BoardTop, type BoardTops } from '../tops/board-tops.ts'
import { Board, type Loaded } from './board-index.ts'

type Deps = {
  /** Waits until no statement of unknown outcome is left on the server. */
  fence: () => Promise<void>
  read: (appId: string, boardKey: string) => Promise<Loaded>
  /** Called for failed loads; ranks come from SQL until one succeeds. */
  onError: (error: unknown) => void
  /** Called for every score written to a board, whether or not a best score changed. */
  onWrite?: ((appId: string, boardKey: string) => void) | undefined
  /** Memory of all indexes together. Beyond it, those that were not read for longest are discarded. */
  maxBytes?: number
}

type Entry = {
  appId: string
  boardKey: string
  board: Board
  top: BoardTop
  /** Its memory when it was last measured. */
  bytes: number
}

/** Maximum concurrent loads: each holds a connection and a copy of its board. */
const loadsAtOnce = 2
/** Loads that wait beyond these. A board that is requested meanwhile is not kept, and loaded when it is requested again. */
const loadsWaiting = 1_000
/** Delay after a failed load before the next request retries it. */
const retryMs = 1_000
/** The same for a board that is larger than the memory. */
const retryLargeMs = 600_000
/** What a board takes without its keys, measured with 100,000 boards of one key. */
export const bytesOfBoard = 3_000
/** See RankBlocks. */
export const bytesOfKey = 9

/** The rank indexes of this process, one a board, loaded on first use. */
export function rankIndexCache({ fence, read, onError, onWrite, maxBytes = 2 ** 30 }: Deps) {
  const apps = new Map<string, Map<string, Entry>>()
  const retryAt = new WeakMap<Board, number>()
  const waiting: (() => void)[] = []
  let loading = 0
  const kept = new LRUCache<Entry, Entry>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => bytes,
    dispose: (entry, _key, reason) => {
      if (reason === 'evict') drop(entry)
    },
  })

  function discard({ board, top }: Entry): void {
    board.unload()
    top.discard()
  }

  /** A board that is not loaded drops changes, so nothing is lost with its entry. */
  function drop(entry: Entry): void {
    const { appId, boardKey } = entry
    discard(entry)
    const boards = apps.get(appId)
    boards?.delete(boardKey)
    if (boards?.size === 0) apps.delete(appId)
  }

  function entryOf(appId: string, boardKey: string): Entry {
    const boards = apps.get(appId) ?? new Map<string, Entry>()
    apps.set(appId, boards)
    const entry = boards.get(boardKey) ?? newEntry(appId, boardKey)
    boards.set(boardKey, entry)
    return entry
  }

  /** @returns undefined if the board was unloaded while its load waited */
  async function readInTurn(entry: Entry): Promise<Loaded | undefined> {
    const { appId, boardKey } = entry
    while (loading >= loadsAtOnce) await new Promise<void>((resume) => waiting.push(resume))
    loading++
    try {
      if (apps.get(appId)?.get(boardKey) !== entry) return undefined
      await fence()
      return await read(appId, boardKey)
    } finally {
      loading--
      waiting.shift()?.()
    }
  }

  async function load(appId: string, boardKey: string): Promise<boolean> {
    const entry = entryOf(appId, boardKey)
    return (await entry.board.load(() => readInTurn(entry))) && keep(entry)
  }

  /** Measures a loaded board that is read, and discards others for it. @returns false if it is larger than all the memory */
  function keep(entry: Entry): boolean {
    const ofIndex = bytesOfBoard + bytesOfKey * (entry.board.index?.size ?? 0)
    if (ofIndex + entry.top.bytes > maxBytes) entry.top.discard()
    const bytes = ofIndex + entry.top.bytes
    if (bytes === entry.bytes && kept.get(entry)) return true
    kept.delete(entry)
    entry.bytes = bytes
    if (kept.set(entry, entry).has(entry)) return true
    discard(entry)
    retryAt.set(entry.board, performance.now() + retryLargeMs)
    return false
  }

  /** The index, or undefined and the start of a load, unless too many wait. */
  function indexOf(appId: string, boardKey: string) {
    if (waiting.length >= loadsWaiting && !apps.get(appId)?.has(boardKey)) return undefined
    const entry = entryOf(appId, boardKey)
    const { board } = entry
    if (board.index) keep(entry)
    else if (performance.now() > (retryAt.get(board) ?? 0)) {
      load(appId, boardKey).catch((error) => {
        retryAt.set(board, performance.now() + retryMs)
        onError(error)
      })
    }
    return board.index
  }

  const unload = (appIds: Iterable<string>): undefined => {
    for (const appId of appIds)
      for (const entry of apps.get(appId)?.values() ?? []) {
        kept.delete(entry)
        // The entry of a board that is larger than the memory remembers it.
        if (performance.now() < (retryAt.get(entry.board) ?? 0)) discard(entry)
        else drop(entry)
      }
  }

  const keeper = {
    above(appId: string, boardKey: string, keys: readonly number[]): number[] | undefined {
      const index = indexOf(appId, boardKey)
      if (!index) return undefined
      const allButOne = Math.max(0, index.size - 1)
      return keys.map((key) => Math.min(index.above(key), allButOne))
    },
    size: (appId: string, boardKey: string): number | undefined => indexOf(appId, boardKey)?.size,
    ready: () => undefined,
    /** An unused board stays unloaded. */
    apply(changes) {
      for (const change of changes) {
        onWrite?.(change.appId, change.boardKey)
        const entry = apps.get(change.appId)?.get(change.boardKey)
        // A write of an equal score changes what is shown beside it.
        entry?.top.apply(change)
        if (change.from !== change.to) entry?.board.apply(change)
      }
      return undefined
    },
    unload,
    unloadAll: () => unload(apps.keys()),
    discard(appId, boardKey) {
      const entry = apps.get(appId)?.get(boardKey)
      if (entry) {
        kept.delete(entry)
        drop(entry)
      }
      return undefined
    },
    forget: (appId) => unload([appId]),
  } satisfies RankKeeper

  const tops: BoardTops = {
    find: (appId, boardKey) => apps.get(appId)?.get(boardKey)?.top.kept,
    async fill(appId, boardKey, read) {
      const entry = apps.get(appId)?.get(boardKey)
      if (!entry) return read()
      const top = await entry.top.fill(read)
      if (apps.get(appId)?.get(boardKey) === entry && entry.board.index) keep(entry)
      return top
    },
    best: (appId, boardKey, playerId, read) => apps.get(appId)?.get(boardKey)?.top.best(playerId, read) ?? read(),
    playerChanged(appId, playerId) {
      for (const { top } of apps.get(appId)?.values() ?? []) top.apply({ playerId })
    },
    discardAll() {
      for (const boards of apps.values()) for (const { top } of boards.values()) top.discard()
    },
  }

  return {
    ...keeper,
    load,
    tops,

    /** All loaded boards. */
    *loaded(): Generator<Entry> {
      for (const boards of apps.values()) for (const entry of boards.values()) if (entry.board.index) yield entry
    },

    /** Memory of the loaded boards, as far as it is known: a board is measured when it is read. */
    bytes: (): number => kept.calculatedSize,
  }
}

const newEntry = (appId: string, boardKey: string): Entry => {
  const board = new Board()
  return { appId, boardKey, board, top: new BoardTop(board), bytes: 0 }
}
export type RankIndexCache = ReturnType<typeof rankIndexCache>
