import { SurveyFileError } from '../../errors.ts'
import { readAngle } from '../../rows/values/angles.ts'
import { type Decimal, readLength } from '../../rows/values/numbers.ts'
import { truncate } from '../../truncate.ts'
import type { Column, Role } from '../columns.ts'
import { headerLine, type Layout, type LayoutContext } from '../layout.ts'

/** Differences of two measurements of a place from which on a notice names them, or the file is refused. */
const LIMITS = { grid: { notice: 0.02, refusal: 1 }, geodetic: { notice: 2e-7, refusal: 1e-5 } }
/** Decimals are not exact in binary. */
const ALMOST = 0.9999

type Read = (cell: string, column: Column) => number | undefined
type Twin = { role: Role; first: Column; other: Column; apart: number }

/** Reads lengths in metres. @param unit of a column without one */
export const lengthIn =
  (decimal: Decimal, unit = 1): Read =>
  (cell, column) => {
    const usual = column.unit ?? unit
    const read = readLength(cell, decimal, usual)
    return read && read.value * (read.unit ?? usual) * (column.isReversed ? -1 : 1)
  }

/** The largest difference of two columns in a row. */
export const apartBy = (first: Column, other: Column, rows: readonly string[][], read: Read): number =>
  rows.reduce((most, fields) => {
    const [one, two] = [first, other].map((column) => read(fields[column.index] ?? '', column))
    return one === undefined || two === undefined ? most : Math.max(most, Math.abs(one - two))
  }, 0)

/**
 * Compares the columns of a coordinate. Columns of one word, such as `Easting (design)` and `Easting (measured)`, that
 * differ by a metre refuse the file: a guess would put its points in the wrong place. Smaller differences, and those of
 * columns of different words, such as `lat` and `latitude`, have a notice.
 * @throws SurveyFileError AMBIGUOUS_COLUMNS with the header lines to choose from
 */
export function checkTwins(
  { kind, columns, decimal, crs }: Layout,
  rows: readonly string[][],
  header: readonly string[],
  { delimiter, table }: LayoutContext,
): Layout['notices'] {
  if (kind !== 'grid' && kind !== 'geodetic') return []
  const roles: Role[] = kind === 'grid' ? ['easting', 'northing'] : ['longitude', 'latitude']
  const read: Read = kind === 'grid' ? lengthIn(decimal, crs?.unit) : (cell) => readAngle(cell, decimal)?.degrees
  const { notice, refusal } = LIMITS[kind]
  const nameOf = (system: string | undefined) => {
    const found = system === undefined ? undefined : table.find(system)
    return typeof found === 'object' ? found.name : system
  }
  // Columns of another system have other values; those read must be of the system that is used.
  const isOther = (first: Column, { system }: Column) =>
    system !== undefined && first.system !== undefined && system !== first.system && nameOf(first.system) === crs?.name
  const twins = roles.flatMap((role) => {
    const [first, ...others] = columns[role]!
    return others
      .filter((other) => !isOther(first!, other))
      .map((other): Twin => ({ role, first: first!, other, apart: apartBy(first!, other, rows, read) }))
  })
  const words = header.map((cell) => truncate(cell.trim(), 60))
  const without = (left: readonly Column[]) =>
    headerLine(
      words.map((word, index) => (left.some((column) => column.index === index) ? 'unused' : word)),
      delimiter,
    )
  const refused = twins.filter(({ first, other, apart }) => first.word === other.word && apart > refusal * ALMOST)
  if (refused.length > 0) throw differing(refused, without)
  const noticed = twins.filter(({ apart }) => apart > notice * ALMOST)
  if (noticed.length === 0) return []
  const [{ role, first, other }] = noticed as [Twin]
  const most = Math.max(...noticed.map(({ apart }) => apart))
  const size = kind === 'grid' ? `${most.toFixed(2)} m` : `${most.toFixed(7)}°`
  const line = without(noticed.map((twin) => twin.first))
  const message = `${named(first)} and ${named(other)} are both the ${role}, and the first was read, although they differ by up to ${size}: to read the other, import with header= and the line ${line}`
  return [{ code: 'COLUMNS_ASSUMED', message }]
}

const named = ({ name }: Column) => `"${truncate(name, 60)}"`

function differing(twins: readonly Twin[], without: (left: readonly Column[]) => string) {
  const { role, first, other } = twins[0]!
  const lines = [twins.map((twin) => twin.other), twins.map((twin) => twin.first)].map(without)
  return new SurveyFileError(
    'AMBIGUOUS_COLUMNS',
    `${first.name} and ${other.name} are both the ${role}, and their values differ: import with header= and the line ${lines.join(' or ')}`,
  )
}
