import ExifReader from 'exifreader'
import type { Inspection } from '../processing/inspection.ts'

type Shot = Pick<Inspection, 'position' | 'capturedAt' | 'notes'>

/** Reads place and time of a photo from its EXIF (CIPA DC-008). Ignores damaged or missing EXIF. */
export function shotOf(image: Uint8Array): Shot {
  const notes: string[] = []
  const tags = tagsOf(image)
  const position = positionOf(tags)
  const capturedAt = timeOf(tags)
  if (!capturedAt && textOf(tags?.exif?.DateTimeOriginal))
    notes.push('The time of the photo names no time zone: give the time if it matters.')
  return { position, capturedAt, notes }
}

type Tags = ReturnType<typeof read>

function read(image: Uint8Array) {
  const bytes = Buffer.from(image.buffer, image.byteOffset, image.byteLength)
  return ExifReader.load(bytes, { expanded: true, includeTags: { exif: true, gps: true } })
}

function tagsOf(image: Uint8Array): Tags | undefined {
  try {
    return read(image)
  } catch {
    return undefined
  }
}

function positionOf(tags: Tags | undefined): Shot['position'] {
  const { Latitude: lat, Longitude: long, Altitude: altitude } = tags?.gps ?? {}
  const isPlace = Number.isFinite(lat) && Number.isFinite(long) && Math.abs(lat!) <= 90 && Math.abs(long!) <= 180
  // Cameras without a fix write zeros.
  if (!isPlace || (lat === 0 && long === 0)) return null
  const isHeight = altitude !== undefined && Number.isFinite(altitude) && Math.abs(altitude) < 100_000
  return { lat: inDegrees(lat!), long: inDegrees(long!), altitude: isHeight ? altitude : null, from: 'exif' }
}

/** Rounds degrees to a tenth of a millimetre: minutes and seconds add up to 2.2944999999999998 for 2.2945. */
const inDegrees = (degrees: number): number => Math.round(degrees * 1e9) / 1e9

/** When the photo was taken in UTC, if known: from the clock and its zone, otherwise from GPS. */
function timeOf(tags: Tags | undefined): string | null {
  const { exif } = tags ?? {}
  const local = textOf(exif?.DateTimeOriginal)
  const zone = textOf(exif?.OffsetTimeOriginal)
  const clock = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)/.exec(local)
  if (clock && /^(?:Z|[+-]\d\d:\d\d)$/.test(zone)) {
    const fraction = /^\d+/.exec(textOf(exif?.SubSecTimeOriginal))?.[0].slice(0, 3)
    const [, year, month, day, time] = clock
    return isoOf(`${year}-${month}-${day}T${time}${fraction ? `.${fraction}` : ''}${zone}`)
  }
  const date = /^(\d{4}):(\d\d):(\d\d)/.exec(textOf(exif?.GPSDateStamp))
  const parts = exif?.GPSTimeStamp?.value as unknown
  if (!date || !Array.isArray(parts) || parts.length !== 3) return null
  const [hours, minutes, seconds] = parts.map((part) => (Array.isArray(part) ? part[0] / part[1] : Number(part)))
  const pad = (value: number | undefined) => String(Math.floor(value ?? Number.NaN)).padStart(2, '0')
  return isoOf(`${date[1]}-${date[2]}-${date[3]}T${pad(hours)}:${pad(minutes)}:${pad(seconds)}Z`)
}

function isoOf(text: string): string | null {
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? null : at.toISOString()
}

/** EXIF texts are lists of strings, or strings. */
function textOf(tag: { value?: unknown } | undefined): string {
  const value = Array.isArray(tag?.value) ? tag.value[0] : tag?.value
  return typeof value === 'string' ? value.replace(/\0.*$/s, '').trim() : ''
}
