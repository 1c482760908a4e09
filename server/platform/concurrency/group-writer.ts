import pg from 'pg'

type Deps<Item, Result> = {
  /** Whose item it is: a group holds one of each. */
  keyOf: (item: Item) => string
  save: (item: Item) => Promise<Result>
  /** One result an item, in the same order. */
  saveGroup: (items: Item[]) => Promise<Result[]>
  /** Transactions at the same time. */
  lanes?: number
  /** Items a transaction carries at most. */
  groupLimit?: number
}

type Waiting<Item, Result> = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }

/**
 * Commits the writes of many requests together. While a lane is free what is there is sent at once; while all are busy it
 * collects, so that groups grow with the load and a single writer does not wait. (A timer would cost every writer its
 * length.) A group holds a key once: a second item of the same key waits for the next one.
 */
export function groupWriter<Item, Result>({ keyOf, save, saveGroup, lanes = 2, groupLimit = 256 }: Deps<Item, Result>) {
  let waiting: Waiting<Item, Result>[] = []
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

  function takeGroup(): Waiting<Item, Result>[] {
    const keys = new Set<string>()
    const group: Waiting<Item, Result>[] = []
    const rest: Waiting<Item, Result>[] = []
    for (const one of waiting) {
      const key = keyOf(one.item)
      if (group.length < groupLimit && !keys.has(key)) {
        keys.add(key)
        group.push(one)
      } else rest.push(one)
    }
    waiting = rest
    return group
  }

  async function commit(group: Waiting<Item, Result>[]): Promise<void> {
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
    /** Writes an item. Resolves once its group is committed. @throws what the database says about this item alone */
    save(item: Item): Promise<Result> {
      return new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject })
        send()
      })
    },
  }
}
