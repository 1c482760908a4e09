import type { CrsTable } from '../../../../reference-systems/crs.ts'
import { isDistantDatum } from '../../../../reference-systems/distant-datums.ts'
import type { Column } from '../columns.ts'
import { withFlatBrackets } from './words/brackets.ts'
import { isGridName } from './words/grid-words.ts'

const BRACKET = /[([]([^()[\]]{2,80})[)\]]/g
const MAX_HEADER = 255
/**
 * The reference system that the headers of coordinates name, as in `Latitude (NAD27)`, `E (LV95)` or `X_L93`: of
 * degrees a datum that is far from WGS 84, of metres a projected system.
 */
export function systemInHeader(columns: readonly Column[], areDegrees: boolean, table: CrsTable): string | undefined {
  const brackets = columns.flatMap(({ name, grid = '' }) => [
    ...[...withFlatBrackets(name.slice(0, MAX_HEADER)).matchAll(BRACKET)].flatMap(([, inside]) => [
      inside!,
      ...inside!.split(/[,;]/),
    ]),
    grid,
  ])
  const texts = brackets.map((inside) => {
    const name = inside.trim()
    if (areDegrees) return isDistantDatum(name) ? (table.namedIn(name) ?? table.namedIn(`Datum: ${name}`)) : undefined
    const text = table.namedIn(isGridName(name) ? `Grid: ${name}` : name)
    const found = text === undefined ? undefined : table.find(text)
    return typeof found === 'object' && found.kind !== 'projected' ? undefined : text
  })
  return texts.find((text) => text !== undefined)
}
