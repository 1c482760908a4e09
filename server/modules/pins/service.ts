import { isDeepStrictEqual } from 'node:util'
import type { UserCaller } from '../../platform/credentials/callers.ts'
import { assertMayChange, hasOpsAccess } from '../../platform/credentials/guards.ts'
import { conflict, forbidden, HttpError, invalid, notFound } from '../../platform/errors.ts'
import { tagOfRecord } from '../../platform/http/conditions.ts'
import { changedRecord, mapFileAddresses, type RecordCheck } from '../../platform/records/changes.ts'
import type { OwnUrls } from '../../platform/storage/own-urls.ts'
import { poseIn } from '../places/pose.ts'
import type { PoseForm } from '../places/schema.ts'
import { pinFields } from './record.ts'
import { type NewPin, NO_LOCATION, type Pin, type PinChange, type PinWrite } from './schema.ts'
import type { OwnedPin, PinStore } from './store.ts'

type Deps = {
  store: PinStore
  findZone: (id: number) => Promise<unknown>
  ownUrls: Pick<OwnUrls, 'written' | 'unchanged'>
  /** Deletes objects that nothing references. */
  removeUnused: () => Promise<void>
}

/** A pin, and its entity tag. */
export type PinWithEntityTag = { pin: Pin; tag: string }

/** The entity tag of a pin as it is stored. */
export const tagOfPin = ({ pin }: Pick<OwnedPin, 'pin'>): string => tagOfRecord(pin)

export type PinService = ReturnType<typeof pinService>

export function pinService({ store, findZone, ownUrls, removeUnused }: Deps) {
  const shown = shownPin(ownUrls.written)
  const tagged = (pin: Pin): PinWithEntityTag => ({ pin: shown(pin), tag: tagOfPin({ pin }) })

  /** @throws 400 */
  const assertZoneExists = async (id: number | null | undefined) => {
    if (id != null && !(await findZone(id)))
      throw invalid([{ code: 'custom', message: `there is no zone ${id}`, path: ['zoneId'] }])
  }

  /** Asserts that the user may write a pin: its creator, the owner and editors of its zone, and ops. @throws 403; 404 also for a hidden pin; 409 for the pin of a GCP */
  const authorize = (user: UserCaller, owned: OwnedPin | undefined): OwnedPin => {
    if (!owned || isHidden(user, owned)) throw notFound('Pin')
    assertMayChange(user, ownersOf(owned), 'pin')
    const { gcpId } = owned.pin
    if (gcpId === null) return owned
    throw conflict(`This pin belongs to a ground control point: change it through /api/gcp/${gcpId}`)
  }

  return {
    /** @throws 400 if the zone does not exist */
    async create(user: UserCaller, pin: NewPin): Promise<Pin> {
      await assertZoneExists(pin.zoneId)
      return shown(await store.insert(pin, user.id))
    },

    /** Gets a pin; a private one only for its creator, the owner and editors of its zone, and ops. @param form the notation of `pose` in the response @throws 404 */
    async get(viewer: UserCaller | undefined, id: number, form: PoseForm | undefined): Promise<PinWithEntityTag> {
      const owned = await store.get(id)
      if (!owned || isHidden(viewer, owned)) throw notFound('Pin')
      const { pin, tag } = tagged(owned.pin)
      return { pin: form ? { ...pin, pose: pin.geoPose && poseIn(form, pin.geoPose) } : pin, tag }
    },

    /**
     * Changes a pin; absent fields are unchanged, null clears. @throws 400; 403, also for blockchain fields that only ops change;
     * 404; 409 for the pin of a GCP
     */
    async change(
      user: UserCaller,
      id: number,
      change: PinChange,
      check?: RecordCheck<OwnedPin>,
    ): Promise<PinWithEntityTag> {
      authorize(user, await store.get(id))
      await assertZoneExists(change.zoneId)
      const decide = (current: OwnedPin) => {
        try {
          const { pin } = authorize(user, current)
          assertMayWriteBlockchain(user, pin, change)
          const next = changedPin(pin, withKeptAddresses(pin, change, ownUrls))
          return isSame(pin, next) ? { same: pin } : next
        } catch (error) {
          if (error instanceof HttpError) return { refusal: error }
          throw error
        }
      }
      const outcome = await store.change<{ refusal: HttpError } | { same: Pin }>(id, decide, check)
      if (!outcome) throw notFound('Pin')
      if ('refusal' in outcome) throw outcome.refusal
      if ('same' in outcome) return tagged(outcome.same)
      await removeUnused()
      return tagged(outcome)
    },

    /** @throws 403, 404, 409 for the pin of a GCP */
    async remove(user: UserCaller, id: number, check?: RecordCheck<OwnedPin>): Promise<void> {
      authorize(user, await store.get(id))
      if (!(await store.remove(id, check))) throw notFound('Pin')
      await removeUnused()
    },
  }
}

