import type { Place } from '../../../map/geodesic.ts'

const DIGITS = 7

/** Formats a place as latitude, longitude, to the centimetre. */
export const formatPlace = ({ lat, lon }: Place): string =>
  `${Number(lat.toFixed(DIGITS))}, ${Number(lon.toFixed(DIGITS))}`

/** Parses coordinates separated by a comma, semicolon or space. @returns null if invalid */
export function parsePlace(text: string): Place | null {
  const parts = text.trim().split(/\s*[,;]\s*|\s+/)
  const [lat, lon] = parts.map(Number)
  if (parts.length !== 2 || parts.includes('') || lat === undefined || lon === undefined) return null
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon } : null
}

/** Wraps a map position, which may be several turns around the globe, to ±180°. */
export const wrapPlace = ({ lng, lat }: { lng: number; lat: number }): Place => ({
  lat: Number(lat.toFixed(DIGITS)),
  lon: Number((((((lng + 180) % 360) + 360) % 360) - 180).toFixed(DIGITS)),
})
