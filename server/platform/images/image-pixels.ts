import { open, rm } from 'node:fs/promises'
import { crc32, deflateSync } from 'node:zlib'
import type { Sharp } from 'sharp'
import { imageLibrary } from './image-library.ts'
import type { HeifPixels } from './libheif.ts'

/** Signature and IHDR (PNG, W3C Recommendation, §5, §11.2): other chunks may follow. */
const PNG_START = 8 + 12 + 13

/** Gives decoded pixels to the image library, with the colours they are in: those of an iPhone are Display P3.
 * @param path of a file that is there meanwhile: the library takes a colour profile with an encoded image only */
export async function openPixels<T>(pixels: HeifPixels, path: string, use: (image: Sharp) => Promise<T>): Promise<T> {
  const sharp = await imageLibrary()
  const { width, height, channels, data, icc } = pixels
  const raw = sharp(data, { raw: { width, height, channels } })
  if (!icc) return use(raw)
  try {
    const png = await raw.png({ compressionLevel: 0 }).toBuffer()
    const file = await open(path, 'wx', 0o600)
    try {
      for (const piece of withProfile(png, icc)) await file.writeFile(piece)
    } finally {
      await file.close()
    }
    return await use(sharp(path, { failOn: 'error', sequentialRead: true }))
  } finally {
    await rm(path, { force: true })
  }
}

/** The pieces of a PNG that has no colour profile, with one. */
export const withProfile = (png: Uint8Array, icc: Uint8Array): Uint8Array[] => [
  png.subarray(0, PNG_START),
  profileChunk(icc),
  png.subarray(PNG_START),
]

/** An iCCP chunk (§11.3.2.3). */
function profileChunk(icc: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from('iCCPprofile\0\0', 'latin1'), deflateSync(icc)])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length - 4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
