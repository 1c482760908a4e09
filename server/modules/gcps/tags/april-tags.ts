import { distanceFrom, type Ecef, toEcef } from '../../places/geodesy.ts'
import type { TagConflict } from '../schema.ts'

/** A GCP that carries a tag; without coordinates it has no location. */
export type TaggedGcp = Omit<TagConflict, 'distance'>

type Location = { latitude: number | null; longitude: number | null }
/** A claim to a tag, at a location or without one. */
type TagClaim = Location & { zoneId: number | null; excludeGcpId?: number | undefined }

/** The location in space; undefined without one. */
export const spotOf = ({ latitude, longitude }: Location): Ecef | undefined =>
  latitude === null || longitude === null ? undefined : toEcef(latitude, longitude)

/**
 * The AprilTag rule: two points within `metres` must not carry the same tag, because a phone distinguishes equal tags by
 * its location alone; a point without a location conflicts with every point of its zone.
 * @param from the location of one point @returns the distance in metres, null without a location, undefined: no conflict
 */
export function tagConflictDistance(
  from: Ecef | undefined,
  { latitude, longitude }: Location,
  { metres, isSameZone }: { metres: number; isSameZone: boolean },
): number | null | undefined {
  if (!from || latitude === null || longitude === null) return isSameZone ? null : undefined
  const distance = distanceFrom(from, { latitude, longitude })
  return distance <= metres ? distance : undefined
}

/** The bearers of a tag that a claim to it conflicts with, nearest first. */
export function conflictsOf(claim: TagClaim, bearers: readonly TaggedGcp[], metres: number): TagConflict[] {
  const from = spotOf(claim)
  const conflicts = bearers.flatMap((bearer) => {
    if (bearer.gcpId === claim.excludeGcpId) return []
    const isSameZone = claim.zoneId !== null && bearer.zoneId === claim.zoneId
    const distance = tagConflictDistance(from, bearer, { metres, isSameZone })
    return distance === undefined ? [] : [{ ...bearer, distance }]
  })
  return byDistance(conflicts)
}

/** Nearest first; without a distance last; equal distances by ID. */
export const byDistance = (conflicts: TagConflict[]): TagConflict[] =>
  conflicts.sort((a, b) => (a.distance ?? Number.MAX_VALUE) - (b.distance ?? Number.MAX_VALUE) || a.gcpId - b.gcpId)
