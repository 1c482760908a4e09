import type { CrsTable } from '../../../../reference-systems/crs.ts'
import { crsNameOf, crsTextOf, MAX_LINE } from '../../../../reference-systems/crs-text.ts'
import { type RowError, SurveyFileError } from '../../errors.ts'
import { type Delimiter, isSpaces } from '../../formats/delimited/delimiter.ts'
import { numbersIn } from '../../formats/delimited/table-start.ts'
import { columnsOf, coordinateKinds } from '../../layout/columns.ts'
import { systemInHeader } from '../../layout/header/header-system.ts'
import type { Layout } from '../../layout/layout.ts'
import { IS_NAME, kindOf, namesSystemLike, otherSystem } from '../../layout/systems/other-systems.ts'
import { utmZoneIn } from '../values/utm-zone.ts'

/** Systems that lines inside a table may name: making each takes milliseconds. */
const MAX_SYSTEMS = 1000
/** A definition, or the first of its lines, with the name in it. */
const DEFINITION = /^[\s#!%]{0,20}((PROJ|GEO|COMPD?|BOUND)[A-Z_]{1,16} ?\[(?: ?"([^"]{1,200})")?.{0,60})/
/** What a comment has that names a system without a label. */
const SYSTEM_WORD = /epsg|\b(?:crs|system) ?[:=]/i

/**
 * Follows the lines inside a table that name a reference system: the rows below one that names another than that of
 * the table are not in it.
 */
export function laterSystems(layout: Layout, systems: CrsTable, delimiter: Delimiter) {
  const gap = isSpaces(delimiter) ? ' ' : ','
  const table = boundedTable(systems)
  let other: { name: string; line: number; isZone: boolean } | undefined
  let projectedAt: number | undefined
  /** The system of rows that name none. */
  const own = () => {
    const crs = layout.crs ?? (layout.kind === 'geodetic' ? systems.find('EPSG:4326') : undefined)
    return typeof crs === 'object' ? crs : undefined
  }

  return {
    /** Reads a line that is no row: a comment, or one that fails as a row. @throws SurveyFileError for too many systems */
    see(fields: readonly string[], line: number): void {
      const whole = fields.join(gap)
      if (numbersIn(whole) > 1 && !DEFINITION.test(whole)) return
      const written = systemOfHeader(fields, systems) ?? whole
      const crs = isSystemLine(written) ? own() : undefined
      if (!crs) return
      const [, start, root, quoted] = DEFINITION.exec(written) ?? []
      // The datum of a projected system in the line above.
      if (root === 'GEO' && line - 1 === projectedAt) return
      if (root !== undefined && root !== 'GEO') projectedAt = line
      const isPart = start !== undefined && !isKnown(crsTextOf(written), table)
      const isNamed = isPart && isKnown(quoted && table.namedIn(`CRS: ${quoted}`), table)
      if (isPart && !isNamed) {
        if ((root === 'GEO') === (crs.kind === 'geographic')) other ??= { name: start, line, isZone: false }
        return
      }
      const text = isPart ? `CRS: ${quoted}` : written
      const name = otherSystem(text, crs, table)
      if (name !== undefined) {
        const isZone = layout.columns.crs !== undefined && otherSystem(text, crs, table, true) === undefined
        if (!(isPart && other)) other = { name: start ?? name, line, isZone }
      } else if (namesSystemLike(text, crs, table)) other = undefined
    },

    /** Why a row is not read. */
    fault(fields: readonly string[]): RowError | undefined {
      const cell = fields[layout.columns.crs?.[0]?.index ?? -1]?.trim() ?? ''
      if (!other || (cell !== '' && isOwn(cell, other.isZone))) return undefined
      const first = own()!.name
      const message = `the row is below line ${other.line}, which names ${other.name}, but the rows above it are in ${first}: import the rows below it as a file of their own, or delete that line if they are in ${first} too`
      return { column: null, value: null, code: 'UNKNOWN_CRS', message }
    },
  }

  /** Whether a row names its own system, or its zone below a line of another zone. */
  function isOwn(cell: string, isZone: boolean): boolean {
    if (utmZoneIn(cell, '')) return isZone
    const kind = kindOf(cell, systems)
    return kind !== undefined && (layout.kind !== 'grid' || kind === 'projected')
  }
}

const isKnown = (text: string | undefined, table: CrsTable): boolean =>
  text !== undefined && text !== '' && kindOf(text, table) !== undefined

/** A table that refuses a file whose lines name too many systems. */
function boundedTable(table: CrsTable): CrsTable {
  const texts = new Set<string>()
  const find: CrsTable['find'] = (text) => {
    if (texts.add(text).size > MAX_SYSTEMS)
      throw new SurveyFileError(
        'UNKNOWN_CRS',
        `comments and other lines between the rows name more than 1,000 reference systems: delete them, and give the rows of each system as a file of their own or in a column CRS`,
      )
    return table.find(text)
  }
  return { ...table, find }
}

/** Whether a line is a definition, or has a code, a label or a name of a system. */
const isSystemLine = (text: string): boolean =>
  (/^\s*[#%!]/.test(text) && SYSTEM_WORD.test(text.slice(0, MAX_LINE))) ||
  crsTextOf(text) !== undefined ||
  DEFINITION.test(text) ||
  crsNameOf(text)?.labelled === true ||
  IS_NAME.test(text.slice(0, MAX_LINE))

/** The system in the words of a second header line, as in `E (EPSG:25832)`. */
function systemOfHeader(fields: readonly string[], table: CrsTable): string | undefined {
  const columns = columnsOf(fields)
  if (coordinateKinds(columns).length === 0) return undefined
  const pair = [columns.easting, columns.northing, columns.x, columns.y, columns.latitude].flatMap((all) => all ?? [])
  return pair.find(({ system }) => system)?.system ?? systemInHeader(pair, columns.latitude !== undefined, table)
}
