import { directoryOf, extended, withExtended } from './zip64.ts'

/** A file of a ZIP archive, from its directory entry and local header. */
export type ZipEntry = {
  name: string
  method: number
  encrypted: boolean
  crc: number
  /** The offset of its data in the archive. */
  offset: number
  data: Uint8Array
  /** How its local header differs from the directory; undefined when they agree. */
  disagreement: string | undefined
  /** Whether the archive has it in the extended (ZIP64) form, which packages must not use. */
  isExtended: boolean
}

const endSignature = 0x06054b50
const centralSignature = 0x02014b50
const localSignature = 0x04034b50
const endSize = 22
const longestComment = 0xffff

/**
 * Lists the files of an archive in directory order. Format: APPNOTE.TXT of PKWARE.
 * @throws Error naming what cannot be read.
 */
export function readZip(bytes: Uint8Array): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = findEnd(view)
  if (view.getUint16(end + 4, true) !== 0 || view.getUint16(end + 8, true) !== view.getUint16(end + 10, true)) {
    throw new Error('The archive is one of several parts.')
  }
  const { count, start, isExtended } = directoryOf(view, end)
  const entries: ZipEntry[] = []
  let at = start
  for (let i = 0; i < count; i++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== centralSignature) {
      throw new Error(`The directory of the archive breaks off at file ${i + 1} of ${count}.`)
    }
    const nameLength = view.getUint16(at + 28, true)
    const entry = entryAt(bytes, view, at, nameLength)
    entries.push(isExtended ? { ...entry, isExtended } : entry)
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return entries
}

function entryAt(bytes: Uint8Array, view: DataView, at: number, nameLength: number): ZipEntry {
  const name = textOf(bytes.subarray(at + 46, at + 46 + nameLength))
  const extra = at + 46 + nameLength
  const given = [view.getUint32(at + 24, true), view.getUint32(at + 20, true), view.getUint32(at + 42, true)]
  const [, size = 0, header = 0] = withExtended(given, view, extra, extra + view.getUint16(at + 30, true), name)
  const local = localHeader(bytes, view, header, name)
  if (local.offset + size > bytes.length) throw new Error(`The file ${name} is cut off.`)
  const method = view.getUint16(at + 10, true)
  const crc = view.getUint32(at + 16, true)
  return {
    name,
    method,
    encrypted: (view.getUint16(at + 8, true) & 1) === 1,
    crc,
    offset: local.offset,
    data: bytes.subarray(local.offset, local.offset + size),
    isExtended: given.includes(extended),
    disagreement: disagreement(local, { name, method, crc, size }),
  }
}

type Described = { name: string; method: number; crc: number; size: number }

/** Some readers use the directory, others the local header. */
function disagreement(local: Described & { deferred: boolean }, { name, method, crc, size }: Described) {
  if (local.name !== name) return `calls it ${local.name}`
  if (local.method !== method) return `says compression method ${local.method}, not ${method}`
  // With this flag checksum and size follow the data.
  if (local.deferred) return undefined
  if (local.size !== size) return `says ${local.size} bytes, not ${size}`
  return local.crc === crc ? undefined : 'has another checksum'
}

function findEnd(view: DataView): number {
  const lowest = Math.max(0, view.byteLength - endSize - longestComment)
  for (let at = view.byteLength - endSize; at >= lowest; at--) {
    if (view.getUint32(at, true) === endSignature) return at
  }
  throw new Error('The file is not a ZIP archive.')
}

function localHeader(bytes: Uint8Array, view: DataView, header: number, name: string) {
  if (header + 30 > view.byteLength || view.getUint32(header, true) !== localSignature) {
    throw new Error(`The file ${name} is not where the directory of the archive says.`)
  }
  const nameLength = view.getUint16(header + 26, true)
  const extra = header + 30 + nameLength
  const offset = extra + view.getUint16(header + 28, true)
  const given = [view.getUint32(header + 22, true), view.getUint32(header + 18, true)]
  const [, size = 0] = withExtended(given, view, extra, Math.min(offset, view.byteLength), name)
  return {
    offset,
    name: textOf(bytes.subarray(header + 30, header + 30 + nameLength)),
    method: view.getUint16(header + 8, true),
    crc: view.getUint32(header + 14, true),
    size,
    deferred: (view.getUint16(header + 6, true) & 8) !== 0,
  }
}

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
