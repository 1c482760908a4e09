import { isDeepStrictEqual } from 'node:util'
import type { Writer } from '../../platform/credentials/callers.ts'
import { assertMayChange } from '../../platform/credentials/guards.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import { type Conditions, checkOf, tagOfRecord } from '../../platform/http/conditions.ts'
import { changedRecord, type RecordCheck } from '../../platform/records/changes.ts'
import type { ChangedName } from '../../platform/records/fields.ts'
import type { OwnUrls } from '../../platform/storage/own-urls.ts'
import { MAX_OF_GCP } from '../photos/schema.ts'
import type { PoseForm } from '../places/schema.ts'
import { type BringHeight, changedHeights, datedHeights, isLifted, isMoved, placeIn, plainHeights } from './heights.ts'
import type { RecordStore } from './read-store.ts'
import { gcpFields } from './record.ts'
import type { Gcp, GcpChange, NewGcp, SettledHeights, TagConflict } from './schema.ts'
import type { GcpState, GcpStore, GcpWrite, Within } from './store.ts'
import { conflictsOf } from './tags/april-tags.ts'
import { tagConflict } from './tags/tag-conflict-error.ts'
import { withPose } from './with-pose.ts'

type Deps = {
  ownUrls: Pick<OwnUrls, 'kept' | 'unchanged' | 'allWritten'>
  store: GcpStore
  records: RecordStore
  findZone: (id: number) => Promise<unknown>
  /** Two GCPs within this distance must not carry the same AprilTag. */
  tagMetres: number
  /** Registers announced files whose bytes have arrived. @throws 400 for one that differs from its announcement */
  arrive: (fileIds: number[]) => Promise<void>
  /** Makes photos of a user's uploaded files. @returns their stored addresses @throws 400 */
  claimPhotos: (within: Within, userId: string | null, fileIds: number[]) => Promise<string[]>
  /** Converts a height above the sea to one above the ellipsoid. */
  bringHeight: BringHeight
  /** Deletes objects that nothing references. */
  removeUnused: () => Promise<void>
}

export type GcpService = ReturnType<typeof gcpService>

/** A GCP, and its entity tag after a write. */
export type GcpWithEntityTag = { gcp: Gcp; tag: string }

