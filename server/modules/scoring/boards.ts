import { Board, type Change, type Loaded } from './board.ts'

/** A change of one player's best, on the board it belongs to. */
export type BoardChange = Change & { appId: string; typeKey: string }

type Parts = {
  /** Waits until no statement of unknown outcome is left on the server. */
  fence: () => Promise<void>
  read: (appId: string, typeKey: string) => Promise<Loaded>
  /** Told about loads that failed; ranks come from SQL until one succeeds. */
  onError: (error: unknown) => void
  /** Told about every score that was written to a board, whether it moved a best or not. */
  onWrite?: (appId: string, typeKey: string) => void
}

/** Loads at the same time: each holds a connection and a copy of its board. */
const loadsAtOnce = 2
/** How long a board waits after a failed load before the next request tries again. */
const retryMs = 1_000

/** The rank indexes of this process, one a board, loaded when first asked for. */
export function rankBoards({ fence, read, onError, onWrite }: Parts) {
  const apps = new Map<string, Map<string, Board>>()
  const failedAt = new WeakMap<Board, number>()
  const waiting: (() => void)[] = []
  let loading = 0

  function boardOf(appId: string, typeKey: string): Board {
    const boards = apps.get(appId) ?? new Map<string, Board>()
    apps.set(appId, boards)
    const board = boards.get(typeKey) ?? new Board()
    boards.set(typeKey, board)
    return board
  }

  async function readInTurn(appId: string, typeKey: string): Promise<Loaded> {
    while (loading >= loadsAtOnce) await new Promise<void>((resume) => waiting.push(resume))
    loading++
    try {
      await fence()
      return await read(appId, typeKey)
    } finally {
      loading--
      waiting.shift()?.()
    }
  }

  const load = (appId: string, typeKey: string) => boardOf(appId, typeKey).load(() => readInTurn(appId, typeKey))

  /** The index, or undefined while it is not loaded; then it starts to load. */
  function indexOf(appId: string, typeKey: string) {
    const board = boardOf(appId, typeKey)
    if (!board.index && performance.now() - (failedAt.get(board) ?? Number.NEGATIVE_INFINITY) > retryMs) {
      load(appId, typeKey).catch((error) => {
        failedAt.set(board, performance.now())
        onError(error)
      })
    }
    return board.index
  }

  return {
    load,

    /** Applies what a committed write did, before the write is acknowledged. A board nobody asked for stays unloaded. */
    apply(change: BoardChange): void {
      onWrite?.(change.appId, change.typeKey)
      if (change.from !== change.to) apps.get(change.appId)?.get(change.typeKey)?.apply(change)
    },

    /** Forgets all boards of these apps: a write of unknown outcome may have touched any of them. */
    unload(appIds: Iterable<string>): void {
      for (const appId of appIds) for (const board of apps.get(appId)?.values() ?? []) board.unload()
    },

    /** How many players of a board are better than a key; at most all but one. @returns undefined while the board is not loaded: it starts to load, and SQL must answer */
    above(appId: string, typeKey: string, key: number): number | undefined {
      const index = indexOf(appId, typeKey)
      return index && Math.min(index.above(key), Math.max(0, index.size - 1))
    },

    /** How many players a board ranks. @returns undefined as `above` */
    size: (appId: string, typeKey: string): number | undefined => indexOf(appId, typeKey)?.size,

    /** Every board whose index is loaded. */
    *loaded(): Generator<{ appId: string; typeKey: string; board: Board }> {
      for (const [appId, boards] of apps) {
        for (const [typeKey, board] of boards) if (board.index) yield { appId, typeKey, board }
      }
    },
  }
}
export type RankBoards = ReturnType<typeof rankBoards>
