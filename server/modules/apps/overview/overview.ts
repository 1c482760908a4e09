import type { UserCaller } from '../../../platform/credentials/guards.ts'
import { type Quotas, quotaUse } from '../../../platform/quotas.ts'
import { maskedKey } from '../api-key.ts'
import type { AppService } from '../service.ts'
import type { ApiKeyList, AppOverview } from './overview-schema.ts'
import type { OverviewStore } from './overview-store.ts'

export type OverviewService = ReturnType<typeof overviewService>

type Deps = {
  store: OverviewStore
  apps: Pick<AppService, 'assertOwner' | 'assertReader'>
  quotas: Pick<Quotas, 'keys' | 'webhooks' | 'gameTypes' | 'storageBytes'>
  /** Writes the calls that this process has counted to the database. */
  writeUsage: () => Promise<void>
}

/** The overview of an app for its owner and for ops. */
export function overviewService({ store, apps, quotas, writeUsage }: Deps) {
  return {
    /** @throws 403, 404 */
    async ofApp(id: string, user: UserCaller): Promise<AppOverview> {
      await apps.assertReader(id, user)
      const [overview, owned] = await Promise.all([store.get(id), store.owned(id)])
      const most = { ...quotas, hiddenGameTypes: quotas.gameTypes }
      const names = ['keys', 'webhooks', 'gameTypes', 'hiddenGameTypes', 'storageBytes'] as const
      return { ...overview, quotas: names.map((name) => quotaUse(name, owned[name], most[name])) }
    },

    /** The working keys, masked, newest first. @throws 403, 404 */
    async keysOf(id: string, user: UserCaller): Promise<ApiKeyList['apiKeys']> {
      await apps.assertOwner(id, user)
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
