import { encodeToKTX2 } from 'ktx2-encoder'
import sharp from 'sharp'

/** Pixels of an image, always with alpha. */
export async function pixelsOf(bytes: Uint8Array) {
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data: new Uint8Array(data), width: info.width, height: info.height }
}

/** A PNG whose pixels differ along x and y, with r g b and, with `alpha`, alpha. */
export async function gradient(width: number, height: number, alpha: boolean): Promise<Uint8Array> {
  const channels = alpha ? 4 : 3
  const pixels = Uint8Array.from({ length: width * height * channels }, (_, i) => {
    const [x, y] = [Math.floor(i / channels) % width, Math.floor(i / channels / width)]
    return [40 + (160 * x) / width, 40 + (160 * y) / height, 90, 128][i % channels]!
  })
  return await sharp(pixels, { raw: { width, height, channels } }).png().toBuffer()
}

/** A PNG as a KTX2 file in Basis Universal. */
export async function ktx2(png: Uint8Array, options: object): Promise<Uint8Array> {
  const log = console.log
  // The encoder prints to the console.
  console.log = () => {}
  try {
    return await encodeToKTX2(new Uint8Array(png), { isKTX2File: true, imageDecoder: pixelsOf, ...options } as never)
  } finally {
    console.log = log
  }
}
