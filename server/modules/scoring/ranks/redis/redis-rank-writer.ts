import { setTimeout as sleep } from 'node:timers/promises'
import { HttpError } from '../../../../platform/errors.ts'
import { logOnce } from '../../../../platform/live/log-once.ts'
import type { RankCluster } from '../rank-cluster.ts'
import type { BoardChange } from '../rank-provider.ts'
import { packChanges } from './rank-changes.ts'
import type { BoardKeys, RankCommands } from './rank-scripts.ts'

/** A connection that broke is mostly there again within this. To tell twice does no harm. */
const AGAIN_AFTER_MS = [50, 150, 300]
/** How often a process that tells nothing looks whether it could. */
const COME_BACK_MS = 1_000
/** How long a committed write waits to be answered while neither Redis nor PostgreSQL can be told of it. */
const PATIENCE_MS = 10_000

type Deps = {
  commands: RankCommands
  processes: RankCluster
  keysOf: (appId: string, typeKey: string) => BoardKeys
  onError: (error: unknown) => void
}

/**
 * Tells Redis of committed changes before they are acknowledged. Where it cannot be told the process *goes out*: no board
 * counts for anybody, and what is committed needs not be told, until Redis can be reached again.
 */
export function redisRankWriter({ commands, processes, keysOf, onError }: Deps) {
  const { failed, worked } = logOnce(onError)
  const untold = new Map<string, BoardKeys>()
  let isComingBack = false
  let isStopped = false

  /** @returns whether Redis knows now */
  async function isTold(keys: BoardKeys, changes: BoardChange[]): Promise<boolean> {
    const parts = packChanges(changes)
    for (const pause of [...AGAIN_AFTER_MS, 0]) {
      if (processes.hasLeft()) return false
      try {
        for (const part of parts) {
          // What another run of Redis says about a board may be relied on elsewhere: all must know that it is none.
          if ((await commands.cairnRankChange(...keys, part)) < 0) return false
        }
        return true
      } catch (error) {
        failed(error)
        // Who was silent for the whole time of a command is so for longer than anybody should wait: half-open connections are.
        if (isSilent(error)) return false
        if (pause > 0) await sleep(pause)
      }
    }
    return false
  }

  async function tellBoard(keys: BoardKeys, changes: BoardChange[]): Promise<void> {
    if (await isTold(keys, changes)) return
    untold.set(keys[0], keys)
    if (!isComingBack) void comeBack()
    await outside()
  }

  async function outside(): Promise<void> {
    const tooLate = Symbol()
    const waited = await Promise.race([processes.leave(), sleep(PATIENCE_MS, tooLate, { ref: false })])
    if (waited === tooLate)
      throw new HttpError(503, 'The ranks could not be told of this: send the request again', { 'retry-after': '1' })
  }

  async function comeBack(): Promise<void> {
    isComingBack = true
    await processes.leave()
    while (!isStopped) {
      await sleep(COME_BACK_MS, undefined, { ref: false })
      try {
        for (const [name, keys] of untold) {
          await commands.cairnRankDrop(...keys)
          untold.delete(name)
        }
        break
      } catch (error) {
        failed(error)
      }
    }
    isComingBack = false
    processes.rejoin()
    worked()
  }

  return {
    /** Resolves once every rank that is asked for anywhere counts the changes. */
    async tell(changes: BoardChange[]): Promise<void> {
      if (processes.hasLeft()) return outside()
      const boards = Map.groupBy(changes, ({ appId, typeKey }) => `${appId} ${typeKey}`)
      await Promise.all([...boards.values()].map((some) => tellBoard(keysOf(some[0]!.appId, some[0]!.typeKey), some)))
    },

    stop(): void {
      isStopped = true
    },
  }
}

/** No answer within the time of a command, unlike a connection that broke. */
const isSilent = (error: unknown) => (error as Error).message === 'Command timed out'
