import type { AppUser } from '../../../platform/credentials/callers.ts'
import type { Actor } from '../../../platform/database/audit.ts'
import { conflict, notFound } from '../../../platform/errors.ts'
import type { Quotas } from '../../../platform/quotas.ts'
import { hashKey, keyIdOf, maskedKey, newApiKey } from '../api-key.ts'
import type { AppService } from '../service.ts'
import type { ApiKeyList, ApiKeyWithSecret, NewApiKey } from './key-schema.ts'
import type { KeyRow, KeyStore } from './key-store.ts'

export type KeyService = ReturnType<typeof keyService>

type Deps = {
  store: KeyStore
  apps: Pick<AppService, 'assertRole'>
  quotas: Pick<Quotas, 'keys'>
  /** Writes the calls that this process has counted to the database. */
  writeUsage: () => Promise<void>
}

/** The keys of an app, for its owners and admins. */
export function keyService({ store, apps, quotas, writeUsage }: Deps) {
  return {
    /** The working keys, masked, newest first. @throws 403, 404 */
    async list(appId: string, user: AppUser): Promise<ApiKeyList['apiKeys']> {
      await apps.assertRole(appId, user)
      await writeUsage()
      return (await store.list(appId)).map(shown)
    },

    /** Creates an additional key. Only this response contains the whole key. @throws 403, 404; 409 if the quota is used up */
    async create(appId: string, user: AppUser, { kind, name }: NewApiKey, actor: Actor): Promise<ApiKeyWithSecret> {
      await apps.assertRole(appId, user)
      const apiKey = newApiKey(kind)
      const key = { keyId: keyIdOf(apiKey)!, hash: hashKey(apiKey), kind, name }
      const row = await store.add(appId, key, actor, quotas.keys)
      if (!row) throw notFound('App')
      return { ...shown(row), apiKey }
    },

    /**
     * Deletes an additional key, or ends a replaced one before its grace period is over; it stops working everywhere
     * within a second. @throws 403; 404 if it is unknown or has ended; 409 for the current key
     */
    async end(appId: string, user: AppUser, keyId: string, actor: Actor): Promise<void> {
      await apps.assertRole(appId, user)
      if (await store.end(appId, keyId, actor)) return
      const isCurrent = (await store.list(appId)).some((key) => key.keyId === keyId && key.isCurrent)
      if (isCurrent) throw conflict('This is the current key. Rotate it to replace it')
      throw notFound('API key')
    },
  }
}

const shown = ({ keyId, ...key }: KeyRow) => ({ id: keyId, prefix: maskedKey(keyId, key.kind), ...key })
