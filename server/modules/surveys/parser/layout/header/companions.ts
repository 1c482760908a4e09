import { distantDatumIn } from '../../../../reference-systems/distant-datums.ts'
import { SurveyFileError, type WarningCode } from '../../errors.ts'
import { hemisphereIn, isSideSign } from '../../rows/values/hemisphere.ts'
import { truncate } from '../../truncate.ts'
import type { Column, Columns, Role } from '../columns.ts'
import type { LayoutContext } from '../layout.ts'
import { utmZoneColumns } from '../utm/zone-columns.ts'

type Assumed = { columns: Columns; notices: { code: WarningCode; message: string }[] }

/** Cells that complete a coordinate: the hemisphere beside an angle without a sign. */
const isNorthSouth = (cell: string): boolean => 'NS'.includes(hemisphereIn(cell) ?? '-')
const isEastWest = (cell: string): boolean => 'EWO'.includes(hemisphereIn(cell) ?? '-')
/** Headers of hemispheres: `Hemisphere`, `Lat Dir`, `Ref`, `N/S`, `W`. */
const SIDE_NAME =
  /h[eé]mis|emisf|halbkugel|halvkule|halvklot|halfrond|(?:\b|_|lat|lon|long|lng|itude)(?:dir(?:ection)?|ref(?:erence)?)(?:\b|_)|^\W*(?:n\W*s|[eo]\W*[wo]|[nsew])\W*$/i

/** Headers of the datum of latitude and longitude, also that of Darwin Core. */
export const DATUM_NAME = /^\W*(?:geodetic|horizontal|gps|coordinate|map)?[ _]?datum\W*$/i

/**
 * Adds the columns that complete coordinates and whose header is not a known word: letters of the hemisphere directly
 * beside both angles, or beside one under a header that is empty or says so; and zones of UTM. Without them, southern
 * and western points would lose their sign. Only tables have them: the coordinates of a geometry are complete.
 */
export function withCompanions(
  given: Columns,
  header: readonly string[],
  rows: readonly string[][],
  { crsText, isTable, table }: Pick<LayoutContext, 'crsText' | 'isTable' | 'table'>,
): Assumed {
  const cellsAt = (index: number) => rows.map((fields) => fields[index]?.trim() ?? '').filter((cell) => cell !== '')
  const columns = withoutOtherSides(given, cellsAt)
  if (!isTable) return { columns, notices: [] }
  const taken = new Set(Object.values(columns).flatMap((list) => list.map(({ index }) => index)))
  // Under a header that says so, a cell that is no hemisphere fails its row.
  const free = (index: number, isSide: (cell: string) => boolean): boolean => {
    const cells = taken.has(index) || index < 0 ? [] : cellsAt(index)
    const count = cells.filter(isSide).length
    return count > 0 && (isNamed(index) ? count * 2 > cells.length : count === cells.length)
  }
  const isNamed = (index: number): boolean => SIDE_NAME.test(header[index]?.trim().slice(0, 60) ?? '')
  const found = new Map<Role, Column>()
  const add = (role: Role, index: number | undefined) => {
    if (index === undefined || columns[role]) return
    taken.add(index)
    found.set(role, { index, name: header[index]!.trim() || `column ${index + 1}`, unit: undefined })
  }
  const beside = (role: Role, isSide: (cell: string) => boolean) => {
    const at = columns[role]?.[0]?.index
    if (at === undefined || cellsAt(at).some((text) => /^[-−–]|[NSEWO]/i.test(text))) return undefined
    const index = [at + 1, at - 1].find((index) => free(index, isSide))
    if (index === undefined) return undefined
    const isFilled = rows.every((fields) => !/\d/.test(fields[at] ?? '') || isSide(fields[index] ?? ''))
    return { index, isFilled, isNamed: isNamed(index) || ((header[index] ?? '').trim() === '' && isFilled) }
  }
  const sides = [beside('latitude', isNorthSouth), beside('longitude', isEastWest)] as const
  const isPair = sides.every((side) => side?.isFilled)
  for (const [i, role] of (['latitudeSide', 'longitudeSide'] as const).entries())
    if (isPair || sides[i]?.isNamed) add(role, sides[i]?.index)
  const zones = utmZoneColumns(columns, header, rows, (index) => !taken.has(index))
  if (zones && (columns.crs || crsText === undefined)) {
    refuseOtherDatum(header, (index) => (taken.has(index) ? [] : cellsAt(index)))
    add('crs', zones.zone)
    add('latitudeSide', zones.side)
  }
  // In German, Datum is also a date.
  const isDatum = (cell: string) => {
    const system = table.find(cell)
    return typeof system === 'object' && system.kind === 'geographic'
  }
  const datum = header.findIndex((name, i) => DATUM_NAME.test(name) && !taken.has(i) && cellsAt(i).some(isDatum))
  if (columns.latitude && datum >= 0) add('crs', datum)
  if (found.size === 0) return { columns, notices: [] }
  const named = [...found].map(([role, { name }]) => `${meanings[role]} in "${truncate(name, 60)}"`)
  const message = `columns without a known word were read by their cells: ${named.join(', ')}`
  return {
    columns: { ...columns, ...Object.fromEntries([...found].map(([role, column]) => [role, [column]])) },
    notices: [{ code: 'COLUMNS_ASSUMED', message }],
  }
}

/**
 * Refuses zones of UTM beside a column of another datum than that of satellites, which a zone alone is on.
 * @throws SurveyFileError UNKNOWN_CRS
 */
function refuseOtherDatum(header: readonly string[], cellsAt: (index: number) => string[]): void {
  const index = header.findIndex((name) => DATUM_NAME.test(name))
  const other = index < 0 ? undefined : cellsAt(index).find((cell) => distantDatumIn(`Datum: ${cell}`) !== undefined)
  if (other === undefined) return
  const [shown, name] = [truncate(other, 60), truncate(header[index]!.trim(), 60)]
  throw new SurveyFileError(
    'UNKNOWN_CRS',
    `the rows name zones of UTM, and "${shown}" in the column ${name}: name both in the column of the zone, as in ${shown} / UTM zone 33N, or import with the system as crs=`,
  )
}

/** Leaves out columns such as `ns` whose cells are mostly something else, such as numbers of satellites. Rows with signs fail later. */
function withoutOtherSides(columns: Columns, cellsAt: (index: number) => string[]): Columns {
  const left = { ...columns }
  for (const role of ['latitudeSide', 'longitudeSide'] as const) {
    const cells = cellsAt(left[role]?.[0]?.index ?? -1)
    const isSide = (cell: string) => hemisphereIn(cell) !== undefined || isSideSign(cell)
    if (cells.length > 0 && cells.filter(isSide).length * 2 <= cells.length) delete left[role]
  }
  return left
}

const meanings: Partial<Record<Role, string>> = {
  latitudeSide: 'the hemisphere',
  longitudeSide: 'east or west of Greenwich',
  crs: 'the datum or the zone of UTM',
}
