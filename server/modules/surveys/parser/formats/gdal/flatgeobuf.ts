import type { Feature } from '../features/feature.ts'
import { flatTable } from './flat-table.ts'

/** GeometryType of the schema, by number. */
const KINDS =
  'Unknown Point LineString Polygon MultiPoint MultiLineString MultiPolygon GeometryCollection CircularString CompoundCurve CurvePolygon MultiCurve MultiSurface Curve Surface PolyhedralSurface TIN Triangle'.split(
    ' ',
  )

/** ColumnType of the schema, by number: size in bytes, and reader. Texts are preceded by their length. */
const numbers: Record<number, [size: number, read: (bytes: DataView, at: number) => number | bigint | boolean]> = {
  0: [1, (bytes, at) => bytes.getInt8(at)],
  1: [1, (bytes, at) => bytes.getUint8(at)],
  2: [1, (bytes, at) => bytes.getUint8(at) !== 0],
  3: [2, (bytes, at) => bytes.getInt16(at, true)],
  4: [2, (bytes, at) => bytes.getUint16(at, true)],
  5: [4, (bytes, at) => bytes.getInt32(at, true)],
  6: [4, (bytes, at) => bytes.getUint32(at, true)],
  7: [8, (bytes, at) => bytes.getBigInt64(at, true)],
  8: [8, (bytes, at) => bytes.getBigUint64(at, true)],
  9: [4, (bytes, at) => Number(bytes.getFloat32(at, true).toPrecision(7))],
  10: [8, (bytes, at) => bytes.getFloat64(at, true)],
}

const MAGIC = 8

/**
 * Reads the columns and features of a FlatGeobuf file without an index, as GDAL writes it (schema: header.fbs and
 * feature.fbs of https://github.com/flatgeobuf/flatgeobuf). Numbers keep all digits, in the shortest notation.
 */
export function readFeatures(file: Uint8Array): { columns: string[]; features: () => Generator<Feature, void> } {
  const bytes = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const text = (at: number, length: number) => Buffer.from(file.buffer, file.byteOffset + at, length).toString('utf8')
  const root = (at: number) => flatTable(bytes, at + bytes.getUint32(at, true))
  const header = root(MAGIC + 4)
  const { at: first, length } = header.list(7)
  const columns = Array.from({ length }, (_, i) => {
    const entry = first + i * 4
    const column = flatTable(bytes, entry + bytes.getUint32(entry, true))
    const name = column.list(0)
    return { name: text(name.at, name.length), type: column.byte(1) }
  })

  function valuesOf({ at, length }: { at: number; length: number }): Feature['values'] {
    const values: Feature['values'] = new Array(columns.length).fill(undefined)
    for (let place = at; place < at + length; ) {
      const index = bytes.getUint16(place, true)
      const number = numbers[columns[index]!.type]
      const size = number ? number[0] : bytes.getUint32(place + 2, true)
      const start = place + (number ? 2 : 6)
      values[index] = number ? String(number[1](bytes, start)) : text(start, size)
      place = start + size
    }
    return values
  }

  function positionOf(kind: string | undefined, xy: number, parts: number, z: { at: number; length: number }) {
    if ((kind !== 'Point' && kind !== 'MultiPoint') || parts !== 2) return undefined
    const [x, y] = [bytes.getFloat64(xy, true), bytes.getFloat64(xy + 8, true)]
    if (Number.isNaN(x) || Number.isNaN(y)) return undefined
    const height = z.length > 0 ? bytes.getFloat64(z.at, true) : Number.NaN
    return { x, y, z: Number.isNaN(height) ? undefined : height }
  }

  function* features(): Generator<Feature, void> {
    for (let at = MAGIC + 4 + bytes.getUint32(MAGIC, true); at < file.length; at += 4 + bytes.getUint32(at, true)) {
      const feature = root(at + 4)
      const geometry = feature.table(0)
      const kind = geometry && KINDS[geometry.byte(6) || header.byte(2)]
      const xy = geometry?.list(1)
      const position = geometry && xy ? positionOf(kind, xy.at, xy.length, geometry.list(2)) : undefined
      yield { kind, position, values: valuesOf(feature.list(1)) }
    }
  }
  return { columns: columns.map(({ name }) => name), features }
}
