import type { CrsTable } from '../../../../reference-systems/crs.ts'
import type { Column } from '../columns.ts'

const BRACKET = /[([]([^()[\]]{2,80})[)\]]/g
const MAX_HEADER = 255

/**
 * The reference system that a bracket in the headers of coordinates names, as in `Latitude (NAD27)` or `E (LV95)`.
 * Abbreviations without a figure, such as DHDN, are names of datums there. Above metres, a datum is no system.
 */
export function systemInHeader(columns: readonly Column[], areDegrees: boolean, table: CrsTable): string | undefined {
  const brackets = columns.flatMap(({ name }) =>
    [...name.slice(0, MAX_HEADER).matchAll(BRACKET)].flatMap(([, inside]) => [inside!, ...inside!.split(/[,;]/)]),
  )
  const texts = brackets.map((inside) => {
    const name = inside.trim()
    const whole = table.namedIn(name)
    const text = whole ?? (areDegrees && /^[A-Z]{3,8}$/.test(name) ? table.namedIn(`Datum: ${name}`) : undefined)
    const found = text === undefined ? undefined : table.find(text)
    // Positions of satellites in a frame without a registered way to WGS 84 are within decimetres of it.
    if (typeof found === 'string') return /^(?:WGS|ITRF|IGS)/i.test(name) ? undefined : text
    const isDatum = found?.kind === 'geographic'
    return isDatum ? (areDegrees ? text : undefined) : whole
  })
  return texts.find((text) => text !== undefined)
}
