import { AsyncLocalStorage } from 'node:async_hooks'

type Pending<Record> = { resolve: (record: Record | undefined) => void; reject: (error: unknown) => void }

type Deps<Record> = {
  /** Reads the records of one scope with these ids. */
  read: (scope: string, ids: string[]) => Promise<Map<string, Record>>
  /** Maximum concurrent statements. Default: 2. */
  lanes?: number
  /** Maximum ids of a statement. Default: 256. */
  most?: number
}

/**
 * Combines reads of single records into one statement: it carries the reads that came while all lanes were busy. A lone
 * read is sent at once. Every statement begins after the reads it answers, so each sees what was committed before it.
 * @returns reads one record, or undefined when there is none; equal reads in one statement get the same object
 * @throws what the statement throws, to every read of it
 */
export function batchLoader<Record>({ read, lanes = 2, most = 256 }: Deps<Record>) {
  /** By scope, in the order of the first read. */
  const waiting = new Map<string, Map<string, Pending<Record>[]>>()
  /** The async context of the first read, in which the statement runs: it takes that request's connection lane. */
  const contexts = new WeakMap<Map<string, Pending<Record>[]>, ReturnType<typeof AsyncLocalStorage.snapshot>>()
  let free = lanes

  function send(): void {
    while (free > 0 && waiting.size > 0) {
      const [[scope, readers]] = waiting as unknown as [[string, Map<string, Pending<Record>[]>]]
      waiting.delete(scope)
      const inContext = contexts.get(readers)
      if (readers.size > most) {
        const rest = takeBeyond(readers, most)
        if (inContext) contexts.set(rest, inContext)
        waiting.set(scope, rest)
      }
      free--
      if (inContext) inContext(() => void answer(scope, readers))
      else void answer(scope, readers)
    }
  }

  async function answer(scope: string, readers: Map<string, Pending<Record>[]>): Promise<void> {
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
      const readers = waiting.get(scope) ?? new Map<string, Pending<Record>[]>()
      waiting.set(scope, readers)
      const same = readers.get(id)
      if (same) same.push({ resolve, reject })
      else readers.set(id, [{ resolve, reject }])
      // A snapshot costs more than the rest: a read that is sent at once is in its own context.
      if (free === 0 && !contexts.has(readers)) contexts.set(readers, AsyncLocalStorage.snapshot())
      send()
    })
}

/** Removes and returns all entries but the first `most`. */
function takeBeyond<Key, Value>(from: Map<Key, Value>, most: number): Map<Key, Value> {
  const rest = new Map([...from].slice(most))
  for (const key of rest.keys()) from.delete(key)
  return rest
}
