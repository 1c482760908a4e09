import type { BoardFills } from './board-fill.ts'
import type { PeriodBoard, PeriodStore } from './period-store.ts'
import type { Window } from './schema.ts'

type Deps = { store: PeriodStore; fills: BoardFills; onError: (error: unknown) => void }
type Of = { appId: string; typeKey: string }

/** Boards of periods: of the current day, week or month of a mini game type, and of seasons. */
export function periodBoards({ store, fills, onError }: Deps) {
  const fillOf = (of: Of, board: PeriodBoard) => ({
    key: board.key,
    appId: of.appId,
    fill: () => store.fill(of, board),
    isReady: () => store.isReady(of.appId, board.key),
  })

  /** Puts the scores that were written before a board was made on it. @returns whether it has them; false if that takes longer */
  const ready = async (of: Of, board: PeriodBoard): Promise<boolean> => board.isReady || fills.ready(fillOf(of, board))

  return {
    ready,

    /** The board of the current window in a time zone, by the clock of the database. */
    async current(of: Of, every: Window, timeZone: string): Promise<PeriodBoard> {
      const board = await store.window(of, every, timeZone)
      return { ...board, isReady: await ready(of, board) }
    },

    /** Finishes boards whose process ended while it filled them. */
    async finish(): Promise<void> {
      for (const board of await store.unready()) await fills.start(fillOf(board, board)).catch(onError)
    },
  }
}
export type PeriodBoards = ReturnType<typeof periodBoards>
