import { crc32, deflateRawSync } from 'node:zlib'

/** A ZIP archive with one deflated file. */
export function deflated(name: string, data: Uint8Array): Uint8Array {
  const coded = deflateRawSync(data)
  const text = Buffer.from(name)
  const header = (signature: number, extra: number) => {
    const out = Buffer.alloc((signature === 0x02014b50 ? 46 : 30) + text.length)
    const at = signature === 0x02014b50 ? 2 : 0
    out.writeUInt32LE(signature, 0)
    out.writeUInt16LE(8, 8 + at)
    out.writeUInt32LE(crc32(data), 14 + at)
    out.writeUInt32LE(coded.length, 18 + at)
    out.writeUInt32LE(data.length, 22 + at)
    out.writeUInt16LE(text.length, 26 + at)
    text.copy(out, out.length - text.length)
    return Buffer.concat([out, Buffer.alloc(extra)])
  }
  const local = Buffer.concat([header(0x04034b50, 0), coded])
  const central = header(0x02014b50, 0)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(local.length, 16)
  return new Uint8Array(Buffer.concat([local, central, end]))
}
