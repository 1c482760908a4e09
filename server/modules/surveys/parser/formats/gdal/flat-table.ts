/** Reads the fields of a FlatBuffer table (https://flatbuffers.dev/internals) by their number in the schema. */
export function flatTable(bytes: DataView, at: number) {
  const vtable = at - bytes.getInt32(at, true)
  const size = bytes.getUint16(vtable, true)
  /** Offset of a field; undefined if it is omitted. */
  const place = (field: number): number | undefined => {
    const slot = 4 + field * 2
    const offset = slot < size ? bytes.getUint16(vtable + slot, true) : 0
    return offset === 0 ? undefined : at + offset
  }
  const followed = (field: number): number | undefined => {
    const found = place(field)
    return found === undefined ? undefined : found + bytes.getUint32(found, true)
  }
  return {
    byte(field: number): number {
      const found = place(field)
      return found === undefined ? 0 : bytes.getUint8(found)
    },
    table(field: number): FlatTable | undefined {
      const found = followed(field)
      return found === undefined ? undefined : flatTable(bytes, found)
    },
    /** A vector: the offset of its first element, and its length. */
    list(field: number): { at: number; length: number } {
      const found = followed(field)
      return found === undefined ? { at: 0, length: 0 } : { at: found + 4, length: bytes.getUint32(found, true) }
    },
  }
}

export type FlatTable = {
  byte: (field: number) => number
  table: (field: number) => FlatTable | undefined
  list: (field: number) => { at: number; length: number }
}
