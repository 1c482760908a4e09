import { coalesce } from '../../../platform/concurrency/coalesce.ts'
import type { BoardTops } from '../ranks/tops/board-tops.ts'
import { lastPlace, type Place } from '../ranks/tops/kept-top.ts'
import { type Board, kindOf } from './board-choice.ts'
import type { BoardKind } from './board-sql.ts'
import type { LeaderboardStore } from './store.ts'

type Deps = {
  stores: Record<BoardKind, Pick<LeaderboardStore, 'topText'>>
  /** Undefined if this process must not keep any. */
  tops: BoardTops | undefined
  /** Reads a top from another process that keeps it. */
  elsewhere?: ((appId: string, boardKey: string, limit: number) => Promise<Top | undefined>) | undefined
}

/** The best entries as JSON with commas between, and where the board goes on. */
export type Top = { entries: string | Buffer; last: Place | undefined }

/**
 * Reads the top of a board: from memory, else from SQL. Only tops of all players over all time are kept: entries of a
 * period or segment also change in ways that the rank index is not told of.
 * @returns undefined where a score is written in another way than JavaScript writes it
 */
export function topReader({ stores, tops, elsewhere }: Deps) {
  const share = coalesce<Top | undefined>()

  async function fromSql(board: Board, limit: number): Promise<Top | undefined> {
    const { appId, key } = board
    const kind = kindOf(board)
    const read = () => stores[kind].topText(appId, key, limit)
    const top = await (tops && kind === 'types' ? tops.fill(appId, key, read) : read())
    return top && { entries: top.entries, last: lastPlace(top) }
  }

  return async (board: Board, limit: number): Promise<Top | undefined> => {
    const { appId, key } = board
    // Where a replica may be read, each request chooses by what its sender has written.
    if (kindOf(board) !== 'types' || !(tops || elsewhere)) return fromSql(board, limit)
    const kept = () => tops?.find(appId, key)?.best(limit)
    const known = elsewhere ? await elsewhere(appId, key, limit) : kept()
    // A reader that waited for another one's statement may find that its top is kept by now.
    return known ?? share(`${appId} ${key} ${limit}`, async () => kept() ?? fromSql(board, limit))
  }
}

export type TopReader = ReturnType<typeof topReader>
