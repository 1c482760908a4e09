import type { FileStore } from '../store.ts'

/** Makes the record of an announced file that has arrived and was not looked at yet. @returns undefined when there is none */
export type Finish = (where: { key: string } | { id: number }) => Promise<object | undefined>

/** The files, with those among them that have arrived but have no record before they are asked for.
 * Looking one up throws 400 when it is not what was announced. */
export function withArrivals(store: FileStore, finish: Finish): FileStore {
  return {
    ...store,
    get: async (id) => (await store.get(id)) ?? ((await finish({ id })) && (await store.get(id))),
    findByKey: async (key) => (await store.findByKey(key)) ?? ((await finish({ key })) && (await store.findByKey(key))),
  }
}
