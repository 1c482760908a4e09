import { isVisible, parseSnapshot } from '../snapshot.ts'
import type { RankIndexCache } from './rank-index-cache.ts'

type Deps = {
  boards: RankIndexCache
  /** Counts for each key how many keys of a board are greater, in one snapshot of the primary. */
  countAboveEach: (appId: string, boardKey: string, keys: number[]) => Promise<{ snapshot: string; above: number[] }>
  /** Resolves when all writes in progress have been answered and applied. */
  settled: () => Promise<void>
  onMismatch: (board: { appId: string; boardKey: string; key: number; index: number; database: number }) => void
  onError: (error: unknown) => void
  everyMs?: number
}

/**
 * Compares ranks of the index with the database, one loaded board at a time, and rebuilds a board that differs. The
 * comparison is exact during writes: it records changes from before the query until all that its snapshot may have seen are
 * answered, and adds those that the snapshot saw to the first result of the index.
 */
export function boardCheck({ boards, countAboveEach, settled, onMismatch, onError, everyMs = 10_000 }: Deps) {
  const counters = { checks: 0, mismatches: 0 }
  let timer: NodeJS.Timeout | undefined
  let turn = 0

  /** @returns whether they agree; undefined if the board is not loaded, or changed too much to tell */
  async function check(appId: string, boardKey: string): Promise<boolean | undefined> {
    const board = [...boards.loaded()].find((one) => one.appId === appId && one.boardKey === boardKey)?.board
    const index = board?.index
    if (!board || !index || index.owed > 0 || index.size === 0) return undefined
    const { epoch } = board
    // Mostly near the top: those are read most, and cheap to count.
    const keys = Array.from({ length: 4 }, () => index.keyAt(Math.floor(index.size * Math.random() ** 4)) ?? 0)
    const expected = keys.map((key) => index.above(key))
    const changes: { from: number | null; to: number | null; xid: number }[] = []
    const unwatch = board.watch((change) => changes.push(change))
    try {
      const { snapshot: text, above } = await countAboveEach(appId, boardKey, keys)
      await settled()
      if (board.epoch !== epoch) return undefined
      const snapshot = parseSnapshot(text)
      for (const { from, to, xid } of changes) {
        if (!isVisible(snapshot, xid)) continue
        keys.forEach((key, i) => {
          expected[i]! += Number(to !== null && to > key) - Number(from !== null && from > key)
        })
      }
      counters.checks++
      const off = above.findIndex((count, i) => count !== expected[i])
      if (off < 0) return true
      counters.mismatches++
      onMismatch({ appId, boardKey, key: keys[off]!, index: expected[off]!, database: above[off]! })
      board.unload()
      await boards.load(appId, boardKey)
      return false
    } finally {
      unwatch()
    }
  }

  async function next(): Promise<void> {
    const loaded = [...boards.loaded()]
    const one = loaded[turn++ % Math.max(1, loaded.length)]
    if (one) await check(one.appId, one.boardKey).catch(onError)
    timer?.refresh()
  }

  return {
    counters,
    check,
    start(): void {
      timer ??= setTimeout(next, everyMs).unref()
    },
    stop(): void {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
