import type { SurveyRecord } from '../../table.ts'
import type { Columns } from '../columns.ts'

/** A zone of UTM with its letter, a zone alone, and the letter of a band of latitude. */
const ZONE = /^\d{1,2} ?[C-HJ-NP-X]$/i
const ZONE_NUMBER = /^(?:0?[1-9]|[1-5]\d|60)$/
const BAND_LETTER = /^[C-HJ-NP-X]$/i
const HEMISPHERE = /^(?:n|s|north|south|northern|southern)$/i
const ZONE_NAME = /^\W*(?:utm\W*)?(?:zone|zona|huso|fuso|fuseau|sone)\b/i
/** Headers of the second column: `Hemisphere`, `Hemi`, `N/S`, `NS`; `Band`, `Zone letter`. */
const HEMISPHERE_NAME = /h[eé]mi|^\W*n\W*s\W*$|\bnorth.{1,4}south\b/i
const BAND_NAME = /\bband\b|\bletter\b/i

type Found = { zone: number; side?: number }

/**
 * The columns that name the zone of UTM in each row: `33N`, `33U`, or `33` beside a column of hemispheres or bands. The
 * letter of a band must fit the northing. A zone alone is not taken: its points may be north or south of the equator.
 * @param free whether a column has no other meaning
 */
export function utmZoneColumns(
  columns: Columns,
  header: readonly string[],
  rows: readonly string[][],
  free: (index: number) => boolean,
): Found | undefined {
  const northing = columns.northing?.[0]?.index
  if (northing === undefined || columns.latitude || rows.length === 0) return undefined
  const cell = (fields: readonly string[], index: number) => fields[index]?.trim() ?? ''
  const hasOnly = (index: number, pattern: RegExp) =>
    rows.some((fields) => cell(fields, index) !== '') &&
    rows.every((fields) => cell(fields, index) === '' || pattern.test(cell(fields, index)))
  const named = columns.crs?.[0]?.index
  const zones =
    named === undefined ? header.flatMap((name, i) => (ZONE_NAME.test(name) && free(i) ? [i] : [])) : [named]
  const whole = zones.find(
    (i) =>
      named === undefined &&
      hasOnly(i, ZONE) &&
      rows.every((fields) => isInBand(cell(fields, i), cell(fields, northing))),
  )
  if (whole !== undefined) return { zone: whole }
  const zone = zones.find((i) => hasOnly(i, ZONE_NUMBER))
  if (zone === undefined) return undefined
  const completes = (index: number, pattern: RegExp) =>
    hasOnly(index, pattern) && rows.every((fields) => (cell(fields, zone) === '') === (cell(fields, index) === ''))
  const hemisphere = columns.latitudeSide?.[0]?.index
  const side = [...(hemisphere === undefined ? [] : [hemisphere]), ...header.keys()].find((index) => {
    if (index !== hemisphere && !free(index)) return false
    const name = header[index]!.trim().slice(0, 60)
    if (BAND_NAME.test(name))
      return (
        completes(index, BAND_LETTER) &&
        rows.every((fields) => isInBand(`${cell(fields, zone)}${cell(fields, index)}`, cell(fields, northing)))
      )
    const isNamed = index === hemisphere || HEMISPHERE_NAME.test(name) || (name === '' && Math.abs(index - zone) === 1)
    return isNamed && completes(index, HEMISPHERE)
  })
  return side === undefined ? undefined : { zone, side }
}

/** Whether a letter of a zone of UTM in the sample proves that all are bands of latitude: it is neither N nor S. */
export function areBands(records: readonly SurveyRecord[], columns: Columns): boolean {
  const zone = columns.crs?.[0]?.index
  const side = columns.latitudeSide?.[0]
  return (
    zone !== undefined &&
    records.some(({ fields }) => {
      const cell = fields[zone]?.trim().slice(0, 8) ?? ''
      const letter = ZONE.test(cell)
        ? cell.at(-1)!
        : side && ZONE_NUMBER.test(cell)
          ? (fields[side.index] ?? '').trim()
          : ''
      return BAND_LETTER.test(letter) && !/[NS]/i.test(letter)
    })
  )
}

/** Metres of a degree of latitude on the central meridian of UTM, and the height of a band in degrees. */
const DEGREE = 110_900
const BAND = 8

/**
 * Whether a northing lies in the band of a zone, or less than `beside` degrees beside it; by default half a band. N and S
 * are hemispheres, unless all letters are bands.
 */
export function isInBand(
  zone: string,
  northing: string | number,
  { areBands = false, beside = BAND / 2 }: { areBands?: boolean; beside?: number } = {},
): boolean {
  const letter = zone.at(-1)?.toUpperCase() ?? ''
  const metres = typeof northing === 'number' ? northing : Number(northing.replace(',', '.'))
  const band = 'CDEFGHJKLMNPQRSTUVWX'.indexOf(letter)
  if ((!areBands && (letter === 'N' || letter === 'S')) || band < 0 || !Number.isFinite(metres)) return true
  const south = -80 + band * BAND
  const north = letter === 'X' ? 84 : south + BAND
  const latitude = (band < 10 ? metres - 1e7 : metres) / DEGREE
  return latitude >= south - beside && latitude <= north + beside
}
