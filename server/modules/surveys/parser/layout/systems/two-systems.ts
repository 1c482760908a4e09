import type { Crs, CrsTable } from '../../../../reference-systems/crs.ts'
import { distantDatumIn } from '../../../../reference-systems/distant-datums.ts'
import { SurveyFileError } from '../../errors.ts'
import type { NamedSystems } from '../../table.ts'
import { truncate } from '../../truncate.ts'
import type { Layout } from '../layout.ts'
import { codesIn, kindOf, otherDatum, otherProjected } from './other-systems.ts'

const MAX_NAMED = 3
/** A zone of UTM without a datum, as in `Grid: UTM 17N`, is on WGS 84. */
const WGS84_ZONE = /^EPSG:32[67]\d\d$/
const NAMES_WGS84 = /WGS|EPSG|32[67]\d\d/i

/**
 * Refuses grid coordinates below lines that name two projected systems, as in `transformed from EPSG:25832 to
 * EPSG:25833`: either may be theirs. Names are compared with the system of the table; the datum of a line beside a zone
 * of UTM in another is that of the zone.
 * @param isUnnamed whether no line names the system of the table @throws SurveyFileError UNKNOWN_CRS
 */
export function refuseTwoSystems(
  { kind, crs }: Layout,
  { crsLine, titles }: NamedSystems,
  { table, isUnnamed }: { table: CrsTable; isUnnamed: boolean },
): void {
  if (kind !== 'grid' || crs?.kind !== 'projected') return
  if (isBareZone(crs.name, crsLine)) {
    const datum = foreignDatum(titles, crs, table)
    if (datum !== undefined) throw datumOfZone(datum, crs.utmZone!)
  }
  const codes = codesIn([crsLine ?? '', ...titles]).filter((code) => kindOf(code, table) === 'projected')
  const names = () => titles.flatMap((line) => otherProjected(line, crs, table) ?? [])
  const [other] = codes.length > 1 || isUnnamed ? [] : names()
  const named = other === undefined ? codes : [crs.name, other]
  if (named.length < 2) return
  throw new SurveyFileError(
    'UNKNOWN_CRS',
    `the lines above the table name ${named.slice(0, MAX_NAMED).join(' and ')}: leave only the ${other === undefined ? 'code' : 'name'} of the system in which the coordinates below are`,
  )
}

/**
 * The datum of a line that is not that of a system: one of the register, or a distant one, unless another line names the
 * whole system.
 */
function foreignDatum(titles: readonly string[], crs: Crs, table: CrsTable): string | undefined {
  const [known] = titles.flatMap((line) => otherDatum(line, crs, table) ?? [])
  if (known !== undefined || !crs.datum().isModern) return known
  const namesWhole = (line: string) => {
    const text = table.namedIn(line)
    return text !== undefined && !isBareZone(text, line) && kindOf(text, table) === 'projected'
  }
  return titles.some(namesWhole) ? undefined : titles.flatMap((line) => distantDatumIn(line) ?? [])[0]
}

/** Whether a system is that of a line with a zone of UTM, but no datum. */
const isBareZone = (system: string, line: string | undefined): boolean =>
  line !== undefined && WGS84_ZONE.test(system) && !NAMES_WGS84.test(line)

/**
 * The system of the request for a file that names a zone of UTM and a datum in two lines, if it has both.
 * @param text the system of the line with the zone
 */
export function requestedZone(
  text: string | undefined,
  { crsLine, titles }: NamedSystems,
  given: string | undefined,
  table: CrsTable,
): string | undefined {
  if (text === undefined || given === undefined || !isBareZone(text, crsLine)) return undefined
  const [zone, crs] = [table.find(text), table.find(given)]
  if (typeof zone === 'string' || typeof crs === 'string' || crs.utmZone !== zone.utmZone) return undefined
  const isOther = (system: Crs) => foreignDatum(titles, system, table) !== undefined
  return isOther(zone) && !isOther(crs) ? given : undefined
}

const datumOfZone = (datum: string, zone: string) =>
  new SurveyFileError(
    'UNKNOWN_CRS',
    `the lines above the table name zone ${zone} of UTM and the datum ${truncate(datum, 60)}: name both in one line, as in ${truncate(datum, 60)} / UTM zone ${zone}, or as EPSG:n there or in crs=`,
  )
