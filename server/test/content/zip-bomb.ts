import { Buffer } from 'node:buffer'

const SIZE = 10_000

/** A ZIP of 10,000 bytes whose entry declares this unpacked size (APPNOTE.TXT §4.3.7: the sizes are at 18 and 22). */
export function zipOf(name: string, unpacked: number): Uint8Array<ArrayBuffer> {
  const zip = Buffer.alloc(SIZE)
  zip.writeUInt32LE(0x04034b50, 0)
  zip.writeUInt16LE(20, 4)
  zip.writeUInt16LE(8, 8)
  zip.writeUInt32LE(SIZE - 30 - name.length, 18)
  zip.writeUInt32LE(unpacked, 22)
  zip.writeUInt16LE(name.length, 26)
  zip.write(name, 30)
  return new Uint8Array(zip)
}
