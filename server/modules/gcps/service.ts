import { mayChange, type Writer } from '../../platform/credentials/guards.ts'
import { HttpError, invalid, notFound } from '../../platform/errors.ts'
import { MOST_OF_GCP } from '../photos/schema.ts'
import { byDistance, conflictsOf, type TagBearer } from './april-tags.ts'
import type { Gcp, GcpChange, NewGcp, TagAnswer, TagConflict, TagQuery } from './schema.ts'
import type { GcpState, GcpStore, GcpWrite, Within } from './store.ts'

const MAX_TAG = 50
const SUGGESTIONS = 5

type Parts = {
  store: GcpStore
  findZone: (id: number) => Promise<unknown>
  /** Two GCPs this close may not carry the same April tag. */
  tagMetres: number
  /** Looks at files that were announced and have arrived, so that they are known. @throws 400 for one that is not what was announced */
  arrive: (fileIds: number[]) => Promise<void>
  /** Makes photos of uploaded files of a user. @returns their addresses @throws 400 */
  claimPhotos: (within: Within, userId: string | null, fileIds: number[]) => Promise<string[]>
  /** Removes the objects that nothing points to any more. */
  removeUnused: () => Promise<void>
}

export type GcpService = ReturnType<typeof gcpService>

export function gcpService({ store, findZone, tagMetres, arrive, claimPhotos, removeUnused }: Parts) {
  /** Its maker, the owner of its zone and ops may change a GCP. @throws 403, 404 */
  const allow = async (user: Writer, id: number) => {
    const owners = await store.ownersOf(id)
    if (!owners) throw notFound('GCP')
    mayChange(user, owners, 'GCP')
  }

  /** All photos of a GCP: these addresses, then those of files that were uploaded before. @throws 400 */
  const photosOf = async (user: Writer, urls: string[], fileIds: number[], within: Within) => {
    const all = [...new Set([...urls, ...(await claimPhotos(within, user.id, fileIds))])]
    if (all.length <= MOST_OF_GCP) return all
    const message = `a GCP shows at most ${MOST_OF_GCP} photos; with these it would be ${all.length}`
    throw invalid([{ code: 'too_big', message, path: ['uploadedFileIds'] }])
  }

  return {
    /** @throws 400 for an unknown zone or photo, or with code `april_tag_conflict` when the tag is taken nearby. */
    async create(user: Writer, gcp: NewGcp): Promise<Gcp> {
      if (gcp.zoneId != null && !(await findZone(gcp.zoneId)))
        throw invalid([{ code: 'custom', message: `there is no zone ${gcp.zoneId}`, path: ['zoneId'] }])
      await arrive(gcp.uploadedFileIds)
      const { lat: latitude = null, lon: longitude = null } = gcp.geoPose?.position ?? {}
      const claim = { latitude, longitude, zoneId: gcp.zoneId ?? null }
      const point = gcp.geoPose
        ? { latitude: gcp.geoPose.position.lat, longitude: gcp.geoPose.position.lon, metres: tagMetres }
        : null
      const made = await store.insert(
        gcp,
        user.id,
        { point, zoneId: claim.zoneId },
        (bearers) => conflictsOf(claim, bearers, tagMetres),
        (within) => photosOf(user, gcp.photoUrls, gcp.uploadedFileIds, within),
      )
      if (typeof made !== 'number') throw tagConflict(400, made)
      return this.get(made)
    },

    /** @throws 404 */
    async get(id: number): Promise<Gcp> {
      const gcp = await store.get(id)
      if (!gcp) throw notFound('GCP')
      return gcp
    },

    /**
     * Absent members stay, null clears; the pin moves with the pose. The points that carry the same tag are asked again
     * whenever the tag or the place may change.
     * @throws 400 for an unknown photo, 403, 404, 409 with code `april_tag_conflict`
     */
    async update(user: Writer, id: number, change: GcpChange): Promise<Gcp> {
      await allow(user, id)
      await arrive(change.uploadedFileIds ?? [])
      const before = await this.get(id)
      const tags = [before.aprilTagId, change.aprilTagId ?? null].filter((tag) => tag !== null)
      const outcome = await store.change<TagConflict[] | 'again'>(id, tags, async (current, bearers, within) => {
        const next = changed(current, change)
        const claimed = change.uploadedFileIds
        if (claimed) next.photoUrls = await photosOf(user, next.photoUrls, claimed, within)
        if (next.aprilTagId === null) return next
        if (!tags.includes(next.aprilTagId)) return { other: 'again' }
        const claim = { latitude: next.latitude, longitude: next.longitude, zoneId: current.zoneId, excludeGcpId: id }
        const scope = { point: pointOf(next, tagMetres), zoneId: current.zoneId }
        const conflicts = conflictsOf(claim, await bearers(next.aprilTagId, scope), tagMetres)
        return conflicts.length > 0 ? { other: conflicts } : next
      })
      if (!outcome) throw notFound('GCP')
      // Somebody gave it another tag in between: that one has to be claimed first.
      if ('other' in outcome && outcome.other === 'again') return this.update(user, id, change)
      if ('other' in outcome) throw tagConflict(409, outcome.other as TagConflict[])
      if (change.photoUrls) await removeUnused()
      return this.get(id)
    },

    /** @throws 403, 404 */
    async remove(user: Writer, id: number): Promise<void> {
      await allow(user, id)
      if (!(await store.remove(id))) throw notFound('GCP')
      await removeUnused()
    },

    /** @throws 403, 404 also when the GCP has no such photo */
    async removePhoto(user: Writer, id: number, url: string): Promise<void> {
      await allow(user, id)
      if (!(await store.removePhoto(id, url))) throw notFound('Photo')
      await removeUnused()
    },

    /** Whether a tag is free at a point (without one: anywhere), who carries it there, and which tags are free. */
    async checkTag({ aprilTagId, latitude, longitude, excludeGcpId }: TagQuery): Promise<TagAnswer> {
      const others = (bearers: TagBearer[]) => bearers.filter(({ gcpId }) => gcpId !== excludeGcpId)
      if (latitude === undefined || longitude === undefined) {
        const conflicts = others(await store.bearers(aprilTagId, null)).map((bearer) => ({ ...bearer, distance: null }))
        return answer(byDistance(conflicts), await store.usedTags())
      }
      const around = { point: { latitude, longitude, metres: tagMetres }, zoneId: null }
      const taken = conflictsOf({ ...around.point, zoneId: null }, others(await store.bearers(null, around)), tagMetres)
      return answer(
        taken.filter((bearer) => bearer.aprilTagId === aprilTagId),
        taken.map((bearer) => bearer.aprilTagId),
      )
    },
  }
}

