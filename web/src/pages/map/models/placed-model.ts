import type { LocatedPin } from '@cairn/sdk'
import type { Place } from '../../../map/geodesic.ts'

export type Rotation = { x: number; y: number; z: number; w: number }
/** A model at its place. */
export type PlacedModel = {
  id: string
  url: string
  place: Place
  /** In the frame east, up, south. */
  rotation: Rotation
}

const NOT_TURNED: Rotation = { x: 0, y: 0, z: 0, w: 1 }

/** The model of a pin that was read with `pose=eus`; undefined if it is on another host, from which the console loads nothing. */
export function placedModelOf(pin: LocatedPin): PlacedModel | undefined {
  if (!pin.contentUrl) return undefined
  const { href, origin } = new URL(pin.contentUrl, window.location.href)
  if (origin !== window.location.origin) return undefined
  const place = { lat: pin.latitude, lon: pin.longitude }
  return { id: String(pin.id), url: href, place, rotation: pin.pose?.quaternion ?? NOT_TURNED }
}
