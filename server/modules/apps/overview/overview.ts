import type { AppUser } from '../../../platform/credentials/callers.ts'
import { type Quotas, quotaUse } from '../../../platform/quotas.ts'
import type { QuotaUse } from '../../../platform/schema.ts'
import type { AppService } from '../service.ts'
import type { AppOverview } from './overview-schema.ts'
import type { OverviewStore } from './overview-store.ts'

export type OverviewService = ReturnType<typeof overviewService>

type Deps = {
  store: OverviewStore
  apps: Pick<AppService, 'assertReader'>
  quotas: Pick<Quotas, 'keys' | 'webhooks' | 'gameTypes' | 'storageBytes'>
}

/** The overview of an app for its members and for ops. */
export function overviewService({ store, apps, quotas }: Deps) {
  /** The quotas of an app and their use. */
  const quotasOf = async (id: string): Promise<QuotaUse[]> => {
    const owned = await store.owned(id)
    const most = { ...quotas, hiddenGameTypes: quotas.gameTypes }
    const names = ['keys', 'webhooks', 'gameTypes', 'hiddenGameTypes', 'storageBytes'] as const
    return names.map((name) => quotaUse(name, owned[name], most[name]))
  }

  return {
    quotasOf,

    /** @throws 403, 404 */
    async ofApp(id: string, user: AppUser): Promise<AppOverview> {
      await apps.assertReader(id, user)
      const [overview, used] = await Promise.all([store.get(id), quotasOf(id)])
      return { ...overview, quotas: used }
    },
  }
}
