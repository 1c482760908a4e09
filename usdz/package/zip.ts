import { crc32 } from 'node:zlib'
import { tooLarge } from '../errors.ts'

/** A file of a package: its bytes in order, possibly in several parts. */
export type Entry = { name: string; parts: readonly Uint8Array[] }

const alignment = 64
const localHeaderSize = 30
const centralHeaderSize = 46
const endSize = 22
/** An extra field needs four bytes of header, so the padding is zero or at least that. */
const extraHeadSize = 4
/** The ID of padding by USD's own writer. */
const paddingId = 0x1986
/** 1 January 1980, the first date of ZIP archives: the same input gives the same bytes on any day. */
const fixedDate = 0x0021
const utf8Names = 0x0800
const largest = 2 ** 32 - 1

/**
 * Writes a USDZ package: a ZIP archive of uncompressed files, with the data of each at a multiple of 64 bytes, so that it can
 * be mapped into memory. Viewers open the first entry. Format: "Usdz File Format Specification" of OpenUSD and APPNOTE.TXT
 * of PKWARE.
 * @throws ConversionError `too_large` for packages of 4 GB and more, which need the ZIP64 format.
 */
export function writePackage(entries: readonly Entry[]): Uint8Array {
  let offset = 0
  const files = entries.map((entry) => {
    const name = new TextEncoder().encode(entry.name)
    const size = entry.parts.reduce((sum, part) => sum + part.length, 0)
    const padding = paddingFor(offset + localHeaderSize + name.length)
    const file = { parts: entry.parts, name, size, padding, offset }
    offset += localHeaderSize + name.length + padding + size
    return file
  })
  const centralSize = files.reduce((sum, { name }) => sum + centralHeaderSize + name.length, 0)
  if (offset + centralSize + endSize > largest || files.length > 0xffff) {
    throw tooLarge('The USDZ would be larger than 4 GB, which the format does not allow.')
  }

  const out = new Uint8Array(offset + centralSize + endSize)
  const view = new DataView(out.buffer)
  let at = offset
  for (const file of files.map((sized): File => ({ ...sized, crc: checksum(sized.parts) }))) {
    writeLocal(out, view, file)
    at = writeCentral(out, view, at, file)
  }
  view.setUint32(at, 0x06054b50, true)
  view.setUint16(at + 8, files.length, true)
  view.setUint16(at + 10, files.length, true)
  view.setUint32(at + 12, centralSize, true)
  view.setUint32(at + 16, offset, true)
  return out
}

type File = {
  parts: readonly Uint8Array[]
  name: Uint8Array
  size: number
  padding: number
  offset: number
  crc: number
}

function paddingFor(end: number): number {
  const missing = (alignment - (end % alignment)) % alignment
  return missing > 0 && missing < extraHeadSize ? missing + alignment : missing
}

function checksum(parts: readonly Uint8Array[]): number {
  let crc = 0
  for (const part of parts) crc = crc32(part, crc)
  return crc
}

function writeLocal(out: Uint8Array, view: DataView, file: File): void {
  const { offset, name, padding } = file
  view.setUint32(offset, 0x04034b50, true)
  writeCommon(view, offset + 4, file)
  view.setUint16(offset + 28, padding, true)
  out.set(name, offset + localHeaderSize)
  let at = offset + localHeaderSize + name.length
  if (padding > 0) {
    view.setUint16(at, paddingId, true)
    view.setUint16(at + 2, padding - extraHeadSize, true)
    at += padding
  }
  for (const part of file.parts) {
    out.set(part, at)
    at += part.length
  }
}

function writeCentral(out: Uint8Array, view: DataView, at: number, file: File): number {
  view.setUint32(at, 0x02014b50, true)
  view.setUint16(at + 4, 10, true)
  writeCommon(view, at + 6, file)
  view.setUint32(at + 42, file.offset, true)
  out.set(file.name, at + centralHeaderSize)
  return at + centralHeaderSize + file.name.length
}

/** The common fields of both headers: version needed, flags, method, time, date, checksum, sizes, name. */
function writeCommon(view: DataView, at: number, { name, size, crc }: File): void {
  view.setUint16(at, 10, true)
  view.setUint16(at + 2, utf8Names, true)
  view.setUint16(at + 4, 0, true)
  view.setUint16(at + 6, 0, true)
  view.setUint16(at + 8, fixedDate, true)
  view.setUint32(at + 10, crc, true)
  view.setUint32(at + 14, size, true)
  view.setUint32(at + 18, size, true)
  view.setUint16(at + 22, name.length, true)
}