/** Presents a pin as the API returns it, with the full addresses of its files. */
const shownPin =
  (written: OwnUrls['written']) =>
  (pin: Pin): Pin => ({
    ...mapFileAddresses(pinFields, pin, (address) => written(address)),
    localizationData: pin.localizationData && {
      ...pin.localizationData,
      worldmapURL: written(pin.localizationData.worldmapURL ?? null),
    },
  })

const ownersOf = ({ pin, zoneOwner, zoneEditors }: OwnedPin) => [pin.userId, zoneOwner, ...zoneEditors]

const isHidden = (viewer: UserCaller | undefined, owned: OwnedPin): boolean =>
  owned.pin.visibility === 'private' && !(viewer && (ownersOf(owned).includes(viewer.id) || hasOpsAccess(viewer)))

const BLOCKCHAIN_FIELDS = ['blockchainSignature', 'blockchainTxUrl', 'blockchainSyncedAt'] as const

const moment = (text: string | null) => text && new Date(text).toISOString()

/** Asserts that blockchain fields are unchanged, or changed by ops. @throws 403 */
function assertMayWriteBlockchain(user: UserCaller, pin: Pin, change: PinChange) {
  const isChanged = BLOCKCHAIN_FIELDS.some((name) => {
    const wanted = change[name]
    if (wanted === undefined) return false
    return name === 'blockchainSyncedAt' ? moment(wanted) !== moment(pin[name]) : wanted !== pin[name]
  })
  if (isChanged && !hasOpsAccess(user))
    throw forbidden(`${BLOCKCHAIN_FIELDS.join(', ')} can be written only by ops: leave them out`)
}

/** Applies a change to a pin; coordinates and pose move together. @throws 400 if it would have no location */
function changedPin(pin: Pin, change: PinChange): PinWrite {
  const next = changedRecord(pinFields, pin, change) as PinWrite
  const kept = next.geoPose
  const given = change.geoPose?.position
  const latitude = change.latitude ?? given?.lat ?? (change.latitude === null ? kept?.position.lat : pin.latitude)
  const longitude = change.longitude ?? given?.lon ?? (change.longitude === null ? kept?.position.lon : pin.longitude)
  if (latitude == null || longitude == null) {
    throw invalid([{ code: 'custom', message: NO_LOCATION, path: ['latitude'] }])
  }
  return {
    ...next,
    latitude,
    longitude,
    geoPose: kept && { ...kept, position: { ...kept.position, lat: latitude, lon: longitude } },
  }
}

/** Replaces addresses that the change only repeats by the stored ones. */
function withKeptAddresses(pin: Pin, change: PinChange, { unchanged }: Pick<OwnUrls, 'unchanged'>): PinChange {
  const { localizationData } = change
  return {
    ...mapFileAddresses(pinFields, change, (address, name) => unchanged(address, [pin[name] as string | null])),
    localizationData: localizationData && {
      ...localizationData,
      worldmapURL: unchanged(localizationData.worldmapURL, [pin.localizationData?.worldmapURL ?? null]),
    },
  }
}

/** Whether a write would change nothing. */
function isSame(pin: Pin, next: PinWrite): boolean {
  const comparable = ({ localizationData, blockchainSyncedAt, ...rest }: PinWrite) => ({
    ...rest,
    localizationData: localizationData && { ...localizationData, worldmapURL: localizationData.worldmapURL ?? null },
    blockchainSyncedAt: moment(blockchainSyncedAt),
  })
  const [is, was] = [comparable(next), comparable(pin)]
  return Object.entries(is).every(([name, value]) => isDeepStrictEqual(value, was[name as keyof typeof was]))
}
