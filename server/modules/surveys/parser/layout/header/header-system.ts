import type { CrsTable } from '../../../../reference-systems/crs.ts'
import type { Column } from '../columns.ts'
import { withFlatBrackets } from './words/brackets.ts'
import { isGridName } from './words/grid-words.ts'

const BRACKET = /[([]([^()[\]]{2,80})[)\]]/g
const MAX_HEADER = 255
/** Datums tens of metres and more away from WGS 84. Others are frames of satellites, or not worth a doubt here. */
const DISTANT =
  /^(?:NAD ?27|ED ?(?:50|79|87)|DHDN|Potsdam|OSGB(?: ?(?:19)?36)?|MGI|S-?42|Pulkovo(?: ?19(?:42|95))?|Tokyo|AGD ?(?:66|84)|P?SAD ?(?:56|69)|CH ?1903|NTF|Monte ?Mario|S-?JTSK|RT ?90|Amersfoort|TM ?65|HD ?72|KKJ|Datum ?73|Arc ?19[56]0|BD ?72)$/i

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
    if (areDegrees) return DISTANT.test(name) ? (table.namedIn(name) ?? table.namedIn(`Datum: ${name}`)) : undefined
    const text = table.namedIn(isGridName(name) ? `Grid: ${name}` : name)
    const found = text === undefined ? undefined : table.find(text)
    return typeof found === 'object' && found.kind !== 'projected' ? undefined : text
  })
  return texts.find((text) => text !== undefined)
}
