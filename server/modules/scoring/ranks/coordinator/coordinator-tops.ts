import { LRUCache } from 'lru-cache'
import { coalesce } from '../../../../platform/concurrency/coalesce.ts'
import { newId } from '../../../../platform/ids.ts'
import type { Coordinator } from '../../../../platform/processes/coordinator.ts'
import type { ServingProcesses } from '../../../../platform/processes/serving-processes.ts'
import type { Top } from '../../leaderboards/top-reader.ts'
import type { BoardTops } from '../tops/board-tops.ts'

/** The best entries of a board of all players over all time; undefined if they must be read in another way. */
type ReadTop = (appId: string, boardKey: string, limit: number) => Promise<Top | undefined>
/** A top and its id, which the next one has as long as nothing changes; without a top, that of the id is good. */
type Sent = { id: string; top?: Top & { entries: string } }

/** How long a top waits for the coordinator. Then it comes from the database. */
const PATIENCE_MS = 1_000
/** Memory of a serving process for texts of tops: each is kept as it is, and as it was last sent and compressed. */
const MAX_BYTES = 2 ** 26
const COPIES = 3

/** The tops that the coordinator keeps, in a serving process: sent once, then asked for by their id. */
export function coordinatorTops(coordinator: Coordinator) {
  const share = coalesce<Top | undefined>()
  const received = new LRUCache<string, { id: string; top: Top }>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ top }) => 1_000 + COPIES * top.entries.length,
  })

  async function ask(name: string, ...board: Parameters<ReadTop>): Promise<Top | undefined> {
    const known = received.get(name)
    const sent = await coordinator.askWithin<Sent | undefined>(PATIENCE_MS, 'tops.read', ...board, known?.id)
    if (!sent?.top) return sent && known?.top
    const { last, entries } = sent.top
    // One buffer for all its readers: they keep what they make of it.
    const top = { last, entries: Buffer.from(entries) }
    received.set(name, { id: sent.id, top })
    return top
  }
  // A coordinator that is gone keeps no tops.
  const inform = (name: string, ...args: unknown[]) => coordinator.call<void>(name, ...args).catch(() => {})

  return {
    /** Includes all writes that were answered before. */
    read: ((...board) => {
      const name = board.join(' ')
      return share(name, () => ask(name, ...board))
    }) satisfies ReadTop,
    /** Await both before the change is answered. */
    playerChanged: (appId: string, playerId: string) => inform('tops.playerChanged', appId, playerId),
    discardAll: () => inform('tops.discardAll'),
  }
}

export type CoordinatorTops = ReturnType<typeof coordinatorTops>

/** Answers the serving processes for tops, in the coordinator. */
export function topsForServing(serving: ServingProcesses, tops: BoardTops, read: ReadTop): void {
  // Equal tops are the same object.
  const ids = new WeakMap<Top, string>()

  serving.answer('tops.read', async (appId: string, boardKey: string, limit: number, known?: string) => {
    const top = await read(appId, boardKey, limit)
    if (!top) return undefined
    const id = ids.get(top) ?? newId()
    ids.set(top, id)
    return (id === known ? { id } : { id, top: { ...top, entries: String(top.entries) } }) satisfies Sent
  })
  serving.answer('tops.playerChanged', tops.playerChanged)
  serving.answer('tops.discardAll', tops.discardAll)
}
