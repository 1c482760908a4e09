import type { FileStore } from '../store.ts'

/**
 * Creates the record of an announced file that has arrived but was not checked yet. @returns undefined if there is none
 */
export type Finish = (where: { key: string } | { id: number }) => Promise<object | undefined>

/**
 * The files, where a lookup first creates the records of announced files that have arrived. A lookup throws 400 if the
 * file is not what was announced.
 */
export function withPendingUploads(store: FileStore, finish: Finish): FileStore {
  const served = async (key: string) => {
    const found = await store.served(key)
    return found.sha256 === null && (await finish({ key })) ? store.served(key) : found
  }
  return {
    ...store,
    served,
    get: async (id) => (await store.get(id)) ?? ((await finish({ id })) && (await store.get(id))),
    findByKey: async (key) => (await store.findByKey(key)) ?? ((await finish({ key })) && (await store.findByKey(key))),
  }
}
