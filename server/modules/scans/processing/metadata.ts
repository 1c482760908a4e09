import type { ScanRow } from '../store.ts'
import type { Inspection } from './inspection.ts'
import type { Findings } from './processing-store.ts'

const MAX_NOTES = 20
const LONGEST_NOTE = 500
/** Tolerance for clocks in a wrong time zone. */
const AHEAD_MS = 24 * 60 * 60_000

type Place = Pick<Findings, 'lat' | 'long' | 'altitude' | 'positionFrom' | 'timestamp' | 'capturedFrom'>

/** Where and when a scan was captured: values of the owner take precedence over those of the file. */
export function placeOf(scan: ScanRow, { position, capturedAt }: Inspection): Place {
  const { lat, long, altitude, positionFrom, timestamp, capturedFrom } = scan
  const place =
    positionFrom === 'caller' || !position || !isOnEarth(position)
      ? { lat, long, altitude, positionFrom }
      : { lat: position.lat, long: position.long, altitude: position.altitude, positionFrom: position.from }
  const time =
    capturedFrom === 'caller' || !isPast(capturedAt)
      ? { timestamp, capturedFrom }
      : { timestamp: new Date(capturedAt!).toISOString(), capturedFrom: 'file' as const }
  return { ...place, ...time }
}

/** Metadata of the file, as stored. */
export function contentsOf({ fileType, bounds, triangles, points, width, height, notes }: Inspection) {
  const isBounded = bounds !== null && [...bounds.min, ...bounds.max].every(Number.isFinite)
  return { fileType, bounds: isBounded ? bounds : null, triangles, points, width, height, notes: keptNotes(notes) }
}

/** Text as PostgreSQL can store it. */
export const sentence = (text: string): string => text.toWellFormed().replaceAll('\0', '').slice(0, LONGEST_NOTE)

export const keptNotes = (notes: string[]): string[] => [...new Set(notes.map(sentence))].slice(0, MAX_NOTES)

const isOnEarth = ({ lat, long }: { lat: number; long: number }) => Math.abs(lat) <= 90 && Math.abs(long) <= 180

function isPast(moment: string | null): boolean {
  const at = moment === null ? Number.NaN : Date.parse(moment)
  return at <= Date.now() + AHEAD_MS && /^(?!0000)\d{4}-/.test(new Date(at).toJSON())
}
