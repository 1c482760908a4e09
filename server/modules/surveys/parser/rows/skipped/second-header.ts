import { foldName } from '../../../../../platform/names.ts'
import { type Columns, columnsOf, coordinateKinds, type Role } from '../../layout/columns.ts'
import type { Layout } from '../../layout/layout.ts'

const HEIGHTS: Role[] = ['h', 'altitude', 'z']
/** Words for the same axis. */
const AXES: Role[][] = [['latitude', 'northing', 'y'], ['longitude', 'easting', 'x'], ['position'], HEIGHTS]
const WORDS: Role[][] = [...AXES.slice(0, 3).flatMap((roles) => roles.map((role) => [role])), HEIGHTS]

/** The places of columns, as one text. */
const placesOf = (columns: Columns, axes: readonly Role[][]): string =>
  axes
    .map((roles) => {
      const places = new Set(roles.flatMap((role) => columns[role]?.map(({ index }) => index) ?? []))
      return [...places].sort((a, b) => a - b).join(' ')
    })
    .join()

/**
 * Whether a failed row is a second header line: the rows below `another` have their columns at other places than the
 * first header says. A row with a word that no header has is a remark.
 * @param headers that of the file and that of the request
 */
export function secondHeader(
  fields: readonly string[],
  layout: Layout,
  headers: readonly (readonly string[])[],
): 'same' | 'another' | undefined {
  const filled = fields.flatMap((field, i) => (field.trim() === '' ? [] : [i]))
  if (filled.length < Math.min(3, fields.length) || filled.length < 2) return undefined
  // The figures of a code in brackets are no row.
  if (fields.some((field) => /\d{2}/.test(field.slice(0, 80).replace(/[([][^()[\]]*[)\]]/g, '')))) return undefined
  const columns = columnsOf(fields)
  if (coordinateKinds(columns).length === 0) return undefined
  const known = new Set(Object.values(columns).flatMap((all) => all.map(({ index }) => index)))
  const own = new Set(headers.flat().map(foldName))
  if (!filled.every((i) => known.has(i) || own.has(foldName(fields[i]!)))) return undefined
  return isSame(columns, layout.columns, headers.map(columnsOf)) ? 'same' : 'another'
}

/** Whether columns are at the places of a header of the file, in its words, or at those that were read. */
function isSame(columns: Columns, read: Columns, headers: readonly Columns[]): boolean {
  const has = (all: readonly Columns[], axes: readonly Role[][]) =>
    all.some((other) => placesOf(other, axes) === placesOf(columns, axes))
  if (!has([read, ...headers], [['title']])) return false
  if (has(headers, WORDS)) return true
  const { x, y, ...named } = read
  const isPlain = [...(named.easting ?? []), ...(named.longitude ?? [])].some(({ index }) =>
    [x, y].some((all) => all?.[0]?.index === index),
  )
  // X is the same axis in all headers of a file, whichever it is.
  if (isPlain && columns.x && columns.y) return false
  return has([isPlain ? named : read], AXES)
}
