import { AsyncLocalStorage } from 'node:async_hooks'

type Asked<Record> = { resolve: (record: Record | undefined) => void; reject: (error: unknown) => void }

type Deps<Record> = {
  /** Reads all records of a scope with these IDs. */
  read: (scope: string, ids: string[]) => Promise<Map<string, Record>>
  /** Concurrent statements. */
  lanes?: number
  /** Maximum number of IDs per statement. */
  most?: number
}

/**
 * Combines concurrent reads by ID into one statement, which carries the requests that arrived while all lanes were
 * busy. A lone read does not wait. Each statement starts after all reads that it answers were requested, so every
 * reader sees what was committed before its request. @returns a function that reads one record, undefined if it does
 * not exist; equal reads of one statement get the same object @throws the error of the statement, to each of its
 * readers
 */
export function batchLoader<Record>({ read, lanes = 2, most = 256 }: Deps<Record>) {
  /** By scope, in the order of their first reader. */
  const waiting = new Map<string, Map<string, Asked<Record>[]>>()
  /** The context of the first reader, whose lane the statement uses. */
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

/** Removes all but the first `most` entries. @returns the removed ones */
function takeBeyond<Key, Value>(from: Map<Key, Value>, most: number): Map<Key, Value> {
  const rest = new Map([...from].slice(most))
  for (const key of rest.keys()) from.delete(key)
  return rest
}
