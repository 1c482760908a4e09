import type { WarningCode } from '../../errors.ts'
import { truncate } from '../../truncate.ts'
import type { Column, Columns, Role } from '../columns.ts'
import type { LayoutContext } from '../layout.ts'

type Assumed = { columns: Columns; notices: { code: WarningCode; message: string }[] }

/** Cells that complete a coordinate: the hemisphere beside an angle without a sign, and a zone of UTM with its letter. */
const NORTH_SOUTH = /^(?:n|s|north|south)$/i
const EAST_WEST = /^(?:e|w|o|east|west)$/i
const ZONE = /^\d{1,2} ?[C-HJ-NP-X]$/i
const ZONE_NAME = /^\W*zone\b/i

/**
 * Adds the columns that complete coordinates and whose header does not say so: letters of the hemisphere directly beside
 * latitude or longitude, and zones of UTM. Without them, southern and western points would lose their sign.
 */
export function withCompanions(
  columns: Columns,
  header: readonly string[],
  rows: readonly string[][],
  { crsText }: Pick<LayoutContext, 'crsText'>,
): Assumed {
  const taken = new Set(Object.values(columns).flatMap((list) => list.map(({ index }) => index)))
  const cellsAt = (index: number) => rows.map((fields) => fields[index]?.trim() ?? '').filter((cell) => cell !== '')
  const free = (index: number, cell: RegExp): boolean => {
    const cells = taken.has(index) || index < 0 ? [] : cellsAt(index)
    return cells.length > 0 && cells.every((text) => cell.test(text))
  }
  const found = new Map<Role, Column>()
  const add = (role: Role, index: number | undefined) => {
    if (index === undefined || columns[role]) return
    taken.add(index)
    found.set(role, { index, name: header[index]!.trim() || `column ${index + 1}`, unit: undefined })
  }
  const beside = (role: Role, cell: RegExp) => {
    const at = columns[role]?.[0]?.index
    if (at === undefined || cellsAt(at).some((text) => /^[-−–]|[NSEWO]/i.test(text))) return undefined
    return [at + 1, at - 1].find((index) => free(index, cell))
  }
  add('latitudeSide', beside('latitude', NORTH_SOUTH))
  add('longitudeSide', beside('longitude', EAST_WEST))
  const northing = columns.northing?.[0]?.index
  const isZone = (name: string, index: number) =>
    ZONE_NAME.test(name) &&
    free(index, ZONE) &&
    rows.every((fields) => isInBand(fields[index] ?? '', fields[northing!] ?? ''))
  if (northing !== undefined && !columns.latitude && crsText === undefined)
    add(
      'crs',
      header.map((name, index) => (isZone(name, index) ? index : undefined)).find((at) => at !== undefined),
    )
  if (found.size === 0) return { columns, notices: [] }
  const named = [...found].map(([role, { name }]) => `${meanings[role]} in "${truncate(name, 60)}"`)
  const message = `columns without a known word were read by their cells: ${named.join(', ')}`
  return {
    columns: { ...columns, ...Object.fromEntries([...found].map(([role, column]) => [role, [column]])) },
    notices: [{ code: 'COLUMNS_ASSUMED', message }],
  }
}

/** Metres of a degree of latitude on the central meridian of UTM, and the height of a band in degrees. */
const DEGREE = 110_900
const BAND = 8

/** Whether a northing lies in the band of a zone, or half a band beside it; N and S are hemispheres. */
function isInBand(zone: string, northing: string): boolean {
  const letter = zone.trim().at(-1)?.toUpperCase() ?? ''
  const metres = Number(northing.trim().replace(',', '.'))
  const band = 'CDEFGHJKLMNPQRSTUVWX'.indexOf(letter)
  if (letter === 'N' || letter === 'S' || zone.trim() === '' || !Number.isFinite(metres)) return true
  const middle = -80 + band * BAND + BAND / 2
  return Math.abs((band < 10 ? metres - 1e7 : metres) / DEGREE - middle) <= BAND
}

const meanings: Partial<Record<Role, string>> = {
  latitudeSide: 'the hemisphere of the latitude',
  longitudeSide: 'the hemisphere of the longitude',
  crs: 'the zone of UTM',
}
