import { type Bounds, damaged } from '../../processing/inspection.ts'

/** What the header of a LAS file says (ASPRS LAS 1.4 R15 §2.4), and the reference system that its records name. */
export type LasHeader = {
  isCompressed: boolean
  /** Where the points begin, how many there are, and bytes of each. */
  offset: number
  count: number
  stride: number
  /** Where in a point its red, green and blue stand; undefined when it has none. */
  color: number | undefined
  scale: number[]
  shift: number[]
  bounds: Bounds | null
  /** `EPSG:25832`, or a text in WKT. */
  crs: string | undefined
}

const HEADER_BYTES = 227
const RECORD_HEADER = 54
/** By the format of points (§2.6). */
const COLORS: Record<number, number> = { 2: 20, 3: 28, 5: 28, 7: 30, 8: 30, 10: 30 }
const MIN_STRIDES = [20, 28, 26, 34, 57, 63, 30, 36, 38, 59, 67]
/** Programs that compress mark the format with its two highest bits. */
const COMPRESSED = 0xc0

/** @param head the first bytes of the file, as many as are there or more than its records take @throws ScanFault */
export function readLasHeader(head: Buffer): LasHeader {
  if (head.length < HEADER_BYTES) throw damaged('The LAS file is cut off in its header.')
  const double = (at: number) => head.readDoubleLE(at)
  const minor = head.readUInt8(25)
  const headerSize = head.readUInt16LE(94)
  const format = head.readUInt8(104) & ~COMPRESSED
  const stride = head.readUInt16LE(105)
  const isLong = minor >= 4 && headerSize >= 375 && head.length >= 375
  const count = isLong ? Number(head.readBigUInt64LE(247)) : head.readUInt32LE(107)
  if (stride < (MIN_STRIDES[format] ?? Infinity))
    throw damaged('The LAS file has points of a format that is not known.')
  const bounds: Bounds = {
    min: [double(187), double(203), double(219)],
    max: [double(179), double(195), double(211)],
  }
  const isBox = bounds.min.every((value, axis) => Number.isFinite(value) && value <= bounds.max[axis]!)
  return {
    isCompressed: (head.readUInt8(104) & COMPRESSED) !== 0,
    offset: head.readUInt32LE(96),
    count,
    stride,
    color: COLORS[format],
    scale: [131, 139, 147].map(double),
    shift: [155, 163, 171].map(double),
    bounds: isBox && bounds.max.every(Number.isFinite) && count > 0 ? bounds : null,
    crs: crsIn(head, headerSize, head.readUInt32LE(100)),
  }
}

/** Of the records behind the header, those of the reference system (§3): a text in WKT, or the keys of a GeoTIFF. */
function crsIn(head: Buffer, headerSize: number, records: number): string | undefined {
  let at = headerSize
  let code: string | undefined
  for (let i = 0; i < records && at + RECORD_HEADER <= head.length; i++) {
    const user = head.toString('latin1', at + 2, at + 18).replace(/\0.*$/s, '')
    const [id, length] = [head.readUInt16LE(at + 18), head.readUInt16LE(at + 20)]
    const body = head.subarray(at + RECORD_HEADER, at + RECORD_HEADER + length)
    at += RECORD_HEADER + length
    if (user !== 'LASF_Projection') continue
    if (id === 2112) return body.toString('utf8').replace(/\0.*$/s, '')
    if (id === 34735) code = epsgIn(body)
  }
  return code
}

const PROJECTED = 3072
const GEOGRAPHIC = 2048

/** GeoTIFF (OGC 19-008): keys of four numbers each, the value of a code in the last. */
function epsgIn(keys: Buffer): string | undefined {
  const codes = new Map<number, number>()
  for (let at = 8; at + 8 <= keys.length; at += 8)
    if (keys.readUInt16LE(at + 2) === 0) codes.set(keys.readUInt16LE(at), keys.readUInt16LE(at + 6))
  const code = [codes.get(PROJECTED), codes.get(GEOGRAPHIC)].find((value) => value && value < 32767)
  return code === undefined ? undefined : `EPSG:${code}`
}
