import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

export const RED = [220, 30, 30]
export const GREEN = [30, 200, 40]
export const BLUE = [30, 40, 220]
export const YELLOW = [230, 220, 40]
type Colour = number[]

/** A picture of four rectangles: top left, top right, bottom left, bottom right. */
export function quarters(width: number, height: number, colours: Colour[] = [RED, GREEN, BLUE, YELLOW]) {
  const pixels = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const colour = colours[(y * 2 < height ? 0 : 2) + (x * 2 < width ? 0 : 1)]!
      pixels.set(colour, (y * width + x) * 3)
    }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}

export const jpeg = (width: number, height: number) => quarters(width, height).jpeg().toBuffer()

/** The colour names at the centres of its quarters, in the order of `quarters`. */
export async function quartersOf(bytes: Buffer): Promise<string[]> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number) => {
    const start = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels
    const seen = [...data.subarray(start, start + 3)]
    const names = Object.entries({ RED, GREEN, BLUE, YELLOW })
    return names.find(([, colour]) => colour.every((value, i) => Math.abs(value - seen[i]!) < 40))?.[0] ?? String(seen)
  }
  return [at(0.25, 0.25), at(0.75, 0.25), at(0.25, 0.75), at(0.75, 0.75)]
}

/** A black PNG of one bit a pixel: large dimensions, small file (PNG, W3C Recommendation, §5). */
export function blackPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 1
  const rows = Buffer.alloc(height * (1 + Math.ceil(width / 8)))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** A GIF whose frames each change one pixel of the canvas: a few bytes a frame, whatever its size (GIF89a §20). */
export function sparseGif(width: number, height: number, frames: number): Buffer {
  const screen = Buffer.from([...Buffer.from('GIF89a'), 0, 0, 0, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255])
  screen.writeUInt16LE(width, 6)
  screen.writeUInt16LE(height, 8)
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4c, 1, 0])
  return Buffer.concat([screen, ...Array(frames).fill(frame), Buffer.from([0x3b])])
}

/** An animation of that many frames in different colours. */
export async function animation(width: number, height: number, frames: number, format: 'gif' | 'webp') {
  const pictures = await Promise.all(
    Array.from({ length: frames }, (_, i) =>
      quarters(
        width,
        height,
        [RED, GREEN, BLUE, YELLOW].map((_colour, at, all) => all[(at + i) % 4]!),
      )
        .png()
        .toBuffer(),
    ),
  )
  const joined = sharp(pictures, { join: { animated: true } })
  const delay = Array(frames).fill(80)
  return format === 'gif' ? joined.gif({ delay }).toBuffer() : joined.webp({ delay }).toBuffer()
}

/** The share of the pixels of a picture that have a colour, which is written as in CSS: `#rgb` or `#rrggbb`. */
export async function shareOfColour(picture: Buffer, colour: string): Promise<number> {
  const hex = colour.length === 4 ? colour.slice(1).replaceAll(/./g, '$&$&') : colour.slice(1)
  const wanted = Buffer.from(hex, 'hex')
  const { data } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  let found = 0
  for (let at = 0; at < data.length; at += 3) if (data.subarray(at, at + 3).equals(wanted)) found++
  return found / (data.length / 3)
}

/** The share of pixels that are redder than blue. */
export async function warmShare(bytes: Buffer): Promise<number> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  let warm = 0
  for (let i = 0; i < data.length; i += info.channels) if (data[i]! > data[i + 2]! + 20) warm++
  return warm / (info.width * info.height)
}

/** Where the pixels of a picture are that have a kind of colour, from its top left. */
export async function pixelsWhere(
  bytes: Buffer,
  isWanted: (red: number, green: number, blue: number) => boolean,
): Promise<[x: number, y: number][]> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const found: [number, number][] = []
  for (let at = 0; at < data.length; at += 3)
    if (isWanted(data[at]!, data[at + 1]!, data[at + 2]!))
      found.push([(at / 3) % info.width, Math.floor(at / 3 / info.width)])
  return found
}
