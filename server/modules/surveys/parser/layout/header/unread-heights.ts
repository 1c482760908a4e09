import type { WarningCode } from '../../errors.ts'
import { type Decimal, looksLikeNumber } from '../../rows/values/numbers.ts'
import { truncate } from '../../truncate.ts'
import { type Columns, columnsOf } from '../columns.ts'
import { innerUnits } from './inner-units.ts'
import { apartBy, lengthIn } from './twins.ts'

const HEIGHT =
  /height|hgt|h(?:ö|oe)he|elev|altit|hauteur|altura|altezza|\bcota\b|\bquota\b|hoogte|wysoko|v(?:ý|y)[sš]k|высот|標高|高程|海拔|高$|높이|표고|\bdepth|\btiefe\b|profond|(?:\b|_)(?:hae|msl|nhn|nn|h_?ell\w*|h_?orth\w*)(?:\b|_)/i
/** Heights of an instrument, differences of heights, their errors, and distances. */
const OTHER =
  /antenna|instr|rod|pole|target|tilt|stick|rms|std|sd\b|sigma|acc(?=ur|_|\b)|precis|err|separation|undul|geoid|diff|delta|offset|unit|datum|operation|(?:\b|_)dist/i

/** Two measurements of a height differ by less, in metres. */
const SAME_METRES = 0.2

/**
 * The notice for heights that are not read: in a file without others, numbers under a header that seems to name some;
 * otherwise columns of the same word whose heights differ, such as `Z (design)` and `Z (measured)`.
 */
export function unreadHeights(
  columns: Columns,
  header: readonly string[],
  rows: readonly string[][],
  decimal: Decimal,
): { code: WarningCode; message: string }[] {
  for (const heights of [columns.h, columns.altitude, columns.z]) {
    const [first, ...others] = heights ?? []
    const twin = others.find(
      (other) => other.word === first!.word && apartBy(first!, other, rows, lengthIn(decimal)) > SAME_METRES,
    )
    if (!twin) continue
    const [used, other] = [first!.name, twin.name].map((name) => `"${truncate(name, 60)}"`)
    const message = `the heights under ${used} were read, those under ${other} differ and were not: to read these, import with header= and another word in place of the first`
    return [{ code: 'HEIGHTS_NOT_READ', message }]
  }
  const beside = unreadBeside(columns, rows, decimal)
  if (beside) return [beside]
  const read = columns.h ?? columns.altitude ?? columns.z
  const inner = innerUnits(header).find(
    ({ column }) => apartBy(read?.[0] ?? column, column, rows, lengthIn(decimal)) > SAME_METRES,
  )
  if (read && inner) {
    const [used, other] = [read[0]!.name, inner.column.name].map((name) => `"${truncate(name, 60)}"`)
    const message = `the heights under ${used} were read, those under ${other} were not: to read these, import with header= and another word in place of the first`
    return [{ code: 'HEIGHTS_NOT_READ', message }]
  }
  if (read) return []
  const taken = new Set(Object.values(columns).flatMap((list) => list.map(({ index }) => index)))
  const found = header.findIndex((name, index) => {
    if (taken.has(index) || name.length > 60 || OTHER.test(name)) return false
    if (!HEIGHT.test(name) && !isBesideWords(name)) return false
    const cells = rows.map((fields) => fields[index]?.trim() ?? '').filter((cell) => cell !== '')
    return cells.length > 0 && cells.every(looksLikeNumber)
  })
  if (found < 0) return []
  const message = `no column was read as heights, although "${truncate(header[found]!.trim(), 60)}" seems to have some: import with header= and h (above the ellipsoid), altitude (above the sea) or z (of unknown datum) in its place${/depth|tiefe|profond/i.test(header[found]!) ? ', with a minus sign for depths, or with heightDatum= and a datum of depths' : ''}`
  return [{ code: 'HEIGHTS_NOT_READ', message }]
}

/** `Z_m_Kronstadt`, `H Kronsztadt 86`: a word for heights before others, which may be a unit or a datum. */
function isBesideWords(name: string): boolean {
  const [word, ...rest] = name.trim().split(/[\s_.-]+/)
  const { h, altitude, z } = columnsOf([word ?? ''])
  if (!(h ?? altitude ?? z)) return false
  return rest.length > 0
}

/** The notice for a plain height that differs from those whose reference is known, beside which it is not read. */
function unreadBeside(columns: Columns, rows: readonly string[][], decimal: Decimal) {
  const { h, altitude, z } = columns
  // With latitudes and longitudes, Z belongs to the grid coordinates beside them, which are not read either.
  if (columns.latitude && (columns.easting ?? columns.x)) return undefined
  const known = [h?.[0], altitude?.[0]].flatMap((column) => column ?? [])
  const plain = z?.[0]
  if (!plain || known.length === 0 || OTHER.test(plain.name)) return undefined
  if (!known.every((column) => apartBy(column, plain, rows, lengthIn(decimal)) > SAME_METRES)) return undefined
  const used = known.map(({ name }) => `"${truncate(name, 60)}"`).join(' and ')
  const message = `the heights under ${used} were read, those under "${truncate(plain.name, 60)}" differ and were not: if they are above the sea or the ellipsoid, import with header= and altitude or h in its place`
  return { code: 'HEIGHTS_NOT_READ' as const, message }
}
