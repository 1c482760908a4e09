import { constants, gunzipSync } from 'node:zlib'

const HEADER = 16

/** The number of splats that an SPZ file declares; undefined if it is not SPZ. Up to version 3 the header is compressed. Source: nianticlabs/spz, load-spz.cc. */
export function spzPoints(head: Buffer): number | undefined {
  const plain = head.readUInt16BE(0) === 0x1f8b ? unpacked(head) : head
  return plain && plain.length >= HEADER && plain.toString('latin1', 0, 4) === 'NGSP'
    ? plain.readUInt32LE(8)
    : undefined
}

/** The first unpacked bytes of a gzip file. */
function unpacked(head: Buffer): Buffer | undefined {
  try {
    return gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 8 * 2 ** 20 })
  } catch {
    return undefined
  }
}
