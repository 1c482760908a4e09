import { crc32, deflateSync } from 'node:zlib'

/** Signature and IHDR (PNG, W3C Recommendation, §5, §11.2): other chunks may follow. */
const PNG_START = 8 + 12 + 13

/** The parts of a PNG without a colour profile, with one added. */
export const withProfile = (png: Uint8Array, icc: Uint8Array): Uint8Array[] => [
  png.subarray(0, PNG_START),
  profileChunk(icc),
  png.subarray(PNG_START),
]

/** An iCCP chunk (§11.3.2.3). */
function profileChunk(icc: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from('iCCPprofile\0\0', 'latin1'), deflateSync(icc)])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length - 4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
