import { notFound } from '../../platform/errors.ts'
import { boundedJson } from '../../platform/http/bodies/bounded-json.ts'
import { assertConditions, type Conditions } from '../../platform/http/conditions.ts'
import type { Page, PageQuery } from '../../platform/http/pages.ts'
import { type Quotas, quotaExceeded } from '../../platform/quotas.ts'
import { MAX_VALUE_BYTES, type StoredKey, type StoredValue } from './schema.ts'
import type { StorageStore } from './store.ts'

type Deps = { store: StorageStore; newId: () => string; quotas: Pick<Quotas, 'playerKeys' | 'storageBytes'> }

export type StorageService = ReturnType<typeof storageService>

/** JSON that a game keeps for its players, by key. */
export function storageService({ store, newId, quotas }: Deps) {
  return {
    /** @throws 404 */
    async get(appId: string, playerId: string, key: string): Promise<{ value: StoredValue; etag: string }> {
      const found = await store.get(appId, playerId, key)
      if (!found) throw notFound('Player')
      const { value, etag } = found
      if (value === null || etag === null) throw notFound('Key')
      return { value, etag }
    },

    /** The keys of a player in order. @throws 404 */
    async list(appId: string, playerId: string, query: PageQuery): Promise<Page<StoredKey>> {
      const page = await store.page(appId, playerId, query)
      if (!page) throw notFound('Player')
      return page
    },

    /**
     * Writes a value. @throws 404, 412 if a condition does not hold, 413 if the value is too large, 409 if a quota is
     * used up; a value that does not grow is never refused for that
     */
    async put(appId: string, playerId: string, key: string, value: StoredValue, conditions: Conditions) {
      const text = boundedJson(
        value,
        MAX_VALUE_BYTES,
        (bytes) => `The value has ${bytes} bytes as JSON; a key holds up to ${MAX_VALUE_BYTES}: split it`,
      )
      const written = await store.put(appId, playerId, key, { ...text, etag: newId() }, (before) => {
        assertConditions(conditions, before.etag ?? undefined)
        if (before.etag === null && before.keys >= quotas.playerKeys)
          throw quotaExceeded('playerKeys', quotas.playerKeys)
        const growth = text.bytes - before.bytes
        if (growth > 0 && before.appBytes + growth > quotas.storageBytes)
          throw quotaExceeded('storageBytes', quotas.storageBytes)
      })
      if (!written) throw notFound('Player')
      return written
    },

    /** @throws 404, 412 if a condition does not hold */
    async remove(appId: string, playerId: string, key: string, conditions: Conditions): Promise<void> {
      const isRemoved = await store.remove(appId, playerId, key, ({ etag }) => {
        if (etag !== null) assertConditions(conditions, etag)
      })
      if (!isRemoved) throw notFound('Key')
    },
  }
}
