import type { WarningCode } from '../../errors.ts'
import { oneOf } from '../../one-of.ts'
import { nothing } from '../../rows/row.ts'
import { type Decimal, readLength } from '../../rows/values/numbers.ts'
import { truncate } from '../../truncate.ts'
import { type Column, type Columns, columnsOf } from '../columns.ts'
import { innerUnits } from './inner-units.ts'
import { apartBy, lengthIn } from './twins.ts'

const HEIGHT =
  /height|hgt|h(?:ö|oe)he|elev|altit|hauteur|altura|altezza|hoogte|maaiveld|wysoko|rz[eę]dn|v(?:ý|y)[sš]k|высот|отметк|標高|高程|海拔|高$|높이|표고|profond|(?:\b|_)(?:alt|relalt|absalt|level|cota|quota|cote|kote|sohle|deckel|invert|soffit|crest|depth|tiefe|hae|a?msl|nhn|nn|ok|[gdu]ok|uk|h_?ell\w*|h_?orth\w*)(?:\b|_)/i
/** Heights of an instrument, differences of heights, their errors, and distances. */
const OTHER =
  /antenna|instr|rod|pole|target|tilt|stick|rms|std|sd\b|sigma|acc(?=ur|_|\b)|precis|err|residual|separation|undul|geoid|diff|delta|offset|unit|datum|operation|(?:\b|_)dist/i

/** Words for heights above the sea that some programs also use for heights above the ellipsoid. */
const PLAIN = /^(?:alt|altitude|altitud|altitudine|el|ele|elev|elv|elevation|elevacion|elevacao)$/

const isSameKind = (one: Column, other: Column): boolean =>
  one.word === other.word || (PLAIN.test(one.word ?? '') && PLAIN.test(other.word ?? '') && !OTHER.test(other.name))

/** Two measurements of a height differ by less, in metres. */
const SAME_METRES = 0.2

/**
 * The notice for heights that are not read: in a file without others, numbers under a header that seems to name some,
 * or in a table numbers with decimals under any unknown header; otherwise columns of
 * the same kind whose heights differ, such as `Z (design)` and `Z (measured)`, or `Elevation` and `Altitude`.
 */
export function unreadHeights(
  columns: Columns,
  header: readonly string[],
  rows: readonly string[][],
  decimal: Decimal,
  isTable: boolean,
): { code: WarningCode; message: string }[] {
  for (const heights of [columns.h, columns.altitude, columns.z]) {
    const [first, ...others] = heights ?? []
    const twin = others.find(
      (other) => isSameKind(first!, other) && apartBy(first!, other, rows, lengthIn(decimal)) > SAME_METRES,
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
  if (read || hasThirdCoordinate(columns, rows)) return []
  const taken = new Set(Object.values(columns).flatMap((list) => list.map(({ index }) => index)))
  const unread = header.flatMap((cell, index) => {
    const name = cell.trim()
    if (taken.has(index) || name === '' || name.length > 60 || OTHER.test(name)) return []
    const cells = rows.map((fields) => fields[index]?.trim() ?? '').filter((text) => !nothing.test(text))
    const numbers = cells.filter((text) => readLength(text, decimal))
    return numbers.length * 2 > cells.length ? [{ name, numbers }] : []
  })
  const named = unread.filter(({ name }) => HEIGHT.test(name) || isBesideWords(name))
  const possible = isTable ? unread.filter(({ name, numbers }) => !NO_HEIGHT.test(name) && areDecimals(numbers)) : []
  const [first] = named
  if (!first && possible.length === 0) return []
  const rename = isTable ? 'import with header= and' : 'rename the field to'
  const words = `${rename} h (above the ellipsoid), altitude (above the sea) or z (of unknown datum)${isTable ? ' in its place' : ''}`
  const message = first
    ? `no column was read as heights, although ${shown(named)} seems to have some: ${words}${/depth|tiefe|profond/i.test(first.name) ? ', with a minus sign for depths, or with heightDatum= and a datum of depths' : ''}`
    : `no column was read as heights: if ${shown(possible)} has heights, ${words}`
  return [{ code: 'HEIGHTS_NOT_READ', message }]
}

/** Whether positions in one cell have a height: `POINT Z (13.4 52.5 34)`. */
export const hasThirdCoordinate = ({ position }: Columns, rows: readonly string[][]): boolean =>
  position !== undefined &&
  rows.some((fields) => /POINT ?(?:Z|\(\s*\S+\s+\S+\s+\S)/i.test(fields[position[0]!.index] ?? ''))

/** Numbers that are no heights, by their header. */
const NO_HEIGHT =
  /dop\b|speed|velocity|course|heading|bearing|azim|angle|yaw|pitch|roll|length|area|fläche|diam|radius|width|time|date|age\b|sat|temp|press|weight|scale|factor|ratio|converg|volum|(?:^|[^a-z])(?:no|nr|id|pk|km)\b|chain|station|\d\s*$|lat|lon|east|north|^\W*[xyenbl]\W*$/i
const MAX_SHOWN = 3

/** Whether most numbers have decimals and at most four figures before them, as heights and few others have. */
const areDecimals = (numbers: readonly string[]): boolean =>
  numbers.filter((text) => /^[+−-]?\d{1,4}[.,]\d{1,4}(?:\D|$)/.test(text)).length * 2 > numbers.length

const shown = (columns: readonly { name: string }[]): string =>
  oneOf(
    columns.map(({ name }) => `"${truncate(name, 60)}"`),
    MAX_SHOWN,
  )

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
