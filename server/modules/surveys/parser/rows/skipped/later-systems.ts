import type { CrsTable } from '../../../../reference-systems/crs.ts'
import { crsNameOf, crsTextOf } from '../../../../reference-systems/crs-text.ts'
import type { RowError } from '../../errors.ts'
import { type Delimiter, isSpaces } from '../../formats/delimited/delimiter.ts'
import { numbersIn } from '../../formats/delimited/table-start.ts'
import { columnsOf, coordinateKinds } from '../../layout/columns.ts'
import { systemInHeader } from '../../layout/header/header-system.ts'
import type { Layout } from '../../layout/layout.ts'
import { IS_NAME, kindOf, namesSystemLike, otherSystem } from '../../layout/other-systems.ts'

/** The system of a row in a column of its own: a code, not the zone of a datum. */
const OWN_SYSTEM = /\d{4,6}/
const MAX_NAME = 255
/** A definition, or the first of its lines. */
const DEFINITION = /^[\s#!%]{0,20}((?:PROJ|GEOG|GEO[DC]|COMPD?|BOUND)[A-Z_]{1,16} ?\[.{0,60})/

/**
 * Follows the lines inside a table that name a reference system: the rows below one that names another than that of
 * the table are not in it.
 */
export function laterSystems(layout: Layout, table: CrsTable, delimiter: Delimiter) {
  const gap = isSpaces(delimiter) ? ' ' : ','
  const hasGrid = layout.columns.easting !== undefined || layout.columns.x !== undefined
  let other: { name: string; line: number } | undefined
  const own = () => {
    const crs = layout.crs ?? (layout.kind === 'grid' && !layout.columns.crs ? undefined : table.find('EPSG:4326'))
    return typeof crs === 'object' ? crs : undefined
  }

  return {
    /** Reads a line that is no row: a comment, or one that fails as a row. */
    see(fields: readonly string[], line: number): void {
      const whole = fields.join(gap)
      if (numbersIn(whole) > 1 && !DEFINITION.test(whole)) return
      const text = systemOfHeader(fields, table) ?? whole
      const crs = isSystemLine(text) ? own() : undefined
      if (!crs) return
      const isAlike = namesSystemLike(text, crs, table)
      const defined = isAlike && crsTextOf(text) !== undefined ? undefined : DEFINITION.exec(text)?.[1]
      // Further lines of a definition are not another.
      if (defined !== undefined && other) return
      const name = defined ?? otherSystem(text, crs, table)
      // Beside latitudes and longitudes, a projected system is that of the grid.
      if (name !== undefined && !(layout.kind === 'geodetic' && hasGrid && kindOf(name, table) === 'projected'))
        other = { name, line }
      else if (isAlike) other = undefined
    },

    /** Why a row is not read. */
    fault(fields: readonly string[]): RowError | undefined {
      const at = layout.columns.crs?.[0]
      if (!other || (at && OWN_SYSTEM.test(fields[at.index] ?? ''))) return undefined
      const first = own()!.name
      const message = `the row is below line ${other.line}, which names ${other.name}, but the rows above it are in ${first}: import the rows below it as a file of their own, or delete that line if they are in ${first} too`
      return { column: null, value: null, code: 'UNKNOWN_CRS', message }
    },
  }
}

/** Whether a line is a comment, a definition, or has a code, a label or a name of a system. */
const isSystemLine = (text: string): boolean =>
  /^\s*[#%!]/.test(text) ||
  crsTextOf(text) !== undefined ||
  DEFINITION.test(text) ||
  crsNameOf(text)?.labelled === true ||
  IS_NAME.test(text.slice(0, MAX_NAME))

/** The system in the words of a second header line, as in `E (EPSG:25832)`. */
function systemOfHeader(fields: readonly string[], table: CrsTable): string | undefined {
  const columns = columnsOf(fields)
  if (coordinateKinds(columns).length === 0) return undefined
  const pair = [columns.easting, columns.northing, columns.x, columns.y, columns.latitude].flatMap((all) => all ?? [])
  return pair.find(({ system }) => system)?.system ?? systemInHeader(pair, columns.latitude !== undefined, table)
}
