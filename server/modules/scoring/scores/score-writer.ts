import pg from 'pg'
import type { ScoreItem, ScoreResult } from './score-repository.ts'

type Deps = {
  save: (item: ScoreItem) => Promise<ScoreResult>
  saveGroup: (items: ScoreItem[]) => Promise<ScoreResult[]>
  /** Transactions at the same time. */
  lanes?: number
  /** Items a transaction carries at most. */
  groupLimit?: number
}

type Waiting = { item: ScoreItem; resolve: (result: ScoreResult) => void; reject: (error: unknown) => void }

/**
 * Commits the scores of many requests together. While a lane is free what is there is sent at once; while all are busy it
 * collects, so that groups grow with the load and a single writer does not wait. (A timer would cost every writer its
 * length.) A group holds a player once: a second score of the same player waits for the next one.
 */
export function scoreWriter({ save, saveGroup, lanes = 2, groupLimit = 256 }: Deps) {
  let waiting: Waiting[] = []
  let free = lanes

  function send(): void {
    while (free > 0 && waiting.length > 0) {
      const group = takeGroup()
      free--
      commit(group).then(laneIsFree, laneIsFree)
    }
  }

  function laneIsFree(): void {
    free++
    send()
  }

  function takeGroup(): Waiting[] {
    const players = new Set<string>()
    const group: Waiting[] = []
    const rest: Waiting[] = []
    for (const one of waiting) {
      const player = `${one.item.appId} ${one.item.playerId}`
      if (group.length < groupLimit && !players.has(player)) {
        players.add(player)
        group.push(one)
      } else rest.push(one)
    }
    waiting = rest
    return group
  }

  async function commit(group: Waiting[]): Promise<void> {
    if (group.length > 1) {
      try {
        const results = await saveGroup(group.map((one) => one.item))
        group.forEach((one, i) => {
          one.resolve(results[i]!)
        })
        return
      } catch (error) {
        // of unknown outcome, or no connection: to repeat it would be wrong, or take as long for each item
        if (!(error instanceof pg.DatabaseError)) {
          for (const one of group) one.reject(error)
          return
        }
        // the database rolled the whole group back: one by one, so that an invalid item does not affect the others
      }
    }
    for (const one of group) await save(one.item).then(one.resolve, one.reject)
  }

  return {
    /** Writes a score. Resolves once it is committed and in the rank index. @throws what the database says about this item alone */
    save(item: ScoreItem): Promise<ScoreResult> {
      return new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject })
        send()
      })
    },
  }
}
