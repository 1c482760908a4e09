/** Marks a value that an archive has in its extended (ZIP64) form, elsewhere. */
export const extended = 0xffffffff
const extendedCount = 0xffff
const extraId = 1
const locatorSignature = 0x07064b50
const endSignature = 0x06064b50

/** Reads a number of eight bytes. @throws Error when no archive in memory can have it. */
function numberAt(view: DataView, at: number): number {
  const number = Number(view.getBigUint64(at, true))
  if (!Number.isSafeInteger(number)) throw new Error('The archive is larger than itself.')
  return number
}

/** The number of files of an archive, and where its directory begins. @param end of the archive: its end record. */
export function directoryOf(view: DataView, end: number): { count: number; start: number; isExtended: boolean } {
  const [count, start] = [view.getUint16(end + 10, true), view.getUint32(end + 16, true)]
  const locator = end - 20
  const isExtended = count === extendedCount || start === extended
  if (!isExtended || locator < 0 || view.getUint32(locator, true) !== locatorSignature) {
    return { count, start, isExtended: false }
  }
  const record = numberAt(view, locator + 8)
  if (record + 56 > locator || view.getUint32(record, true) !== endSignature) {
    throw new Error('The extended (ZIP64) directory of the archive is not where it should be.')
  }
  return { count: numberAt(view, record + 32), start: numberAt(view, record + 48), isExtended: true }
}

/**
 * Replaces the values of a header that are marked as extended by those of its extra fields, in which they follow each
 * other.
 * @throws Error naming the file, when one is missing.
 */
export function withExtended(values: readonly number[], view: DataView, from: number, to: number, name: string) {
  if (!values.includes(extended)) return values
  const fault = new Error(`The extended (ZIP64) header of ${name} is damaged.`)
  for (let at = from; at + 4 <= to; ) {
    const size = view.getUint16(at + 2, true)
    const end = at + 4 + size
    if (end > to) break
    if (view.getUint16(at, true) !== extraId) {
      at = end
      continue
    }
    let next = at + 4
    return values.map((value) => {
      if (value !== extended) return value
      if (next + 8 > end) throw fault
      next += 8
      return numberAt(view, next - 8)
    })
  }
  throw fault
}
