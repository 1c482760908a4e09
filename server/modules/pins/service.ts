import { hasOpsAccess, type UserCaller } from '../../platform/credentials/guards.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import type { PinSearch } from './pin-search.ts'
import type { LocatedPin, LocationQuery, NewPin, Pin } from './schema.ts'
import type { PinStore } from './store.ts'

type Parts = { store: PinStore; findZone: (id: number) => Promise<unknown>; search: PinSearch }

export type PinService = ReturnType<typeof pinService>

export function pinService({ store, findZone, search }: Parts) {
  return {
    /** @throws 400 when there is no such zone. */
    async create(user: UserCaller, pin: NewPin): Promise<Pin> {
      if (pin.zoneId != null && !(await findZone(pin.zoneId)))
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
