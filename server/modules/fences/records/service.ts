import { invalid, notFound } from '../../../platform/errors.ts'
import type { Page, PageQuery } from '../../../platform/http/pages.ts'
import { type Quotas, quotaExceeded } from '../../../platform/quotas.ts'
import type { CheckInRule, FenceChange, FenceRecord, NewFence } from './schema.ts'
import type { FenceStore } from './store.ts'

type Deps = {
  store: FenceStore
  newId: () => string
  quotas: Pick<Quotas, 'fences'>
  checkTimeZone: (timeZone: string, path: string[]) => Promise<void>
  /** The sort order of a mini game type of the app; undefined without such a type. */
  sortOrderOf: (appId: string, miniGameTypeId: string) => Promise<'asc' | 'desc' | undefined>
}

export type FenceService = ReturnType<typeof fenceService>

/** The rules of fences. */
export function fenceService({ store, newId, quotas, checkTimeZone, sortOrderOf }: Deps) {
  /** @throws 400 */
  async function checkRule(appId: string, rule: CheckInRule | null | undefined): Promise<void> {
    if (!rule) return
    await checkTimeZone(rule.timeZone, ['checkIn', 'timeZone'])
    const typeId = rule.award?.miniGameTypeId
    if (typeId == null) return
    const order = await sortOrderOf(appId, typeId)
    const path = ['checkIn', 'award', 'miniGameTypeId']
    if (!order) throw invalid([{ code: 'custom', message: 'is not a mini game type of this app', path }])
    if (order === 'asc')
      throw invalid([
        {
          code: 'custom',
          message: 'Points cannot be added where less is better: use a type with sort order desc',
          path,
        },
      ])
  }

  /** @throws 404 */
  async function get(appId: string, id: string): Promise<FenceRecord> {
    const fence = await store.get(appId, id)
    if (!fence) throw notFound('Fence')
    return fence
  }

  return {
    get,

    /** @throws 404 for one that is not listed */
    async getListed(appId: string, id: string): Promise<FenceRecord> {
      const fence = await get(appId, id)
      if (!fence.listed) throw notFound('Fence')
      return fence
    },

    page: (appId: string, listed: boolean, query: PageQuery): Promise<Page<FenceRecord>> =>
      store.page(appId, listed, query),

    /** @throws 400 for an unknown zone, pin or mini game type, 409 if the app has as many fences as it may */
    async create(appId: string, fence: NewFence): Promise<FenceRecord> {
      await checkRule(appId, fence.checkIn)
      const made = await store.insert(appId, newId(), fence, quotas.fences)
      if (made === 'full') throw quotaExceeded('fences', quotas.fences)
      if (made === 'no_zone') throw invalid([{ code: 'custom', message: 'Zone not found', path: ['zoneId'] }])
      if (made === 'no_pin') throw invalid([{ code: 'custom', message: 'Pin not found', path: ['pinId'] }])
      return made
    },

    /** @throws 400, 404 */
    async change(appId: string, id: string, change: FenceChange): Promise<FenceRecord> {
      await checkRule(appId, change.checkIn)
      if (change.radius !== undefined && (await get(appId, id)).pinId === null)
        throw invalid([{ code: 'custom', message: 'The fence is a zone, which has no radius', path: ['radius'] }])
      const changed = await store.update(appId, id, change)
      if (!changed) throw notFound('Fence')
      return changed
    },

    /** @throws 404 */
    async remove(appId: string, id: string): Promise<void> {
      if (!(await store.remove(appId, id))) throw notFound('Fence')
    },

    settings: store.settings,

    setSettings: store.setSettings,
  }
}
