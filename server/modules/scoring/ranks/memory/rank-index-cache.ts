import type { RankKeeper } from '../rank-provider.ts'
import { Board, type Loaded } from './board-index.ts'

type Deps = {
  /** Waits until no statement of unknown outcome is left on the server. */
  fence: () => Promise<void>
  read: (appId: string, boardKey: string) => Promise<Loaded>
  /** Called for failed loads; ranks come from SQL until one succeeds. */
  onError: (error: unknown) => void
  /** Called for every score written to a board, whether or not a best score changed. */
  onWrite?: ((appId: string, boardKey: string) => void) | undefined
}

/** Maximum concurrent loads: each holds a connection and a copy of its board. */
const loadsAtOnce = 2
/** Delay after a failed load before the next request retries it. */
const retryMs = 1_000

/** The rank indexes of this process, one a board, loaded on first use. */
export function rankIndexCache({ fence, read, onError, onWrite }: Deps) {
  const apps = new Map<string, Map<string, Board>>()
  const failedAt = new WeakMap<Board, number>()
  const waiting: (() => void)[] = []
  let loading = 0

  function boardOf(appId: string, boardKey: string): Board {
    const boards = apps.get(appId) ?? new Map<string, Board>()
    apps.set(appId, boards)
    const board = boards.get(boardKey) ?? new Board()
    boards.set(boardKey, board)
    return board
  }

  async function readInTurn(appId: string, boardKey: string): Promise<Loaded> {
    while (loading >= loadsAtOnce) await new Promise<void>((resume) => waiting.push(resume))
    loading++
    try {
      await fence()
      return await read(appId, boardKey)
    } finally {
      loading--
      waiting.shift()?.()
    }
  }

  const load = (appId: string, boardKey: string) => boardOf(appId, boardKey).load(() => readInTurn(appId, boardKey))

  /** The index, or undefined and the start of a load. */
  function indexOf(appId: string, boardKey: string) {
    const board = boardOf(appId, boardKey)
    if (!board.index && performance.now() - (failedAt.get(board) ?? Number.NEGATIVE_INFINITY) > retryMs) {
      load(appId, boardKey).catch((error) => {
        failedAt.set(board, performance.now())
        onError(error)
      })
    }
    return board.index
  }

  const unload = (appIds: Iterable<string>): undefined => {
    for (const appId of appIds) for (const board of apps.get(appId)?.values() ?? []) board.unload()
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
        if (change.from !== change.to) apps.get(change.appId)?.get(change.boardKey)?.apply(change)
      }
      return undefined
    },
    unload,
    unloadAll: () => unload(apps.keys()),
    forget: (appId) => unload([appId]),
  } satisfies RankKeeper

  return {
    ...keeper,
    load,

    /** All loaded boards. */
    *loaded(): Generator<{ appId: string; boardKey: string; board: Board }> {
      for (const [appId, boards] of apps) {
        for (const [boardKey, board] of boards) if (board.index) yield { appId, boardKey, board }
      }
    },
  }
}
export type RankIndexCache = ReturnType<typeof rankIndexCache>
