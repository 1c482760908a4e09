/** PostgreSQL's OIDs of the element types used here (pg_type.dat). */
const OIDS = { int2: 21, int4: 23, text: 25, float8: 701 }

export type ElementType = keyof typeof OIDS
type Value = number | string | null

const HEADER = 20
const SIZES = { int2: 2, int4: 4, float8: 8 }

/**
 * Encodes a list as a PostgreSQL array in binary form (array_recv and the recv function of the element type, in
 * src/backend/utils/adt): as a parameter of `pg` it is sent unchanged, which saves both sides the text form. Null, and
 * a number that is not finite, is NULL. A list without any other value becomes an empty array, which unnest beside
 * longer ones fills with NULL.
 */
export function binaryArray(type: ElementType, values: readonly Value[]): Buffer {
  const isEmpty = values.every((value) => value === null)
  if (isEmpty) return header(Buffer.allocUnsafe(12), type, 0)
  return type === 'text' ? texts(values as (string | null)[]) : numbers(type, values as (number | null)[])
}

function header(to: Buffer, type: ElementType, length: number): Buffer {
  to.writeInt32BE(length > 0 ? 1 : 0, 0)
  to.writeInt32BE(length > 0 ? 1 : 0, 4)
  to.writeInt32BE(OIDS[type], 8)
  if (length === 0) return to
  to.writeInt32BE(length, 12)
  to.writeInt32BE(1, 16)
  return to
}

function numbers(type: keyof typeof SIZES, values: readonly (number | null)[]): Buffer {
  const size = SIZES[type]
  const to = header(Buffer.allocUnsafe(HEADER + values.length * (4 + size)), type, values.length)
  let at = HEADER
  for (const value of values) {
    if (value === null || !Number.isFinite(value)) {
      at = to.writeInt32BE(-1, at)
      continue
    }
    at = to.writeInt32BE(size, at)
    // Normalizes −0 to 0.
    if (type === 'float8') at = to.writeDoubleBE(value + 0, at)
    else at = type === 'int4' ? to.writeInt32BE(value, at) : to.writeInt16BE(value, at)
  }
  return to.subarray(0, at)
}

function texts(values: readonly (string | null)[]): Buffer {
  const bytes = values.reduce((sum, value) => sum + 4 + (value === null ? 0 : Buffer.byteLength(value)), HEADER)
  const to = header(Buffer.allocUnsafe(bytes), 'text', values.length)
  let at = HEADER
  for (const value of values) {
    if (value === null) {
      at = to.writeInt32BE(-1, at)
      continue
    }
    const length = to.write(value, at + 4)
    to.writeInt32BE(length, at)
    at += 4 + length
  }
  return to
}
