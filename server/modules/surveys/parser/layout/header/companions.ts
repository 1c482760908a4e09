import type { WarningCode } from '../../errors.ts'
import { truncate } from '../../truncate.ts'
import type { Column, Columns, Role } from '../columns.ts'
import type { LayoutContext } from '../layout.ts'
import { utmZoneColumns } from './utm-zones.ts'

type Assumed = { columns: Columns; notices: { code: WarningCode; message: string }[] }

/** Cells that complete a coordinate: the hemisphere beside an angle without a sign. */
const NORTH_SOUTH = /^(?:n|s|north|south)$/i
const EAST_WEST = /^(?:e|w|o|east|west)$/i
/** Headers of hemispheres: `Hemisphere`, `Lat Dir`, `Ref`, `N/S`, `W`. */
const SIDE_NAME =
  /h[eé]mis|(?:\b|_|lat|lon|long|lng|itude)(?:dir(?:ection)?|ref(?:erence)?)(?:\b|_)|^\W*(?:n\W*s|e\W*[wo]|[nsew])\W*$/i

/**
 * Adds the columns that complete coordinates and whose header is not a known word: letters of the hemisphere directly
 * beside both angles, or beside one under a header that is empty or says so; and zones of UTM. Without them, southern
 * and western points would lose their sign. Only tables have them: the coordinates of a geometry are complete.
 */
export function withCompanions(
  columns: Columns,
  header: readonly string[],
  rows: readonly string[][],
  { crsText, isTable }: Pick<LayoutContext, 'crsText' | 'isTable'>,
): Assumed {
  if (!isTable) return { columns, notices: [] }
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
    const index = [at + 1, at - 1].find((index) => free(index, cell))
    if (index === undefined) return undefined
    const isFilled = rows.every((fields) => !/\d/.test(fields[at] ?? '') || cell.test(fields[index]?.trim() ?? ''))
    const name = header[index]?.trim().slice(0, 60) ?? ''
    return { index, isFilled, isNamed: SIDE_NAME.test(name) || (name === '' && isFilled) }
  }
  const sides = [beside('latitude', NORTH_SOUTH), beside('longitude', EAST_WEST)] as const
  const isPair = sides.every((side) => side?.isFilled)
  for (const [i, role] of (['latitudeSide', 'longitudeSide'] as const).entries())
    if (isPair || sides[i]?.isNamed) add(role, sides[i]?.index)
  const zones = utmZoneColumns(columns, header, rows, (index) => !taken.has(index))
  if (zones && (columns.crs || crsText === undefined)) {
    add('crs', zones.zone)
    add('latitudeSide', zones.side)
  }
  if (found.size === 0) return { columns, notices: [] }
  const named = [...found].map(([role, { name }]) => `${meanings[role]} in "${truncate(name, 60)}"`)
  const message = `columns without a known word were read by their cells: ${named.join(', ')}`
  return {
    columns: { ...columns, ...Object.fromEntries([...found].map(([role, column]) => [role, [column]])) },
    notices: [{ code: 'COLUMNS_ASSUMED', message }],
  }
}

const meanings: Partial<Record<Role, string>> = {
  latitudeSide: 'the hemisphere',
  longitudeSide: 'east or west of Greenwich',
  crs: 'the zone of UTM',
}
