import { bytesOfLatin1, joined } from '../../bytes.ts'
import type { Pixels } from '../../scene/materials/material.ts'
import { crc32 } from './zlib.ts'

const colorTypes = { 1: 0, 3: 2, 4: 6 }

/** Encodes pixels as PNG (W3C PNG, 3rd edition): the encoder of a canvas loses the colours of transparent pixels. */
export async function encodePng({ data, width, height, channels }: Pixels): Promise<Uint8Array> {
  const header = new Uint8Array(13)
  const view = new DataView(header.buffer)
  view.setUint32(0, width)
  view.setUint32(4, height)
  header.set([8, colorTypes[channels]], 8)
  const rows = new Uint8Array((width * channels + 1) * height)
  for (let y = 0; y < height; y++) filterRow(data, y, width * channels, channels, rows)
  const packed = new Blob([rows]).stream().pipeThrough(new CompressionStream('deflate'))
  const image = new Uint8Array(await new Response(packed).arrayBuffer())
  const signature = bytesOfLatin1('\x89PNG\r\n\x1a\n')
  return joined([signature, chunk('IHDR', header), chunk('IDAT', image), chunk('IEND', new Uint8Array())])
}

/** §9: writes a row by the filter with the smallest sum of absolute differences, of None, Sub, Up and Paeth. */
function filterRow(data: Uint8Array, y: number, length: number, step: number, out: Uint8Array): void {
  const at = y * length
  const to = y * (length + 1)
  const left = (i: number) => (i < step ? 0 : data[at + i - step]!)
  const above = (i: number) => (y === 0 ? 0 : data[at + i - length]!)
  const corner = (i: number) => (y === 0 || i < step ? 0 : data[at + i - length - step]!)
  const filters: [type: number, predict: (i: number) => number][] = [
    [0, () => 0],
    [1, left],
    [2, above],
    [4, (i) => paeth(left(i), above(i), corner(i))],
  ]
  let least = Infinity
  const row = new Uint8Array(length)
  for (const [type, predict] of filters) {
    let sum = 0
    for (let i = 0; i < length; i++) {
      row[i] = data[at + i]! - predict(i)
      sum += row[i]! < 128 ? row[i]! : 256 - row[i]!
    }
    if (sum >= least) continue
    least = sum
    out[to] = type
    out.set(row, to + 1)
  }
}

/** §9.4. */
function paeth(left: number, above: number, corner: number): number {
  const [toLeft, toAbove, toCorner] = [
    Math.abs(above - corner),
    Math.abs(left - corner),
    Math.abs(left + above - 2 * corner),
  ]
  if (toLeft <= toAbove && toLeft <= toCorner) return left
  return toAbove <= toCorner ? above : corner
}

/** §5.3: a chunk is length, type, data and CRC. */
function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = joined([new Uint8Array(4), bytesOfLatin1(type), data, new Uint8Array(4)])
  const view = new DataView(bytes.buffer)
  view.setUint32(0, data.length)
  view.setUint32(data.length + 8, crc32(bytes.subarray(4, data.length + 8)))
  return bytes
}
