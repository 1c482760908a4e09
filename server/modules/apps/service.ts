import { LRUCache } from 'lru-cache'
import { notFound } from '../../platform/errors.ts'
import type { AppCaller } from '../../platform/guards.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { hashKey, hashMatches, keyIdOf, maskedKey, newApiKey } from './api-key.ts'
import type { App, NewApp } from './schema.ts'
import type { AppRow, AppStore } from './store.ts'

const PURPOSE = 'app-keys'

export type AppService = ReturnType<typeof appService>

export function appService({ store, secrets, newId }: { store: AppStore; secrets: Secrets; newId: () => string }) {
  /** A key found good stays so for a second: long enough to spare the query, short enough that a rotated key is dead at once. */
  const callers = new LRUCache<string, { app: AppCaller; hash: Buffer }>({ max: 10_000, ttl: 1000 })

  const shown = ({ ownerId, keyId, encryptedKey, ...app }: AppRow, userId: string | undefined): App => ({
    ...app,
    apiKey: ownerId === userId ? secrets.open(PURPOSE, encryptedKey) : maskedKey(keyId),
  })

  return {
    /** Makes an app that belongs to the user, with its first key. */
    async create(userId: string, app: NewApp): Promise<App> {
      const id = newId()
      const key = newApiKey()
      await store.insert(userId, id, app, {
        keyId: keyIdOf(key)!,
        hash: hashKey(key),
        encrypted: secrets.seal(PURPOSE, key),
      })
      return this.get(id, userId)
    },

    /** The owner sees the whole key, and that is audited; of a PUBLIC app everybody else sees it masked. @throws 404 of somebody else's PRIVATE app. */
    async get(id: string, userId: string | undefined): Promise<App> {
      const row = await store.get(id)
      if (!row || (row.visibility === 'PRIVATE' && row.ownerId !== userId)) throw notFound('App')
      if (row.ownerId === userId) await store.audit(userId, 'app_key.viewed', [id])
      return shown(row, userId)
    },

    async ownedBy(userId: string): Promise<App[]> {
      const rows = await store.ownedBy(userId)
      await store.audit(
        userId,
        'app_key.viewed',
        rows.map(({ id }) => id),
      )
      return rows.map((row) => shown(row, userId))
    },

    listPublic: async (): Promise<App[]> => (await store.listPublic()).map((row) => shown(row, undefined)),

    /** The app of an API key, or undefined. A malformed key costs no query. */
    async findByKey(key: string): Promise<AppCaller | undefined> {
      const keyId = keyIdOf(key)
      if (!keyId) return undefined
      const known = callers.get(keyId)
      if (known) return hashMatches(key, known.hash) ? known.app : undefined
      const row = await store.byKeyId(keyId)
      if (!row) return undefined
      const { hash, ...app } = row
      callers.set(keyId, { app, hash })
      return hashMatches(key, hash) ? app : undefined
    },
  }
}
