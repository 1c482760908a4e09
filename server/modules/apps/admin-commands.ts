import type { Actor } from '../../platform/database/audit.ts'
import { notFound } from '../../platform/errors.ts'
import type { Page, PageQuery } from '../../platform/http/pages.ts'
import { maskedKey } from './api-key.ts'
import type { ApiKeyList, ApiKeyWithSecret, NewApiKey } from './keys/key-schema.ts'
import type { KeyService } from './keys/keys.ts'
import type { App, NewApp } from './schema.ts'
import type { AppService } from './service.ts'
import type { AppRow, AppStore } from './store.ts'

type ListedApp = Omit<App, 'description' | 'imageUrl' | 'ownerId'> & { ownerId: string | null }

type Deps = { service: AppService; store: AppStore; keys: KeyService }

/** What the command line does with any user's app: it acts as the owner, and the audit log names the operator. */
export function appAdminCommands({ service, store, keys }: Deps) {
  const ownerOf = async (id: string) => {
    const ownerId = (await store.get(id))?.ownerId
    if (!ownerId) throw notFound('App')
    return asUser(ownerId)
  }
  const asUser = (id: string) => ({ id, sessionId: '', roles: [], limited: false, needs: 'owner' as const })

  return {
    async list(query: PageQuery): Promise<Page<ListedApp>> {
      const page = await store.listAll(query)
      return { ...page, rows: page.rows.map(listed) }
    },
    create: (ownerId: string, app: NewApp, actor: Actor): Promise<App> => service.create(asUser(ownerId), app, actor),
    /** @throws 404 */
    show: async (id: string, actor: Actor): Promise<App> => service.get(id, await ownerOf(id), actor),
    /** @throws 404 */
    rotate: async (id: string, graceSeconds: number, actor: Actor): Promise<App> =>
      service.rotateKey(id, await ownerOf(id), graceSeconds, actor),
    /** @throws 404 */
    keys: async (id: string): Promise<ApiKeyList['apiKeys']> => keys.list(id, await ownerOf(id)),
    /** @throws 404; 409 if the quota is used up */
    createKey: async (id: string, key: NewApiKey, actor: Actor): Promise<ApiKeyWithSecret> =>
      keys.create(id, await ownerOf(id), key, actor),
    /** @throws 404; 409 for the current key */
    endKey: async (id: string, keyId: string, actor: Actor): Promise<void> =>
      keys.end(id, await ownerOf(id), keyId, actor),
    /** @throws 404; 400 that lists what would be deleted, unless `name` is the app's name */
    remove: async (id: string, name: string | undefined, actor: Actor): Promise<void> =>
      service.remove(id, await ownerOf(id), name, actor, asOption),
  }
}

/** Quoted for a shell. */
const asOption = (name: string) =>
  /["$`\\!]/.test(name) ? `pass --name '${name.replaceAll("'", "'\\''")}'` : `pass --name "${name}"`

function listed({ id, name, ownerId, visibility, environment, keyId, createdAt, updatedAt }: AppRow): ListedApp {
  return { id, name, ownerId, visibility, environment, apiKey: maskedKey(keyId), createdAt, updatedAt }
}
