import { looksLikeNumber } from '../../rows/values/numbers.ts'
import { angleUnitOf, angleUnitUnder, isInternationalFoot, unitOf } from '../../rows/values/units.ts'
import type { Columns } from '../columns.ts'

/** The units below a header, such as `,m,m,[m]` or `-;deg;deg;m`: words only, each a unit. */
export function unitsRow(fields: readonly string[] | undefined, header: readonly string[]): string[] | undefined {
  if (!fields || fields.length > header.length || fields.some(looksLikeNumber)) return undefined
  const words = fields.map((field) => field.trim().replace(/^[[(]|[\])]$/g, ''))
  const named = words.filter((word) => word !== '' && !/^[-–/]+$|^n\/?a$|^text$/i.test(word))
  if (named.length === 0 || named.some((word) => unitOf(word) === undefined && angleUnitOf(word) === undefined))
    return undefined
  return words
}

/** Adds the units of the line below the header to columns without a unit. */
export const withUnits = (columns: Columns, words: readonly string[]): Columns =>
  Object.fromEntries(
    Object.entries(columns).map(([role, list]) => [
      role,
      list.map((c) => ({
        ...c,
        unit: c.unit ?? unitOf(words[c.index] ?? ''),
        ...(c.unit === undefined && isInternationalFoot(words[c.index] ?? '') && { isInternational: true }),
        turn: c.turn ?? angleUnitUnder(c.name, words[c.index] ?? ''),
      })),
    ]),
  )
