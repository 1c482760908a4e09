import { setTimeout as sleep } from 'node:timers/promises'
import { HttpError } from '../../../../platform/errors.ts'
import { logOnce } from '../../../../platform/live/log-once.ts'
import type { RankCluster } from '../rank-cluster.ts'
import type { BoardChange } from '../rank-provider.ts'
import { packChanges } from './rank-changes.ts'
import type { BoardKeys, RankCommands } from './rank-scripts.ts'

/** A broken connection is usually restored within this time. Publishing twice is harmless. */
const AGAIN_AFTER_MS = [50, 150, 300]
/** Interval of attempts to resume publishing. */
const COME_BACK_MS = 1_000
/** How long a committed write waits while neither Redis nor PostgreSQL is available. */
const PATIENCE_MS = 10_000

type Deps = {
  commands: RankCommands
  processes: RankCluster
  keysOf: (appId: string, boardKey: string) => BoardKeys
  onError: (error: unknown) => void
}

/**
 * Publishes committed changes to Redis before they are acknowledged. If that fails the process *goes out*: all boards are
 * invalid for all processes, and commits need no publication, until Redis is reachable again.
 */
export function redisRankWriter({ commands, processes, keysOf, onError }: Deps) {
  const { failed, worked } = logOnce(onError)
  const untold = new Map<string, BoardKeys>()
  let isComingBack = false
  let isStopped = false

  /** @returns whether Redis has it */
  async function isTold(keys: BoardKeys, changes: BoardChange[]): Promise<boolean> {
    const parts = packChanges(changes)
    for (const pause of [...AGAIN_AFTER_MS, 0]) {
      if (processes.hasLeft()) return false
      try {
        for (const part of parts) {
          // Others may use the board of another run of Redis: all must know that it is invalid.
          if ((await commands.cairnRankChange(...keys, part)) < 0) return false
        }
        return true
      } catch (error) {
        failed(error)
        // After a command timeout, do not wait longer: connections are half-open.
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
      throw new HttpError(503, 'The ranks could not be updated: retry the request', { 'retry-after': '1' })
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
    /** Resolves once all later ranks, in all processes, include the changes. */
    async tell(changes: BoardChange[]): Promise<void> {
      if (processes.hasLeft()) return outside()
      const boards = Map.groupBy(changes, ({ appId, boardKey }) => `${appId} ${boardKey}`)
      await Promise.all([...boards.values()].map((some) => tellBoard(keysOf(some[0]!.appId, some[0]!.boardKey), some)))
    },

    stop(): void {
      isStopped = true
    },
  }
}

/** A command timeout, unlike a broken connection. */
const isSilent = (error: unknown) => (error as Error).message === 'Command timed out'
