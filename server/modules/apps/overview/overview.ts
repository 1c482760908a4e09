import type { UserCaller } from '../../../platform/credentials/guards.ts'
import { maskedKey } from '../api-key.ts'
import type { AppService } from '../service.ts'
import type { ApiKeyList, AppOverview } from './overview-schema.ts'
import type { OverviewStore } from './overview-store.ts'

export type OverviewService = ReturnType<typeof overviewService>

type Parts = {
  store: OverviewStore
  apps: Pick<AppService, 'checkOwner' | 'checkReader'>
  /** Adds to the database what this process counted of calls. */
  writeUsage: () => Promise<void>
}

/** What whoever runs an app sees of it at a glance. */
export function overviewService({ store, apps, writeUsage }: Parts) {
  return {
    /** @throws 403, 404 */
    async ofApp(id: string, user: UserCaller): Promise<AppOverview> {
      await apps.checkReader(id, user)
      return store.get(id)
    },

    /** The keys that still work, masked, newest first. @throws 403, 404 */
    async keysOf(id: string, user: UserCaller): Promise<ApiKeyList['apiKeys']> {
      await apps.checkOwner(id, user)
      await writeUsage()
      const keys = await store.keys(id)
      return keys.map(({ keyId, ...key }) => ({
        id: keyId,
        prefix: maskedKey(keyId),
        ...key,
        isCurrent: key.endsAt === null,
      }))
    },
  }
}
