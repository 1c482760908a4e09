import { invalid } from '../../../platform/errors.ts'
import type { TagAnswer, TagConflict, TagQuery } from '../schema.ts'
import { byDistance, conflictsOf, type TaggedGcp } from './april-tags.ts'
import { MAX_TAG } from './schema.ts'
import type { TagStore } from './tag-store.ts'

const SUGGESTIONS = 5

type Deps = {
  bearers: TagStore
  /** Two GCPs within this distance must not carry the same AprilTag. */
  tagMetres: number
}

export type TagService = ReturnType<typeof tagService>

/** Finds free AprilTags. */
export function tagService({ bearers, tagMetres }: Deps) {
  /** The zone of the excluded GCP, where points without a location conflict. @throws 400 for an unknown GCP */
  const zoneOf = async (gcpId: number | undefined): Promise<number | null> => {
    if (gcpId === undefined) return null
    const gcp = await bearers.zoneOf(gcpId)
    if (!gcp) throw invalid([{ code: 'custom', message: `there is no GCP ${gcpId}`, path: ['excludeGcpId'] }])
    return gcp.zoneId
  }

  return {
    /** Checks whether a tag is free at a point (without one: anywhere), and lists conflicts and free tags. @throws 400 */
    async check({ aprilTagId, latitude, longitude, excludeGcpId }: TagQuery): Promise<TagAnswer> {
      const zoneId = await zoneOf(excludeGcpId)
      if (latitude === undefined || longitude === undefined) {
        const all: TaggedGcp[] = await bearers.bearers(aprilTagId, null)
        const others = all.filter(({ gcpId }) => gcpId !== excludeGcpId)
        const conflicts = others.map((bearer) => ({ ...bearer, distance: null }))
        return answer(byDistance(conflicts), await bearers.usedTags(excludeGcpId ?? null))
      }
      const claim = { latitude, longitude, zoneId, excludeGcpId }
      const scope = { point: { latitude, longitude, metres: tagMetres }, zoneId }
      const taken = conflictsOf(claim, await bearers.bearers(null, scope), tagMetres)
      return answer(
        taken.filter((bearer) => bearer.aprilTagId === aprilTagId),
        taken.map((bearer) => bearer.aprilTagId),
      )
    },
  }
}

function answer(conflicts: TagConflict[], used: number[]): TagAnswer {
  return { available: conflicts.length === 0, conflicts, suggestedIds: freeTags(used) }
}

/** The lowest unused tags, at most five. */
export const freeTags = (used: number[]): number[] =>
  Array.from({ length: MAX_TAG + 1 }, (_, id) => id)
    .filter((id) => !used.includes(id))
    .slice(0, SUGGESTIONS)
