import type { CrsTable } from '../../../reference-systems/crs.ts'
import { SurveyFileError } from '../errors.ts'
import type { NamedSystems } from '../table.ts'
import type { Layout } from './layout.ts'
import { codesIn, kindOf, otherProjected } from './other-systems.ts'

const MAX_NAMED = 3

/**
 * Refuses grid coordinates below lines that name two projected systems, as in `transformed from EPSG:25832 to
 * EPSG:25833`: either may be theirs. Names are compared with the system of the table.
 * @param isUnnamed whether no line names the system of the table @throws SurveyFileError UNKNOWN_CRS
 */
export function refuseTwoSystems(
  { kind, crs }: Layout,
  { crsLine, titles }: NamedSystems,
  { table, isUnnamed }: { table: CrsTable; isUnnamed: boolean },
): void {
  if (kind !== 'grid' || crs?.kind !== 'projected') return
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
