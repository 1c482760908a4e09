/** Points one after the other in a buffer, as PostgreSQL packs them: id, latitude, longitude. */
export type PackedPoints = {
  count: number
  /** The id of the last one, for the next page; undefined if there is none. */
  lastId: string | undefined
  /** Calls `each` with every point: a number for an id that is one. */
  forEach(each: (id: number | string, latitude: number, longitude: number) => void): void
}

/** Bytes of an id: a number is IEEE 754, as a degree is, and exact below 2^53. */
const ID_BYTES = { bigint: 8, uuid: 16 }

/** The points in a buffer. All numbers are big-endian, as the functions of PostgreSQL that end in `send` write them. */
export function unpacked(bytes: Buffer, type: 'bigint' | 'uuid'): PackedPoints {
  const idBytes = ID_BYTES[type]
  const size = idBytes + 16
  const count = bytes.length / size
  const idAt = (at: number) =>
    type === 'bigint' ? bytes.readDoubleBE(at) : uuidOf(bytes.toString('hex', at, at + idBytes))
  return {
    count,
    lastId: count === 0 ? undefined : String(idAt(bytes.length - size)),
    forEach(each) {
      for (let at = 0; at < bytes.length; at += size)
        each(idAt(at), bytes.readDoubleBE(at + idBytes), bytes.readDoubleBE(at + idBytes + 8))
    },
  }
}

const uuidOf = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
