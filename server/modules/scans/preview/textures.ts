import type { PreviewImage } from '../../../../usdz/index.ts'
import { LINEAR } from './canvas.ts'

/** A mipmap: levels of half the size of the one before, r g b a in sRGB. */
export type Texture = { levels: Level[]; wrapS: PreviewImage['wrapS']; wrapT: PreviewImage['wrapT'] }
type Level = { width: number; height: number; data: Uint8Array }

/** Decodes an image; undefined if it cannot be read. */
export async function textureOf({ source, wrapS, wrapT }: PreviewImage, side: number): Promise<Texture | undefined> {
  const pixels = await source.pixels(side)
  if (!pixels) return undefined
  const { width, height, channels, data } = pixels
  const rgba = new Uint8Array(width * height * 4)
  for (let i = 0; i < width * height; i++) {
    for (let k = 0; k < 3; k++) rgba[i * 4 + k] = data[i * channels + (channels === 1 ? 0 : k)]!
    rgba[i * 4 + 3] = channels === 4 ? data[i * 4 + 3]! : 255
  }
  const levels: Level[] = [{ width, height, data: rgba }]
  while (levels.at(-1)!.width > 1 || levels.at(-1)!.height > 1) levels.push(halved(levels.at(-1)!))
  return { levels, wrapS, wrapT }
}

function halved({ width, height, data }: Level): Level {
  const [w, h] = [Math.max(1, width >> 1), Math.max(1, height >> 1)]
  const out = new Uint8Array(w * h * 4)
  for (let y = 0; y < h; y++) {
    const [y0, y1] = [Math.min(height - 1, y * 2), Math.min(height - 1, y * 2 + 1)]
    for (let x = 0; x < w; x++) {
      const [x0, x1] = [Math.min(width - 1, x * 2), Math.min(width - 1, x * 2 + 1)]
      for (let k = 0; k < 4; k++) {
        const total =
          data[(y0 * width + x0) * 4 + k]! +
          data[(y0 * width + x1) * 4 + k]! +
          data[(y1 * width + x0) * 4 + k]! +
          data[(y1 * width + x1) * 4 + k]!
        out[(y * w + x) * 4 + k] = (total + 2) >> 2
      }
    }
  }
  return { width: w, height: h, data: out }
}

/** Linear r g b and alpha of a texture at u v, interpolated between the four nearest pixels of a level. @param out receives the four values */
export function sample({ levels, wrapS, wrapT }: Texture, level: number, u: number, v: number, out: Float32Array) {
  const { width, height, data } = levels[Math.max(0, Math.min(levels.length - 1, level))]!
  const x = u * width - 0.5
  const y = v * height - 0.5
  const left = Math.floor(x)
  const top = Math.floor(y)
  const [fx, fy] = [x - left, y - top]
  const x0 = wrapped(left, width, wrapS)
  const x1 = wrapped(left + 1, width, wrapS)
  const y0 = wrapped(top, height, wrapT) * width
  const y1 = wrapped(top + 1, height, wrapT) * width
  const [a, b, c, d] = [(y0 + x0) * 4, (y0 + x1) * 4, (y1 + x0) * 4, (y1 + x1) * 4]
  const [wa, wb, wc, wd] = [(1 - fx) * (1 - fy), fx * (1 - fy), (1 - fx) * fy, fx * fy]
  for (let k = 0; k < 3; k++) {
    out[k] =
      wa * LINEAR[data[a + k]!]! + wb * LINEAR[data[b + k]!]! + wc * LINEAR[data[c + k]!]! + wd * LINEAR[data[d + k]!]!
  }
  out[3] = (wa * data[a + 3]! + wb * data[b + 3]! + wc * data[c + 3]! + wd * data[d + 3]!) / 255
}

function wrapped(at: number, size: number, wrap: PreviewImage['wrapS']): number {
  if (at >= 0 && at < size) return at
  if (!Number.isFinite(at)) return 0
  if (wrap === 'clamp') return at < 0 ? 0 : size - 1
  if (wrap === 'repeat') return ((at % size) + size) % size
  const turn = ((at % (2 * size)) + 2 * size) % (2 * size)
  return turn < size ? turn : 2 * size - 1 - turn
}
