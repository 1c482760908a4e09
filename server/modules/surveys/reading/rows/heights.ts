import type { Crs } from '../../../reference-systems/crs.ts'
import type { Columns } from '../layout/columns.ts'
import type { SurveyPoint } from './point.ts'
import type { Position } from './position.ts'
import type { Row } from './row.ts'
import { unitOf } from './units.ts'

const MAX_CRS_NAME = 255

/** One height given is `h`, whatever it is above; an ellipsoidal one beside another keeps both. Metres. */
export function readHeights(
  row: Row,
  {
    columns,
    crs,
    position,
    seaLevel,
  }: { columns: Columns; crs: Crs | undefined; position: Position | undefined; seaLevel: boolean },
): Pick<SurveyPoint, 'h' | 'altitude' | 'verticalDatum'> {
  const unit = heightUnit(row, columns, crs)
  const ellipsoid = position?.h ?? row.length('h', unit)
  const orthometric = row.length('altitude', unit)
  const unknown = position?.h === undefined ? (row.length('z', unit) ?? position?.z ?? null) : null
  if (ellipsoid !== null) return { h: ellipsoid, altitude: orthometric, verticalDatum: 'ellipsoid' }
  if (orthometric !== null) return { h: orthometric, altitude: null, verticalDatum: 'orthometric' }
  return { h: unknown, altitude: null, verticalDatum: seaLevel ? 'orthometric' : 'unknown' }
}

/** The unit of heights that name none: of the row's combined system, of its antenna, of its grid. */
function heightUnit(row: Row, columns: Columns, crs: Crs | undefined): number {
  const named = columns.crs ? verticalUnit(row.cell('crs')) : undefined
  const antenna = columns.heightUnit ? unitOf(row.cell('heightUnit')) : undefined
  return named ?? antenna ?? (crs?.kind === 'projected' ? crs.unit : 1)
}

/** The unit in a combined system's name, such as `… (ftUS) + NAVD88 height (ftUS)`: its last bracket that is a unit. */
function verticalUnit(crsName: string): number | undefined {
  if (crsName.length > MAX_CRS_NAME) return undefined
  return [...crsName.matchAll(/\(([^()]*)\)/g)]
    .map((match) => unitOf(match[1]!))
    .filter((unit) => unit !== undefined)
    .at(-1)
}
