import type { UserCaller } from '../../platform/credentials/guards.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import type { NewZone, Zone } from './schema.ts'
import type { ZoneStore } from './store.ts'
import { shapeFault } from './zone-shape.ts'

export type ZoneService = ReturnType<typeof zoneService>

export function zoneService({ store }: { store: ZoneStore }) {
  return {
    /** @throws 400 for a boundary that is no area by RFC 7946. */
    create(user: UserCaller, zone: NewZone): Promise<Zone> {
      const fault = zone.boundary && shapeFault(zone.boundary)
      if (fault)
        throw invalid([{ code: 'custom', message: fault.message, path: ['boundary', 'coordinates', ...fault.path] }])
      return store.insert(zone, user.id)
    },

    /** @throws 404 */
    async get(id: number): Promise<Zone> {
      const zone = await store.get(id)
      if (!zone) throw notFound('Zone')
      return zone
    },
  }
}
