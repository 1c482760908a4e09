/** A file of a ZIP archive as its directory and its own header describe it. */
export type ZipEntry = {
  name: string
  method: number
  encrypted: boolean
  crc: number
  /** Where its bytes begin in the archive. */
  offset: number
  data: Uint8Array
}

const endSignature = 0x06054b50
const centralSignature = 0x02014b50
const localSignature = 0x04034b50
const endSize = 22
const longestComment = 0xffff

/** Lists the files of an archive in the order of its directory. @throws Error saying what cannot be read. */
export function readZip(bytes: Uint8Array): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = findEnd(view)
  const count = view.getUint16(end + 10, true)
  const entries: ZipEntry[] = []
  let at = view.getUint32(end + 16, true)
  for (let i = 0; i < count; i++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== centralSignature) {
      throw new Error(`The directory of the archive breaks off at file ${i + 1} of ${count}.`)
    }
    const nameLength = view.getUint16(at + 28, true)
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength))
    const offset = dataOffset(view, view.getUint32(at + 42, true), name)
    const size = view.getUint32(at + 20, true)
    if (offset + size > bytes.length) throw new Error(`The file ${name} is cut off.`)
    entries.push({
      name,
      method: view.getUint16(at + 10, true),
      encrypted: (view.getUint16(at + 8, true) & 1) === 1,
      crc: view.getUint32(at + 16, true),
      offset,
      data: bytes.subarray(offset, offset + size),
    })
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return entries
}

function findEnd(view: DataView): number {
  const lowest = Math.max(0, view.byteLength - endSize - longestComment)
  for (let at = view.byteLength - endSize; at >= lowest; at--) {
    if (view.getUint32(at, true) === endSignature) return at
  }
  throw new Error('The file is not a ZIP archive.')
}

function dataOffset(view: DataView, header: number, name: string): number {
  if (header + 30 > view.byteLength || view.getUint32(header, true) !== localSignature) {
    throw new Error(`The file ${name} is not where the directory of the archive says.`)
  }
  return header + 30 + view.getUint16(header + 26, true) + view.getUint16(header + 28, true)
}
