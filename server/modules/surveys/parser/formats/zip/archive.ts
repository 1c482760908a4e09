import { inflateRawSync } from 'node:zlib'
import { SurveyFileError } from '../../errors.ts'

/** A file in a ZIP. */
export type Entry = {
  /** Its path in the archive, with `/`. */
  name: string
  /** Declared size of the unpacked file in bytes. */
  size: number
  /** Unpacks the file. @throws SurveyFileError UNREADABLE_FILE or TOO_LARGE */
  unpack: () => Buffer<ArrayBuffer>
}

/** Maximum unpacked size of a file, and of a whole archive. */
const MAX_UNPACKED = 256 * 2 ** 20
const MAX_ENTRIES = 10_000
/** The end of the directory has a comment of at most 64 KiB. */
const MAX_TAIL = 65_557

const damaged = () => new SurveyFileError('UNREADABLE_FILE', 'the ZIP file is damaged or truncated: create it again')

/**
 * Lists the files of a ZIP from its central directory (APPNOTE.TXT 6.3.10, 4.3.12 and 4.3.16), without folders and
 * macOS metadata. @throws SurveyFileError UNREADABLE_FILE for a damaged, split, encrypted or ZIP64 archive; TOO_LARGE
 */
export function entriesOf(zip: Buffer): Entry[] {
  try {
    return readDirectory(zip)
  } catch (error) {
    if (error instanceof RangeError) throw damaged()
    throw error
  }
}

function readDirectory(zip: Buffer): Entry[] {
  const tail = zip.subarray(Math.max(0, zip.length - MAX_TAIL))
  const end = tail.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  if (end < 0) throw damaged()
  const count = tail.readUInt16LE(end + 10)
  let at = tail.readUInt32LE(end + 16)
  if (count > MAX_ENTRIES || at === 0xffffffff)
    throw new SurveyFileError('UNREADABLE_FILE', `the ZIP file has more than ${MAX_ENTRIES} files or is in ZIP64`)
  const entries: Entry[] = []
  let total = 0
  for (let i = 0; i < count; i++) {
    if (zip.readUInt32LE(at) !== 0x02014b50) throw damaged()
    const nameLength = zip.readUInt16LE(at + 28)
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength).replaceAll('\\', '/')
    const size = zip.readUInt32LE(at + 24)
    total += size
    if (total > MAX_UNPACKED) throw tooLarge()
    const packed = {
      method: zip.readUInt16LE(at + 10),
      length: zip.readUInt32LE(at + 20),
      at: zip.readUInt32LE(at + 42),
    }
    const isEncrypted = (zip.readUInt16LE(at + 8) & 1) !== 0
    if (!name.endsWith('/') && !/(?:^|\/)(?:__MACOSX\/|\._|\.DS_Store$)/.test(name))
      entries.push({ name, size, unpack: () => unpacked(zip, name, size, packed, isEncrypted) })
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return entries
}

function unpacked(
  zip: Buffer,
  name: string,
  size: number,
  { method, length, at }: { method: number; length: number; at: number },
  isEncrypted: boolean,
): Buffer<ArrayBuffer> {
  if (isEncrypted || (method !== 0 && method !== 8))
    throw new SurveyFileError(
      'UNREADABLE_FILE',
      `${name.slice(0, 100)} in the ZIP file is encrypted or compressed by an unsupported method: create a plain ZIP file`,
    )
  try {
    const start = at + 30 + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28)
    const bytes = zip.subarray(start, start + length)
    const content = method === 0 ? Buffer.from(bytes) : inflateRawSync(bytes, { maxOutputLength: Math.max(size, 1) })
    if (content.length !== size) throw damaged()
    return content as Buffer<ArrayBuffer>
  } catch (error) {
    if (error instanceof SurveyFileError) throw error
    throw damaged()
  }
}

const tooLarge = () =>
  new SurveyFileError('TOO_LARGE', `the ZIP file unpacks to more than ${MAX_UNPACKED} bytes: split it`)
