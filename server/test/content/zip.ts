import { inflateRawSync } from 'node:zlib'

/** The files of a ZIP by name, from its directory (APPNOTE 4.3.12, 4.3.16), as an unpacker sees them. @throws if it is incomplete */
export function unzip(bytes: Buffer): Map<string, Buffer> {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (end < 0) throw new Error('This is not a ZIP, or it is truncated')
  const files = new Map<string, Buffer>()
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    if (bytes.readUInt32LE(at) !== 0x02014b50) throw new Error('The directory of the ZIP is damaged')
    const [method, packed, size] = [
      bytes.readUInt16LE(at + 10),
      bytes.readUInt32LE(at + 20),
      bytes.readUInt32LE(at + 24),
    ]
    const [name, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ]
    const local = bytes.readUInt32LE(at + 42)
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const content = bytes.subarray(start, start + packed)
    const file = method === 8 ? inflateRawSync(content) : content
    if (file.length !== size) throw new Error('A file of the ZIP is damaged')
    files.set(bytes.toString('utf8', at + 46, at + 46 + name), file)
    at += 46 + name + extra + comment
  }
  return files
}
