import type { Gcp, GcpChangeInput, GeoPose } from '@cairn/sdk'
import type { Place } from '../../../map/geodesic.ts'

type Heights = Pick<GcpChangeInput, 'geoPose' | 'altitude' | 'heightDatum'>

const NO_ANGLES = { yaw: 0, pitch: 0, roll: 0 }

/** Whether the service derives the ellipsoidal height from the altitude. */
const isDerived = ({ pin, altitude, heightDatum, heightTransformation }: Gcp): boolean =>
  heightTransformation !== null || (!pin?.geoPose && altitude !== null && heightDatum !== null)

/** The heights to send when a control point moves. Derived heights are derived again. */
export function heightsAfterMove(gcp: Gcp, { lat, lon }: Place): Heights {
  const { altitude, heightDatum, pin } = gcp
  const angles = pin?.geoPose?.angles ?? NO_ANGLES
  if (isDerived(gcp)) return { geoPose: { position: { lat, lon }, angles }, altitude, heightDatum }
  const h = pin?.geoPose?.position.h ?? altitude ?? 0
  const kept = heightDatum === null ? {} : { altitude, heightDatum }
  return { geoPose: { position: { lat, lon, h }, angles }, ...kept }
}

export type HeightFields = {
  place: Place | null
  angles: GeoPose['angles']
  /** In metres above the ellipsoid. */
  h: number | null
  altitude: number | null
  heightDatum: string | null
}

/** The heights to send from the form. For an existing control point, only changes. */
export function heightsFromForm(gcp: Gcp | null, { place, angles, h, altitude, heightDatum }: HeightFields): Heights {
  const position = place && { lat: place.lat, lon: place.lon, ...(h === null ? {} : { h }) }
  const geoPose = position && { position, angles }
  const datum = heightDatum === null ? {} : { heightDatum }
  if (!gcp) return { geoPose, altitude, ...datum }
  const pose = gcp.pin?.geoPose
  const moved = place?.lat !== (gcp.pin?.latitude ?? undefined) || place?.lon !== (gcp.pin?.longitude ?? undefined)
  const turned = (['yaw', 'pitch', 'roll'] as const).some((name) => angles[name] !== (pose?.angles[name] ?? 0))
  const lifted = h !== (pose?.position.h ?? null)
  const measured = altitude !== gcp.altitude || heightDatum !== gcp.heightDatum
  if (!moved && !turned && !lifted && !measured) return {}
  // A derived height is derived again unless the user entered one.
  const isLedTo = heightDatum !== null && !lifted && (measured || isDerived(gcp))
  if (isLedTo)
    return {
      geoPose: position && { position: { lat: position.lat, lon: position.lon }, angles },
      altitude,
      heightDatum,
    }
  const given = measured || heightDatum !== null ? { altitude, heightDatum } : {}
  return { ...(moved || turned || lifted || h === null ? { geoPose } : {}), ...given }
}