function answer(conflicts: TagConflict[], used: number[]): TagAnswer {
  const free = Array.from({ length: MAX_TAG + 1 }, (_, id) => id).filter((id) => !used.includes(id))
  return { available: conflicts.length === 0, conflicts, suggestedIds: free.slice(0, SUGGESTIONS) }
}

const pointOf = ({ latitude, longitude }: GcpWrite, metres: number) =>
  latitude === null || longitude === null ? null : { latitude, longitude, metres }

/** A GCP after a change. Of altitude and the pose's height, one given sets both; both given are kept. */
function changed(current: GcpState, change: GcpChange): GcpWrite {
  const { geoPose: pose, altitude } = change
  const kept = pose === undefined ? current.geoPose : pose
  const geoPose =
    kept && pose === undefined && altitude != null ? { ...kept, position: { ...kept.position, h: altitude } } : kept
  const position =
    pose === undefined ? current : { latitude: pose?.position.lat ?? null, longitude: pose?.position.lon ?? null }
  return {
    title: change.title,
    description: change.description === undefined ? current.description : change.description,
    altitude: altitude === undefined ? (pose?.position.h ?? current.altitude) : altitude,
    aprilTagId: change.aprilTagId === undefined ? current.aprilTagId : change.aprilTagId,
    photoUrls: change.photoUrls ?? current.photoUrls,
    geoPose,
    latitude: position.latitude,
    longitude: position.longitude,
  }
}

function tagConflict(status: 400 | 409, [nearest]: TagConflict[]): HttpError {
  const { aprilTagId, gcpId, title, distance } = nearest!
  const where = distance === null ? 'in the same zone' : `${distance.toFixed(1)} m away`
  const message = `April tag ${aprilTagId} is already carried by GCP ${gcpId} "${title}" ${where}`
  return new HttpError(status, [{ code: 'april_tag_conflict', message, path: ['aprilTagId'] }])
}
