import { type Bounds, damaged } from '../../processing/inspection.ts'

/** The header of a LAS file (ASPRS LAS 1.4 R15 §2.4), and the reference system of its records. */
export type LasHeader = {
  isCompressed: boolean
  /** Offset, number and size of the points. */
  offset: number
  count: number
  stride: number
  /** Offset of red, green and blue in a point; undefined if it has none. */
  color: number | undefined
  scale: number[]
  shift: number[]
  bounds: Bounds | null
  /** `EPSG:25832`, or WKT. */
  crs: string | undefined
}

const HEADER_BYTES = 227
const RECORD_HEADER = 54
/** By point format (§2.6). */
const COLORS: Record<number, number> = { 2: 20, 3: 28, 5: 28, 7: 30, 8: 30, 10: 30 }
const MIN_STRIDES = [20, 28, 26, 34, 57, 63, 30, 36, 38, 59, 67]
/** The two highest bits of the format mark compressed points. */
const COMPRESSED = 0xc0

/** @param head the first bytes of the file, including its records or more @throws ScanFault */
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

/** Reads the reference system from the records behind the header (§3): WKT, or GeoTIFF keys. */
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

/** GeoTIFF (OGC 19-008): keys of four numbers each; the value of a code is the last. */
function epsgIn(keys: Buffer): string | undefined {
  const codes = new Map<number, number>()
  for (let at = 8; at + 8 <= keys.length; at += 8)
    if (keys.readUInt16LE(at + 2) === 0) codes.set(keys.readUInt16LE(at), keys.readUInt16LE(at + 6))
  const code = [codes.get(PROJECTED), codes.get(GEOGRAPHIC)].find((value) => value && value < 32767)
  return code === undefined ? undefined : `EPSG:${code}`
}
