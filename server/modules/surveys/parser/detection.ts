import { type Delimiter, isSpaces } from './formats/delimited/delimiter.ts'
import type { Column, Role } from './layout/columns.ts'
import type { Layout } from './layout/layout.ts'
import type { Decimal } from './rows/values/numbers.ts'
import type { SurveyRecord, SurveyTable } from './table.ts'
import type { UsedHeights, UsedTransformation } from './transformation-counts.ts'
import { truncate } from './truncate.ts'

/** The detected structure of a file. If it is unknown, `columns` is empty and no field has a role. */
export type Detected = {
  /** The name of the format, such as `csv` or `gpx`. */
  format: string
  /** Null for a format without delimiters. */
  delimiter: Delimiter | null
  /** The encoding of a text format, by its name in the WHATWG Encoding standard; `utf-8-bom` with a byte order mark. */
  encoding: string | null
  /** The layer or sheet that was read, if the format has several. */
  layer: string | null
  /** All of them. */
  layers: string[]
  decimal: Decimal | null
  crs: string | null
  header: boolean
  /** The header name of each role's column, or `column n`. */
  columns: Partial<Record<Role, string>>
  /** All columns in file order; one without a role is unused. */
  fields: { name: string; role: Role | null }[]
  /** The first rows, with truncated cells. */
  cells: string[][]
  /** The operation to WGS84; known after all points were read. */
  transformations: UsedTransformation[]
  /** The height reference and the operation to the ellipsoid; known after all points were read. */
  heights: UsedHeights[]
}

const ROWS = 3
const CHARACTERS = 60

type Read = { source: SurveyTable['source']; first: readonly SurveyRecord[] }

/** @param layout undefined if it cannot be detected @param hasHeader whether the first record is a header */
export function describe({ source, first }: Read, layout: Layout | undefined, hasHeader: boolean): Detected {
  const header = layout?.header ?? hasHeader
  const roles = rolesOf(layout)
  const rows = first.slice(layout?.above ?? (header ? 1 : 0)).slice(0, ROWS)
  const names = header ? first[0]!.fields : (rows[0]?.fields ?? [])
  return {
    ...source,
    delimiter: isSpaces(source.delimiter) ? 'whitespace' : source.delimiter,
    decimal: layout?.decimal ?? null,
    crs: layout?.crs?.name ?? null,
    header,
    columns: Object.fromEntries(Object.entries(layout?.columns ?? {}).map(([role, [column]]) => [role, column!.name])),
    fields: names.map((name, index) => ({
      name: (header && truncate(name.trim(), CHARACTERS)) || `column ${index + 1}`,
      role: roles.get(index) ?? null,
    })),
    transformations: [],
    heights: [],
    cells: rows.map(({ fields }) => fields.slice(0, names.length).map((cell) => truncate(cell.trim(), CHARACTERS))),
  }
}

/** The role of each column, by index. Plain x and y have the role they were read as. */
function rolesOf(layout: Layout | undefined): Map<number, Role> {
  const all = Object.entries(layout?.columns ?? {}) as [Role, Column[]][]
  const plain = all.filter(([role]) => role === 'x' || role === 'y')
  const read = all.filter(([role]) => role !== 'x' && role !== 'y')
  // Further titles only stand in for an empty one.
  const shown = (role: Role, columns: Column[]) => (role === 'title' ? columns.slice(0, 1) : columns)
  return new Map(
    [...plain, ...read].flatMap(([role, columns]) => shown(role, columns).map(({ index }) => [index, role] as const)),
  )
}
