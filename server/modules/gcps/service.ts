import { type HttpError, invalid, notFound } from '../../platform/errors.ts'
import type { UserCaller } from '../../platform/guards.ts'
import { byDistance, conflictsOf, type TagBearer } from './april-tags.ts'
import type { Gcp, NewGcp, TagAnswer, TagConflict, TagQuery } from './schema.ts'
import type { GcpStore } from './store.ts'

const MAX_TAG = 50
const SUGGESTIONS = 5

type Parts = {
  store: GcpStore
  findZone: (id: number) => Promise<unknown>
  /** Two GCPs this close may not carry the same April tag. */
  tagMetres: number
}

export type GcpService = ReturnType<typeof gcpService>

export function gcpService({ store, findZone, tagMetres }: Parts) {
  return {
    /** @throws 400 for an unknown zone or photo, or with code `april_tag_conflict` when the tag is taken nearby. */
    async create(user: UserCaller, gcp: NewGcp): Promise<Gcp> {
      if (gcp.zoneId != null && !(await findZone(gcp.zoneId)))
        throw invalid([{ code: 'custom', message: `there is no zone ${gcp.zoneId}`, path: ['zoneId'] }])
      if (gcp.uploadedFileIds.length > 0)
        throw invalid([
          {
            code: 'custom',
            message: `there is no uploaded photo ${gcp.uploadedFileIds[0]} of yours`,
            path: ['uploadedFileIds', 0],
          },
        ])
      const { lat: latitude = null, lon: longitude = null } = gcp.geoPose?.position ?? {}
      const claim = { latitude, longitude, zoneId: gcp.zoneId ?? null }
      const point = gcp.geoPose
        ? { latitude: gcp.geoPose.position.lat, longitude: gcp.geoPose.position.lon, metres: tagMetres }
        : null
      const made = await store.insert(gcp, user.id, { point, zoneId: claim.zoneId }, (bearers) =>
        conflictsOf(claim, bearers, tagMetres),
      )
      if (typeof made !== 'number') throw tagConflict(made)
      return this.get(made)
    },

    /** @throws 404 */
    async get(id: number): Promise<Gcp> {
      const gcp = await store.get(id)
      if (!gcp) throw notFound('GCP')
      return gcp
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

function tagConflict([nearest]: TagConflict[]): HttpError {
  const { aprilTagId, gcpId, title, distance } = nearest!
  const where = distance === null ? 'in the same zone' : `${distance.toFixed(1)} m away`
  const message = `April tag ${aprilTagId} is already carried by GCP ${gcpId} "${title}" ${where}`
  return invalid([{ code: 'april_tag_conflict', message, path: ['aprilTagId'] }])
}
