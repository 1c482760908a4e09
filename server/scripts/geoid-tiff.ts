import { deflateSync } from 'node:zlib'

/** Heights of a geoid above the ellipsoid in metres, row by row from the north, from west to east. Degrees. */
export type GeoidGrid = {
  west: number
  north: number
  step: number
  columns: number
  rows: number
  metres: ArrayLike<number>
}

/** Metres to one of the whole numbers that are written; the geoid lies between -107 m and 86 m. */
const SCALE = 0.004
const ROWS_PER_STRIP = 16

const SHORT = 3
const LONG = 4
const DOUBLE = 12
const ASCII = 2
const sizes: Record<number, number> = { [ASCII]: 1, [SHORT]: 2, [LONG]: 4, [DOUBLE]: 8 }

type Tag = { tag: number; type: number; values: readonly number[] }

/**
 * A geoid as a GeoTIFF that PROJ reads, to within 2 mm: 16-bit whole numbers with a scale, compressed, as PROJ's own
 * grids are laid out (https://proj.org/en/stable/specifications/geodetictiffgrids.html).
 */
export function geoidTiff(grid: GeoidGrid): Buffer {
  const strips = stripsOf(grid)
  const metadata = `<GDALMetadata><Item name="TYPE">VERTICAL_OFFSET_GEOGRAPHIC_TO_VERTICAL</Item><Item name="DESCRIPTION" sample="0" role="description">geoid_undulation</Item><Item name="UNITTYPE" sample="0" role="unittype">metre</Item><Item name="OFFSET" sample="0" role="offset">0</Item><Item name="SCALE" sample="0" role="scale">${SCALE}</Item></GDALMetadata>\0`
  const counts = strips.map(({ length }) => length)
  const tags = (offsets: number[]): Tag[] => [
    { tag: 256, type: LONG, values: [grid.columns] },
    { tag: 257, type: LONG, values: [grid.rows] },
    { tag: 258, type: SHORT, values: [16] },
    // Deflate
    { tag: 259, type: SHORT, values: [8] },
    { tag: 262, type: SHORT, values: [1] },
    { tag: 273, type: LONG, values: offsets },
    { tag: 277, type: SHORT, values: [1] },
    { tag: 278, type: LONG, values: [ROWS_PER_STRIP] },
    { tag: 279, type: LONG, values: counts },
    // Horizontal differences of signed numbers
    { tag: 317, type: SHORT, values: [2] },
    { tag: 339, type: SHORT, values: [2] },
    // ModelPixelScale and ModelTiepoint
    { tag: 33550, type: DOUBLE, values: [grid.step, grid.step, 0] },
    { tag: 33922, type: DOUBLE, values: [0, 0, 0, grid.west, grid.north, 0] },
    // GeoKeyDirectory: geographic, values at points, EPSG:4326
    { tag: 34735, type: SHORT, values: [1, 1, 0, 3, 1024, 0, 1, 2, 1025, 0, 1, 2, 2048, 0, 1, 4326] },
    { tag: 42112, type: ASCII, values: [...Buffer.from(metadata)] },
  ]
  const length = directoryLength(tags(counts))
  const offsets: number[] = []
  let at = length
  for (const count of counts) {
    offsets.push(at)
    at += count
  }
  return Buffer.concat([directory(tags(offsets), length), ...strips])
}

function stripsOf({ columns, rows, metres }: GeoidGrid): Buffer[] {
  const strips: Buffer[] = []
  for (let first = 0; first < rows; first += ROWS_PER_STRIP) {
    const count = Math.min(ROWS_PER_STRIP, rows - first)
    const bytes = Buffer.alloc(count * columns * 2)
    for (let row = 0; row < count; row++) {
      let before = 0
      for (let column = 0; column < columns; column++) {
        const value = Math.round(metres[(first + row) * columns + column]! / SCALE)
        bytes.writeUInt16LE((value - before) & 0xffff, 2 * (row * columns + column))
        before = value
      }
    }
    strips.push(deflateSync(bytes, { level: 9 }))
  }
  return strips
}

const HEAD = 8
const bytesOf = ({ type, values }: Tag): number => values.length * sizes[type]!
const isInline = (tag: Tag): boolean => bytesOf(tag) <= 4
const even = (length: number): number => length + (length % 2)

const directoryLength = (tags: Tag[]): number =>
  HEAD + 2 + 12 * tags.length + 4 + tags.reduce((sum, tag) => sum + (isInline(tag) ? 0 : even(bytesOf(tag))), 0)

function directory(tags: Tag[], length: number): Buffer {
  const bytes = Buffer.alloc(length)
  bytes.write('II*\0', 'latin1')
  bytes.writeUInt32LE(HEAD, 4)
  bytes.writeUInt16LE(tags.length, HEAD)
  let outside = HEAD + 2 + 12 * tags.length + 4
  tags.forEach((tag, index) => {
    const at = HEAD + 2 + 12 * index
    bytes.writeUInt16LE(tag.tag, at)
    bytes.writeUInt16LE(tag.type, at + 2)
    bytes.writeUInt32LE(tag.values.length, at + 4)
    writeValues(bytes, tag, isInline(tag) ? at + 8 : outside)
    if (isInline(tag)) return
    bytes.writeUInt32LE(outside, at + 8)
    outside += even(bytesOf(tag))
  })
  return bytes
}

function writeValues(bytes: Buffer, { type, values }: Tag, at: number): void {
  values.forEach((value, index) => {
    if (type === ASCII) bytes.writeUInt8(value, at + index)
    else if (type === SHORT) bytes.writeUInt16LE(value, at + 2 * index)
    else if (type === LONG) bytes.writeUInt32LE(value, at + 4 * index)
    else bytes.writeDoubleLE(value, at + 8 * index)
  })
}
