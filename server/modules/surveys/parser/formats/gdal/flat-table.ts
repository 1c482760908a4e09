/** Fields of tables in a FlatBuffer (https://flatbuffers.dev/internals): each by its number in the schema. */
export function flatTable(bytes: DataView, at: number) {
  const vtable = at - bytes.getInt32(at, true)
  const size = bytes.getUint16(vtable, true)
  /** Where a field stands; undefined where it is left out. */
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
    /** A list of tables, of texts, of numbers: where its first element stands, and how many there are. */
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
