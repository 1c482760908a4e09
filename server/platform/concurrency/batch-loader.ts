import { AsyncLocalStorage } from 'node:async_hooks'

type Asked<Record> = { resolve: (record: Record | undefined) => void; reject: (error: unknown) => void }

type Deps<Record> = {
  /** All records of one scope that have these ids, by id. */
  read: (scope: string, ids: string[]) => Promise<Map<string, Record>>
  /** Statements at the same time. */
  lanes?: number
  /** Ids a statement carries at most. */
  most?: number
}

/**
 * Reads records by their ids for many requests together: one statement carries what was asked for while all lanes were busy.
 * A lone request waits for nobody; under load a read costs the process and the database a part of a statement. Each statement
 * begins after all reads that it answers were asked for, so a reader sees all that was committed before it asked.
 * @returns reads one record, or undefined when there is none; equal reads of one statement get the same object
 * @throws what the statement throws, each reader of it
 */
export function batchLoader<Record>({ read, lanes = 2, most = 256 }: Deps<Record>) {
  /** By scope, in the order of their first reader. */
  const waiting = new Map<string, Map<string, Asked<Record>[]>>()
  /** The request that asked first: its lane is the one of the statement. */
  const contexts = new WeakMap<Map<string, Asked<Record>[]>, ReturnType<typeof AsyncLocalStorage.snapshot>>()
  let free = lanes

  function send(): void {
    while (free > 0 && waiting.size > 0) {
      const [[scope, readers]] = waiting as unknown as [[string, Map<string, Asked<Record>[]>]]
      waiting.delete(scope)
      const inContext = contexts.get(readers)!
      if (readers.size > most) {
        const rest = takeBeyond(readers, most)
        contexts.set(rest, inContext)
        waiting.set(scope, rest)
      }
      free--
      inContext(() => void answer(scope, readers))
    }
  }

  async function answer(scope: string, readers: Map<string, Asked<Record>[]>): Promise<void> {
    try {
      const records = await read(scope, [...readers.keys()])
      for (const [id, all] of readers) for (const { resolve } of all) resolve(records.get(id))
    } catch (error) {
      for (const all of readers.values()) for (const { reject } of all) reject(error)
    }
    free++
    send()
  }

  return (scope: string, id: string): Promise<Record | undefined> =>
    new Promise((resolve, reject) => {
      const readers = waiting.get(scope) ?? new Map<string, Asked<Record>[]>()
      waiting.set(scope, readers)
      if (!contexts.has(readers)) contexts.set(readers, AsyncLocalStorage.snapshot())
      const same = readers.get(id)
      if (same) same.push({ resolve, reject })
      else readers.set(id, [{ resolve, reject }])
      send()
    })
}

/** Takes all but the first `most` out. @returns them */
function takeBeyond<Key, Value>(from: Map<Key, Value>, most: number): Map<Key, Value> {
  const rest = new Map([...from].slice(most))
  for (const key of rest.keys()) from.delete(key)
  return rest
}
