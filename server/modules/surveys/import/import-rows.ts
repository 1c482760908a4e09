import { binaryArray, type ElementType } from '../../../platform/database/query/binary-arrays.ts'

/** A row of a file as it goes into the tables. Null leaves what an existing point has; a new height without an altitude is both. */
export type ImportRow = {
  row: number
  line: number
  title: string
  key: string
  description: string | null
  gcpType: string | null
  altitude: number | null
  tag: number | null
  data: string | null
  /** Addresses, as a list in JSON. */
  photos: string | null
  latitude: number
  longitude: number
  h: number | null
  /** Yaw, pitch and roll, in JSON. */
  angles: string | null
  /** Position and angles of a new point with a height, in JSON: PostgreSQL reads it in half the time it takes to build it. */
  pose: string | null
  /** Accuracies and what the height is above, in JSON. */
  survey: string | null
}

/** The members of rows as columns, in this order, with the type that PostgreSQL has for each. */
export const rowColumns = {
  row: 'int4',
  line: 'int4',
  title: 'text',
  key: 'text',
  description: 'text',
  gcpType: 'text',
  altitude: 'float8',
  tag: 'int2',
  data: 'text',
  photos: 'text',
  latitude: 'float8',
  longitude: 'float8',
  h: 'float8',
  angles: 'text',
  pose: 'text',
  survey: 'text',
} as const satisfies Record<keyof ImportRow, ElementType>

export type ColumnName = keyof typeof rowColumns
export const columnNames = Object.keys(rowColumns) as ColumnName[]

/** Rows as they travel: a list of each member's values as PostgreSQL takes it, nobody on the way looks into it. */
export type RowColumns = Record<ColumnName, Buffer>

/** The columns of some rows, one behind the other as `columnNames` has them. */
export const writtenColumns = (rows: readonly ImportRow[]): Buffer[] =>
  columnNames.map((name) =>
    binaryArray(
      rowColumns[name],
      rows.map((row) => row[name]),
    ),
  )

/** Columns that lie one behind the other, by their lengths in bytes. */
export function readColumns(bytes: Buffer, lengths: readonly number[]): RowColumns {
  let at = 0
  const columns = columnNames.map((name, i) => {
    const column = bytes.subarray(at, at + lengths[i]!)
    at += lengths[i]!
    return [name, column]
  })
  return Object.fromEntries(columns)
}
