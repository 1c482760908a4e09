import type { CrsTable } from '../../../reference-systems/crs.ts'
import { SurveyFileError } from '../errors.ts'
import type { NamedSystems } from '../table.ts'
import type { Layout } from './layout.ts'

const CODE = /EPSG ?[:=]{0,2} ?(\d{4,6})(?!\d)/gi
const MAX_LINE = 512
/** Codes that are looked up: further ones are a list, not the systems of a table. */
const MAX_CODES = 10

/**
 * Refuses grid coordinates below lines that name two projected systems, as in `transformed from EPSG:25832 to
 * EPSG:25833`: either may be theirs. @throws SurveyFileError UNKNOWN_CRS
 */
export function refuseTwoSystems(layout: Layout, { crsLine, titles }: NamedSystems, table: CrsTable): void {
  if (layout.kind !== 'grid' || layout.crs?.kind !== 'projected') return
  const lines = [crsLine ?? '', ...titles].filter((line) => line.length <= MAX_LINE)
  const codes = new Set(lines.flatMap((line) => [...line.matchAll(CODE)].map(([, code]) => `EPSG:${Number(code)}`)))
  const projected = [...codes].slice(0, MAX_CODES).filter((code) => {
    const found = table.find(code)
    return (typeof found === 'string' ? table.refusedKind(code) : found.kind) === 'projected'
  })
  if (projected.length < 2) return
  throw new SurveyFileError(
    'UNKNOWN_CRS',
    `the lines above the table name ${projected.slice(0, 3).join(' and ')}: leave only the code of the system in which the coordinates below are`,
  )
}
