import { distanceFrom, toEcef } from '../../places/geodesy.ts'
import type { TagConflict } from '../schema.ts'

/** A ground control point that carries a tag; without a pin's coordinates it has no place. */
export type TaggedGcp = Omit<TagConflict, 'distance'>

/** Who wants to carry a tag: somewhere, or nowhere yet. */
export type TagClaim = {
  latitude: number | null
  longitude: number | null
  zoneId: number | null
  excludeGcpId?: number | undefined
}

/**
 * The bearers of a tag that a claim to it conflicts with, nearest first: two points within `metres` may not carry the
 * same tag, because a phone tells equal tags apart by its position alone. A point without a place conflicts within its
 * zone, on either side.
 */
export function conflictsOf(claim: TagClaim, bearers: readonly TaggedGcp[], metres: number): TagConflict[] {
  const { latitude, longitude } = claim
  const from = latitude === null || longitude === null ? undefined : toEcef(latitude, longitude)
  const conflicts: TagConflict[] = []
  for (const bearer of bearers) {
    if (bearer.gcpId === claim.excludeGcpId) continue
    const placed = bearer.latitude !== null && bearer.longitude !== null
    if (from && placed) {
      const distance = distanceFrom(from, { latitude: bearer.latitude!, longitude: bearer.longitude! })
      if (distance <= metres) conflicts.push({ ...bearer, distance })
    } else if (claim.zoneId !== null && bearer.zoneId === claim.zoneId) conflicts.push({ ...bearer, distance: null })
  }
  return byDistance(conflicts)
}

/** Nearest first; those without a distance last; equals by id. */
export const byDistance = (conflicts: TagConflict[]): TagConflict[] =>
  conflicts.sort((a, b) => (a.distance ?? Number.MAX_VALUE) - (b.distance ?? Number.MAX_VALUE) || a.gcpId - b.gcpId)
