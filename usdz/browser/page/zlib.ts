import { Inflate } from 'fflate'
import { joined } from '../../bytes.ts'

/** The functions of `node:zlib` that the converter uses. */

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

/** CRC-32 (ISO 3309), which goes on from that of bytes before. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let crc = ~before
  for (let at = 0; at < bytes.length; at++) crc = table[(crc ^ bytes[at]!) & 255]! ^ (crc >>> 8)
  return ~crc >>> 0
}

/** @throws Error when the data is damaged, or longer than `maxOutputLength`. */
export function inflateRawSync(data: Uint8Array, { maxOutputLength }: { maxOutputLength: number }): Uint8Array {
  const parts: Uint8Array[] = []
  let length = 0
  let isWhole = false
  const inflate = new Inflate((part, isLast) => {
    length += part.length
    if (length > maxOutputLength) throw new RangeError(`The data has more than ${maxOutputLength} bytes.`)
    parts.push(part)
    isWhole = isLast
  })
  // Small pieces, so that a large result ends at its limit.
  const piece = 65_536
  for (let at = 0; at < data.length; at += piece) inflate.push(data.subarray(at, at + piece), at + piece >= data.length)
  if (!isWhole) throw new Error('The data is cut off.')
  return joined(parts)
}
