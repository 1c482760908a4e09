import type { AppUser } from '../../../platform/credentials/callers.ts'
import type { Actor } from '../../../platform/database/audit.ts'
import { quotaOf } from '../../../platform/quotas.ts'
import type { App } from '../schema.ts'
import type { AppService } from '../service.ts'
import type { NewKey } from '../store.ts'
import type { AppCopy } from './copy-schema.ts'
import type { CopyQuotas, CopyStore } from './copy-store.ts'

const LONGEST_NAME = 100

type Deps = {
  store: CopyStore
  apps: Pick<AppService, 'assertRole' | 'get'>
  newKey: () => NewKey
  newId: () => string
  quotas: CopyQuotas
}
export type CopyService = ReturnType<typeof copyService>

/** Copies of apps, for their owners and admins. */
export function copyService({ store, apps, newKey, newId, quotas }: Deps) {
  return {
    /**
     * Copies an app into one that the user owns. The key of the copy is masked, so that the response can be stored for a
     * repeated request. @throws 403, 404; 409 if a quota is used up
     */
    async copy(from: string, user: AppUser, asked: AppCopy, actor: Actor): Promise<App> {
      await apps.assertRole(from, user)
      const source = await apps.get(from, user, undefined)
      const environment = asked.environment ?? (source.environment === 'production' ? 'development' : 'production')
      const name = asked.name ?? nameOf(source.name, environment)
      const id = newId()
      const copy = { from, id, ownerId: user.id, name, environment, key: newKey() }
      await store.copy(copy, { ...quotas, apps: quotaOf(user, quotas.apps) }, actor)
      return apps.get(id, user, undefined)
    },
  }
}

/** The name with the environment in parentheses, within the longest that there may be. */
function nameOf(name: string, environment: string): string {
  const suffix = ` (${environment})`
  const kept = name.slice(0, LONGEST_NAME - suffix.length)
  // A letter of two code units is not cut in half.
  return (kept.isWellFormed() ? kept : kept.slice(0, -1)).trimEnd() + suffix
}
