import type { Delimiter } from './formats/delimited/delimiter.ts'
import type { Encoding } from './formats/delimited/encoding.ts'
import type { Column, Role } from './layout/columns.ts'
import type { Layout } from './layout/layout.ts'
import type { Decimal } from './rows/values/numbers.ts'
import type { SurveyRecord, SurveyTable } from './table.ts'
import type { UsedHeights, UsedTransformation } from './transformation-counts.ts'
import { truncate } from './truncate.ts'

/** What a file was taken for. Of one whose columns tell nothing, `columns` is empty and every field without a role. */
export type Detected = {
  /** The name of the format, such as `csv` or `gpx`. */
  format: string
  /** Null for a format that has none. */
  delimiter: Delimiter | null
  encoding: Encoding | null
  /** The layer or sheet that was read, of a file that may hold several. */
  layer: string | null
  /** All of them. */
  layers: string[]
  decimal: Decimal | null
  crs: string | null
  header: boolean
  /** What each column was taken for, by the header's own words or `column n`. */
  columns: Partial<Record<Role, string>>
  /** Every column in the file's order; without a role it is not used. */
  fields: { name: string; role: Role | null }[]
  /** The first rows as they stand, cells cut short. */
  cells: string[][]
  /** What brought its points to WGS84; known when all were read. */
  transformations: UsedTransformation[]
  /** What its heights are above, and what brought them to the ellipsoid; known when all were read. */
  heights: UsedHeights[]
}

const ROWS = 3
const CHARACTERS = 60

type Read = { source: SurveyTable['source']; first: readonly SurveyRecord[] }

/** @param layout how its rows are read; absent where nothing tells @param hasHeader whether the first record is one, then */
export function describe({ source, first }: Read, layout: Layout | undefined, hasHeader: boolean): Detected {
  const header = layout?.header ?? hasHeader
  const roles = rolesOf(layout)
  const rows = first.slice(layout?.above ?? (header ? 1 : 0)).slice(0, ROWS)
  const names = header ? first[0]!.fields : (rows[0]?.fields ?? [])
  return {
    ...source,
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

/** The role of each column, by its place. Bare x and y are what they were read as. */
function rolesOf(layout: Layout | undefined): Map<number, Role> {
  const all = Object.entries(layout?.columns ?? {}) as [Role, Column[]][]
  const plain = all.filter(([role]) => role === 'x' || role === 'y')
  const read = all.filter(([role]) => role !== 'x' && role !== 'y')
  return new Map([...plain, ...read].flatMap(([role, columns]) => columns.map(({ index }) => [index, role] as const)))
}
