import { binaryArray, type ElementType } from '../../../platform/database/query/binary-arrays.ts'

/**
 * A row as it is written to the tables. Null keeps the value of an existing point; a height and its altitude are
 * replaced together.
 */
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
  /** URLs, as a JSON array. */
  photos: string | null
  latitude: number
  longitude: number
  h: number | null
  /** Yaw, pitch and roll, as JSON. */
  angles: string | null
  /**
   * Position and angles of a new point with a height, as JSON: PostgreSQL parses it in half the time it takes to build
   * it.
   */
  pose: string | null
  /** Accuracies and height reference, as JSON. */
  survey: string | null
}

/** The columns of a row, in this order, with their PostgreSQL types. */
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

/** A batch of rows as it is transferred: the serialized values of each column. */
export type RowColumns = Record<ColumnName, Buffer>

/** The serialized columns of some rows, concatenated in the order of `columnNames`. */
export const writtenColumns = (rows: readonly ImportRow[]): Buffer[] =>
  columnNames.map((name) =>
    binaryArray(
      rowColumns[name],
      rows.map((row) => row[name]),
    ),
  )

/** Splits concatenated columns by their lengths in bytes. */
export function readColumns(bytes: Buffer, lengths: readonly number[]): RowColumns {
  let at = 0
  const columns = columnNames.map((name, i) => {
    const column = bytes.subarray(at, at + lengths[i]!)
    at += lengths[i]!
    return [name, column]
  })
  return Object.fromEntries(columns)
}
