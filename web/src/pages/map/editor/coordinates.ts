import type { Place } from '../../../map/geodesic.ts'

const DIGITS = 7

/** A place as it is written in a field: latitude, longitude, to the centimetre. */
export const formatPlace = ({ lat, lon }: Place): string =>
  `${Number(lat.toFixed(DIGITS))}, ${Number(lon.toFixed(DIGITS))}`

/** Reads such a text; a space or a semicolon will do for the comma. @returns null for what is no place */
export function parsePlace(text: string): Place | null {
  const parts = text.trim().split(/\s*[,;]\s*|\s+/)
  const [lat, lon] = parts.map(Number)
  if (parts.length !== 2 || parts.includes('') || lat === undefined || lon === undefined) return null
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon } : null
}

/** A place that the map gave, which may be some turns of the globe away. */
export const wrapPlace = ({ lng, lat }: { lng: number; lat: number }): Place => ({
  lat: Number(lat.toFixed(DIGITS)),
  lon: Number((((((lng + 180) % 360) + 360) % 360) - 180).toFixed(DIGITS)),
})
