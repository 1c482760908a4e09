import { constants, gunzipSync } from 'node:zlib'

const HEADER = 16

/** How many splats an SPZ file says it has; undefined when it is none. Its header is packed with all the rest up to version 3, plain from version 4 on. Source: nianticlabs/spz, load-spz.cc. */
export function spzPoints(head: Buffer): number | undefined {
  const plain = head.readUInt16BE(0) === 0x1f8b ? unpacked(head) : head
  return plain && plain.length >= HEADER && plain.toString('latin1', 0, 4) === 'NGSP'
    ? plain.readUInt32LE(8)
    : undefined
}

/** What the beginning of a gzip file unpacks to. */
function unpacked(head: Buffer): Buffer | undefined {
  try {
    return gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 8 * 2 ** 20 })
  } catch {
    return undefined
  }
}
