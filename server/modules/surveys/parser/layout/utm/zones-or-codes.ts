import { SurveyFileError } from '../../errors.ts'
import { type Decimal, decimalOf, readGrouped } from '../../rows/values/numbers.ts'
import { utmZoneIn } from '../../rows/values/utm-zone.ts'
import { headerLine, type LayoutContext } from '../layout.ts'
import { withoutOutliers } from '../outliers.ts'
import { isInBand } from './zone-columns.ts'

/** Columns of rows without a header that may be zones of UTM, or codes of points beside coordinates of another system. */
export type ZoneColumns = { zone: number; band: number | undefined; easting: number; northing: number }

/** Degrees beside a band of latitude in which a point may lie: all of Germany is often labelled 32U. */
const BESIDE_BAND = 1

type Place = { zone: string; latitude: number; longitude: number }

/**
 * Refuses rows that may as well have codes, such as `4N`, in place of zones. Zones are certain if at least half of the
 * points are then in the zone of the import; without one, if their letters are bands of latitude that fit the northings,
 * or if all rows have the same zone of two figures and N beside coordinates of the size of UTM's.
 * @throws SurveyFileError AMBIGUOUS_COLUMNS with both readings
 */
export function refuseCodes(
  rows: readonly string[][],
  columns: ZoneColumns,
  words: readonly string[],
  context: LayoutContext,
): void {
  const decimal = decimalOf(rows.flat())
  const zones = rows.map((fields) => zoneOf(fields, columns).toUpperCase()).filter((zone) => ZONE.test(zone))
  const areBands = zones.some((zone) => !/[NS]$/.test(zone))
  const isHere = (fields: string[]) =>
    isInBand(zoneOf(fields, columns), northingOf(fields, columns, decimal), { areBands, beside: BESIDE_BAND })
  const places = rows.flatMap((fields) => placeOf(fields, columns, decimal, { areBands, context }))
  const { inZone } = context
  const here = places.filter(({ latitude, longitude }) => inZone?.(latitude, longitude)).length
  const fit = withoutOutliers(rows, isHere).every(isHere)
  const areNorths = !areBands && areOneNorth(rows, columns, words, decimal)
  if (inZone ? here * 2 >= rows.length : (fit && areBands) || areNorths) return
  throw zonesOrCodes(rows[0]!, places[0], columns, words, { ...context, isOff: areBands && !fit })
}

/** Northings of seven figures; smaller ones are as likely to be those of a national grid beside a code. */
const MIN_NORTHING = 1e6
const ZONE = /^\d{1,2}[C-HJ-NP-X]$/

/**
 * Whether all rows have one zone, right before or after the pair. That of a single row may be its name, unless it has
 * another.
 */
function areOneNorth(
  rows: readonly string[][],
  columns: ZoneColumns,
  words: readonly string[],
  decimal: Decimal,
): boolean {
  const { zone, band, easting, northing } = columns
  const [first, last] = [Math.min(easting, northing), Math.max(easting, northing)]
  const isBeside = first === (band ?? zone) + 1 || last === zone - 1
  const codes = rows.map((fields) => zoneOf(fields, columns).toUpperCase())
  const zones = new Set(codes.filter((code) => ZONE.test(code)))
  const isSuch = (fields: string[]) =>
    zones.has(zoneOf(fields, columns).toUpperCase()) && northingOf(fields, columns, decimal) >= MIN_NORTHING
  return (
    isBeside &&
    zones.size === 1 &&
    /^\d\dN$/.test([...zones][0]!) &&
    (rows.length > 1 || words.includes('title')) &&
    withoutOutliers(rows, isSuch).every(isSuch)
  )
}

const zoneOf = (fields: readonly string[], { zone, band }: ZoneColumns): string =>
  `${fields[zone]?.trim() ?? ''}${band === undefined ? '' : (fields[band]?.trim() ?? '')}`.replace(' ', '').slice(0, 8)

const northingOf = (fields: readonly string[], { northing }: ZoneColumns, decimal: Decimal): number =>
  readGrouped(fields[northing] ?? '', decimal) ?? Number.NaN

function placeOf(
  fields: readonly string[],
  columns: ZoneColumns,
  decimal: Decimal,
  { areBands, context }: { areBands: boolean; context: LayoutContext },
): Place[] {
  const zone = utmZoneIn(zoneOf(fields, columns), '')
  const isNorth = zone?.side === 'N' || (areBands && /S$/i.test(zoneOf(fields, columns)))
  const crs = zone && context.table.find(`UTM ${zone.zone}${isNorth ? 'N' : 'S'}`)
  const easting = readGrouped(fields[columns.easting] ?? '', decimal)
  const place =
    typeof crs === 'object' && easting !== undefined
      ? crs.toWgs84(easting, northingOf(fields, columns, decimal))
      : undefined
  return place ? [{ zone: `${zone!.zone}${isNorth ? 'N' : 'S'}`, ...place }] : []
}

function zonesOrCodes(
  fields: readonly string[],
  place: Place | undefined,
  columns: ZoneColumns,
  words: readonly string[],
  { delimiter, isOff }: LayoutContext & { isOff: boolean },
): SurveyFileError {
  const cell = zoneOf(fields, columns)
  const where = place
    ? ` ${place.zone}, with the first point at ${place.latitude.toFixed(4)}, ${place.longitude.toFixed(4)},`
    : ','
  const codes = words.with(columns.zone, 'description')
  if (columns.band !== undefined) codes[columns.band] = `column${columns.band + 1}`
  const band = isOff
    ? `; the northings do not fit the band of latitude of the letter ${cell.slice(-1)}`
    : `; ${cell.slice(-1)} may be a part of a code: a boundary of the zone with the points in it, or crs=, decides`
  const line = (of: readonly string[]) => headerLine(of, delimiter).slice(1, -1)
  return new SurveyFileError(
    'AMBIGUOUS_COLUMNS',
    `the file has no header line, and "${cell}" in column ${columns.zone + 1} can be the zone of UTM${where} or a code: import with header=${line(words)} for zones on WGS 84, or with header=${line(codes)} and crs= for codes${band}`,
  )
}
