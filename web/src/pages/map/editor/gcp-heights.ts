import type { Gcp, GcpChangeInput, GeoPose } from '@cairn/sdk'
import type { Place } from '../../../map/geodesic.ts'

type Heights = Pick<GcpChangeInput, 'geoPose' | 'altitude' | 'heightDatum'>

const NO_ANGLES = { yaw: 0, pitch: 0, roll: 0 }

/** Whether the service leads from the altitude of a control point to its height, as it did before. */
const isDerived = ({ pin, altitude, heightDatum, heightTransformation }: Gcp): boolean =>
  heightTransformation !== null || (!pin?.geoPose && altitude !== null && heightDatum !== null)

/** What a control point that is moved sends: its heights stay what they are, and the service leads to the ellipsoid anew. */
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
  /** Metres above the ellipsoid. */
  h: number | null
  altitude: number | null
  heightDatum: string | null
}

/** What the form of a control point sends of its place and heights; of one that there is, only what was changed. */
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
  // A height that the service led to is led to anew, unless another one is written.
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