/** Creates, changes and deletes ground control points, each with its pin. */
export function gcpService(parts: Deps) {
  const { store, records, findZone, tagMetres, arrive, ownUrls, claimPhotos, bringHeight, removeUnused } = parts

  /** The creator, the owner and editors of the zone, and ops may change a GCP. @throws 403, 404 */
  const authorize = async (user: Writer, id: number) => {
    const owners = await store.ownersOf(id)
    if (!owners) throw notFound('GCP')
    assertMayChange(user, owners, 'GCP')
  }

  /** The photos of a GCP without duplicates: these addresses, then those of uploaded files. @param shown its current photos @throws 400 */
  const photosOf = async (user: Writer, urls: string[], fileIds: number[], within: Within, shown: string[] = []) => {
    const kept = urls.map((url) => ownUrls.unchanged(ownUrls.kept(url), shown))
    const all = [...new Set([...kept, ...(await claimPhotos(within, user.id, fileIds))])]
    if (all.length <= MAX_OF_GCP) return all
    const message = `a GCP shows at most ${MAX_OF_GCP} photos; with these it would be ${all.length}`
    throw invalid([{ code: 'too_big', message, path: ['uploadedFileIds'] }])
  }

  const get = async (id: number): Promise<Gcp> => {
    const gcp = await records.get(id)
    if (!gcp) throw notFound('GCP')
    return gcp
  }

  const update = async (
    user: Writer,
    id: number,
    change: GcpChange,
    check?: RecordCheck<GcpState>,
  ): Promise<GcpWithEntityTag> => {
    await authorize(user, id)
    await arrive(change.uploadedFileIds ?? [])
    const before = await get(id)
    const { heightDatum } = change
    const dated =
      heightDatum == null ? undefined : await datedHeights({ ...change, heightDatum }, bringHeight, startOf(before))
    const tags = [before.aprilTagId, change.aprilTagId ?? null].filter((tag) => tag !== null)
    const outcome = await store.change<TagConflict[] | 'again' | 'same'>(id, tags, async (current, bearers, within) => {
      await check?.(within, current)
      if (dated && isOther(current, before)) return { other: 'again' }
      const next = changed(current, change, dated ?? changedHeights(current, change))
      if (change.photoUrls || change.uploadedFileIds)
        next.photoUrls = await photosOf(user, next.photoUrls, change.uploadedFileIds ?? [], within, current.photoUrls)
      if (isSame(current, next)) return { other: 'same' }
      if (next.aprilTagId === null) return next
      if (!tags.includes(next.aprilTagId)) return { other: 'again' }
      const claim = { latitude: next.latitude, longitude: next.longitude, zoneId: current.zoneId, excludeGcpId: id }
      const scope = { point: pointOf(next, tagMetres), zoneId: current.zoneId }
      const conflicts = conflictsOf(claim, await bearers(next.aprilTagId, scope), tagMetres)
      return conflicts.length > 0 ? { other: conflicts } : next
    })
    if (!outcome) throw notFound('GCP')
    // It has since changed: lock its new tag first, and convert its new height.
    if ('other' in outcome && outcome.other === 'again') return update(user, id, change, check)
    if ('other' in outcome && outcome.other !== 'same') throw tagConflict(409, outcome.other as TagConflict[])
    if (change.photoUrls) await removeUnused()
    // Others may write before the point is read: the tag is that of this write, which fails beside a later one.
    return { gcp: await get(id), tag: tagOfState('written' in outcome ? outcome.written : outcome.current) }
  }

  const tagOfState = (state: GcpState) => tagOf({ ...state, photoUrls: ownUrls.allWritten(state.photoUrls) }, state)

  return {
    /** The check of a write that conditions hold of the point. */
    holds: (conditions: Conditions): RecordCheck<GcpState> | undefined => checkOf(conditions, tagOfState),

    /** @throws 400 for an unknown zone, photo or height datum, or with code `april_tag_conflict` when the tag is taken nearby. */
    async create(user: Writer, asked: NewGcp): Promise<Gcp> {
      const { heightDatum } = asked
      const heights =
        heightDatum == null ? plainHeights(asked) : await datedHeights({ ...asked, heightDatum }, bringHeight)
      const gcp = { ...asked, ...heights }
      if (gcp.zoneId != null && !(await findZone(gcp.zoneId)))
        throw invalid([{ code: 'custom', message: `there is no zone ${gcp.zoneId}`, path: ['zoneId'] }])
      await arrive(gcp.uploadedFileIds)
      const { latitude = null, longitude = null } = gcp.place ?? {}
      const claim = { latitude, longitude, zoneId: gcp.zoneId ?? null }
      const made = await store.insert(
        gcp,
        user.id,
        { point: pointOf(claim, tagMetres), zoneId: claim.zoneId },
        (bearers) => conflictsOf(claim, bearers, tagMetres),
        (within) => photosOf(user, gcp.photoUrls, gcp.uploadedFileIds, within),
      )
      if (typeof made !== 'number') throw tagConflict(400, made)
      return get(made)
    },

    /** @param form adds the pose in this form @throws 404 */
    async get(id: number, form?: PoseForm): Promise<Gcp> {
      const gcp = await get(id)
      return form ? withPose(gcp, form) : gcp
    },

    /**
     * Absent members stay, null clears; the pin moves with the pose; what says nothing new changes nothing. The points that carry the same tag are asked again
     * whenever the tag or the place may change.
     * @throws 400 for an unknown photo, 403, 404, 409 with code `april_tag_conflict`
     */
    update,

    /** @throws 403, 404 */
    async remove(user: Writer, id: number, check?: RecordCheck<GcpState>): Promise<void> {
      await authorize(user, id)
      if (!(await store.remove(id, check))) throw notFound('GCP')
      await removeUnused()
    },

    /** @throws 403, 404 also when the GCP has no such photo */
    async removePhoto(user: Writer, id: number, url: string): Promise<void> {
      await authorize(user, id)
      if (!(await store.removePhoto(id, url))) throw notFound('Photo')
      await removeUnused()
    },
  }
}

/** The entity tag of a point: of all that is stored of it and of where its pin is, without what its zone and its photos add. */
export const tagOfGcp = (gcp: Gcp): string => tagOf(gcp, gcp.pin)

const tagOf = (record: object, place: Pick<GcpState, 'geoPose' | 'latitude' | 'longitude'> | null): string =>
  tagOfRecord([
    ...Object.keys(gcpFields).map((name) => record[name as keyof object]),
    ...[place?.geoPose, place?.latitude, place?.longitude],
  ])

const pointOf = (at: { latitude: number | null; longitude: number | null }, metres: number) =>
  at.latitude === null || at.longitude === null ? null : { latitude: at.latitude, longitude: at.longitude, metres }

const startOf = ({ altitude, pin }: Gcp) => ({
  geoPose: pin?.geoPose ?? null,
  place: placeIn({ latitude: pin?.latitude ?? null, longitude: pin?.longitude ?? null }),
  altitude,
})

/** Whether the location or height of a GCP changed since it was read. */
const isOther = (current: GcpState, before: Gcp): boolean =>
  isMoved(current, startOf(before)) || isLifted(current, startOf(before))

/** Whether a change changes nothing, as when a GCP is sent back as it was read. */
const isSame = (current: GcpState, { isMoved, isLifted, ...next }: GcpWrite): boolean =>
  !isMoved &&
  !isLifted &&
  Object.entries(next).every(([name, value]) => isDeepStrictEqual(value, current[name as keyof GcpState]))

/** A GCP after a change. */
function changed(current: GcpState, change: GcpChange, heights: SettledHeights): GcpWrite {
  const { place, ...rest } = heights
  const moved = isMoved(current, heights)
  const lifted = moved || isLifted(current, heights)
  const isAsBefore = !lifted && rest.heightDatum === current.heightDatum
  return {
    ...(changedRecord(gcpFields, current, change) as Pick<Gcp, ChangedName<typeof gcpFields>>),
    ...rest,
    heightTransformation: isAsBefore ? current.heightTransformation : rest.heightTransformation,
    latitude: place?.latitude ?? null,
    longitude: place?.longitude ?? null,
    isMoved: moved,
    isLifted: lifted,
  }
}
