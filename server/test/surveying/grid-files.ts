/** Small generated grid files, valid and invalid. Extents in whole degrees. */

type Extent = { south: number; north: number; west: number; east: number }

const GERMANY: Extent = { south: 47, north: 55, west: 5, east: 16 }

/**
 * An NTv2 file (`.gsb`) that shifts every position by the same angles. Format: GeoScience Canada, "NTv2 Developer's Guide".
 * @param shift arc seconds to the north and to the east
 */
export function ntv2Grid(shift: { north: number; east: number }, extent = GERMANY): Uint8Array {
  const { south, north, west, east } = extent
  const [rows, columns] = [north - south + 1, east - west + 1]
  const nodes = Buffer.alloc(rows * columns * 16)
  for (let node = 0; node < rows * columns; node++) {
    nodes.writeFloatLE(shift.north, node * 16)
    // Longitudes count to the west.
    nodes.writeFloatLE(-shift.east, node * 16 + 4)
  }
  return Buffer.concat([
    ...(['NUM_OREC', 'NUM_SREC'] as const).map((name) => wholeRecord(name, 11)),
    wholeRecord('NUM_FILE', 1),
    ...texts({ GS_TYPE: 'SECONDS', VERSION: 'NTv2.0', SYSTEM_F: 'DHDN90', SYSTEM_T: 'ETRS89' }),
    realRecord('MAJOR_F', 6377397.155),
    realRecord('MINOR_F', 6356078.963),
    realRecord('MAJOR_T', 6378137),
    realRecord('MINOR_T', 6356752.314),
    ...texts({ SUB_NAME: 'ALL', PARENT: 'NONE', CREATED: '20260101', UPDATED: '20260101' }),
    realRecord('S_LAT', south * 3600),
    realRecord('N_LAT', north * 3600),
    realRecord('E_LONG', -east * 3600),
    realRecord('W_LONG', -west * 3600),
    realRecord('LAT_INC', 3600),
    realRecord('LONG_INC', 3600),
    wholeRecord('GS_COUNT', rows * columns),
    nodes,
    record('END', Buffer.alloc(8)),
  ])
}

const record = (name: string, value: Buffer): Buffer => Buffer.concat([Buffer.from(name.padEnd(8)), value])

const texts = (values: Record<string, string>): Buffer[] =>
  Object.entries(values).map(([name, text]) => record(name, Buffer.from(text.padEnd(8))))

function wholeRecord(name: string, value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeInt32LE(value)
  return record(name, bytes)
}

function realRecord(name: string, value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value)
  return record(name, bytes)
}

/** A vertical grid of NOAA (`.gtx`) with the same height in metres at every node. Format: NOAA, "VDatum GTX". */
export function gtxGrid(height: number, { south, north, west, east } = GERMANY): Uint8Array {
  const [rows, columns] = [north - south + 1, east - west + 1]
  const bytes = Buffer.alloc(40 + rows * columns * 4)
  for (const [i, value] of [south, west, 1, 1].entries()) bytes.writeDoubleBE(value, i * 8)
  bytes.writeInt32BE(rows, 32)
  bytes.writeInt32BE(columns, 36)
  for (let node = 0; node < rows * columns; node++) bytes.writeFloatBE(height, 40 + node * 4)
  return bytes
}

/** TIFF's field types. */
const [ASCII, SHORT, LONG, DOUBLE] = [2, 3, 4, 12] as const

const SAMPLES =
  '<GDALMetadata>' +
  '<Item name="TYPE">HORIZONTAL_OFFSET</Item>' +
  '<Item name="DESCRIPTION" sample="0" role="description">latitude_offset</Item>' +
  '<Item name="DESCRIPTION" sample="1" role="description">longitude_offset</Item>' +
  '<Item name="UNITTYPE" sample="0" role="unittype">arc-second</Item>' +
  '<Item name="UNITTYPE" sample="1" role="unittype">arc-second</Item>' +
  '</GDALMetadata>'

/**
 * A GeoTIFF grid in PROJ's format that shifts every position by the same angles. Format: PROJ, "Geodetic TIFF grids", on
 * Adobe, "TIFF 6.0", and OGC GeoTIFF 1.1.
 * @param shift arc seconds to the north and to the east
 */
export function geoTiffGrid(shift: { north: number; east: number }, extent = GERMANY): Uint8Array {
  const { south, north, west, east } = extent
  const [height, width] = [north - south + 1, east - west + 1]
  const strip = Buffer.alloc(width * height * 8)
  for (let node = 0; node < width * height; node++) {
    strip.writeFloatLE(shift.north, node * 8)
    strip.writeFloatLE(shift.east, node * 8 + 4)
  }
  const fields: [tag: number, type: number, values: number[] | string][] = [
    [256, SHORT, [width]],
    [257, SHORT, [height]],
    [258, SHORT, [32, 32]],
    [259, SHORT, [1]],
    [262, SHORT, [1]],
    [273, LONG, [8]],
    [277, SHORT, [2]],
    [278, SHORT, [height]],
    [279, LONG, [strip.length]],
    [284, SHORT, [1]],
    [338, SHORT, [0]],
    [339, SHORT, [3, 3]],
    [33550, DOUBLE, [1, 1, 0]],
    [33922, DOUBLE, [0, 0, 0, west, north, 0]],
    // Geographic, nodes are points, WGS 84.
    [34735, SHORT, [1, 1, 0, 3, 1024, 0, 1, 2, 1025, 0, 1, 2, 2048, 0, 1, 4326]],
    [42112, ASCII, `${SAMPLES}\0`],
  ]
  const start = 8 + strip.length
  const values = fields.map(([, type, value]) => bytesOf(type, value))
  let behind = start + 2 + fields.length * 12 + 4
  const entries = fields.map(([tag, type], i) => {
    const [bytes, entry] = [values[i]!, Buffer.alloc(12)]
    entry.writeUInt16LE(tag, 0)
    entry.writeUInt16LE(type, 2)
    entry.writeUInt32LE(bytes.length / { [ASCII]: 1, [SHORT]: 2, [LONG]: 4, [DOUBLE]: 8 }[type]!, 4)
    if (bytes.length <= 4) bytes.copy(entry, 8)
    else {
      entry.writeUInt32LE(behind, 8)
      behind += bytes.length
    }
    return entry
  })
  const [head, count] = [Buffer.from('II*\0\0\0\0\0', 'latin1'), Buffer.alloc(2)]
  head.writeUInt32LE(start, 4)
  count.writeUInt16LE(fields.length)
  return Buffer.concat([head, strip, count, ...entries, Buffer.alloc(4), ...values.filter(({ length }) => length > 4)])
}

function bytesOf(type: number, value: number[] | string): Buffer {
  if (typeof value === 'string') return Buffer.from(value)
  if (type === SHORT) return Buffer.from(Uint16Array.from(value).buffer)
  if (type === LONG) return Buffer.from(Uint32Array.from(value).buffer)
  return Buffer.from(Float64Array.from(value).buffer)
}
