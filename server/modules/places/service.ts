import { hasOpsAccess, type UserCaller } from '../../platform/credentials/guards.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import type { PinSearch } from './pin-search.ts'
import type { LocatedPin, LocationQuery, NewPin, NewZone, Pin, Zone } from './schema.ts'
import type { PinStore, ZoneStore } from './store.ts'
import { shapeFault } from './zone-shape.ts'

export type ZoneService = ReturnType<typeof zoneService>
export type PinService = ReturnType<typeof pinService>

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

export function pinService({ store, zones, search }: { store: PinStore; zones: ZoneStore; search: PinSearch }) {
  return {
    /** @throws 400 when there is no such zone. */
    async create(user: UserCaller, pin: NewPin): Promise<Pin> {
      if (pin.zoneId != null && !(await zones.get(pin.zoneId)))
        throw invalid([{ code: 'custom', message: `there is no zone ${pin.zoneId}`, path: ['zoneId'] }])
      return store.insert(pin, user.id)
    },

    /** A private pin exists for its owner and ops only. @throws 404 */
    async get(viewer: UserCaller | undefined, id: number): Promise<Pin> {
      const pin = await store.get(id)
      const hidden = pin?.visibility === 'private' && !(viewer && (pin.userId === viewer.id || hasOpsAccess(viewer)))
      if (!pin || hidden) throw notFound('Pin')
      return pin
    },

    near(viewer: UserCaller | undefined, { lat, lon, ...query }: LocationQuery): Promise<LocatedPin[]> {
      return search({ latitude: lat, longitude: lon, viewerId: viewer?.id, ...query })
    },
  }
}
