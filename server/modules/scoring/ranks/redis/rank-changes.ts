import type { BoardChange } from '../rank-provider.ts'
import { CHANGE_BYTES } from './rank-scripts.ts'

/** Changes per call: Redis is blocked for some milliseconds. */
const CHANGES_AT_ONCE = 1_000

/** Encodes changes of one board for its script. */
export function packChanges(changes: BoardChange[]): Buffer[] {
  const parts: Buffer[] = []
  for (let at = 0; at < changes.length; at += CHANGES_AT_ONCE) parts.push(pack(changes.slice(at, at + CHANGES_AT_ONCE)))
  return parts
}

function pack(changes: BoardChange[]): Buffer {
  const packed = Buffer.alloc(changes.length * CHANGE_BYTES)
  changes.forEach(({ playerId, version, xid, to }, i) => {
    const at = i * CHANGE_BYTES
    packed.write(playerId.replaceAll('-', ''), at, 'hex')
    packed.writeDoubleBE(version, at + 16)
    packed.writeDoubleBE(xid, at + 24)
    packed.writeDoubleBE((to ?? 0) + 0, at + 32)
    packed.writeUInt8(Number(to !== null), at + 40)
  })
  return packed
}
