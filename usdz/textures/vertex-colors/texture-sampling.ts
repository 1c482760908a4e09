import type { Pixels, TextureRef, UvTransform, Wrap } from '../../scene/materials/material.ts'
import type { Geometry } from '../../scene/scene.ts'
import { decodeSrgb } from '../images/pixel-edits.ts'

/** Returns the texture coordinates of triangle corners, with the transform applied. */
export function cornerUvs({ indices, uvs }: Geometry, { texCoord, transform }: TextureRef): Float32Array {
  const source = typeof texCoord === 'number' ? uvs[texCoord] : undefined
  const out = new Float32Array(indices.length * 2)
  if (!source) return out
  const { offset, rotation, scale }: UvTransform = transform ?? { offset: [0, 0], rotation: 0, scale: [1, 1] }
  const [cos, sin] = [Math.cos(rotation), Math.sin(rotation)]
  for (let corner = 0; corner < indices.length; corner++) {
    const u = source[indices[corner]! * 2]! * scale[0]
    const v = source[indices[corner]! * 2 + 1]! * scale[1]
    out[corner * 2] = cos * u + sin * v + offset[0]
    out[corner * 2 + 1] = cos * v - sin * u + offset[1]
  }
  return out
}

/** Samples an image with bilinear filtering, as linear RGB and alpha. */
export function sampler({ data, width, height, channels }: Pixels, { wrapS, wrapT }: TextureRef) {
  const lights = Float64Array.from({ length: 256 }, (_, value) => decodeSrgb(value / 255))
  const valueAt = (column: number, row: number, k: number) => {
    if (k === 3) return channels === 4 ? data[(row * width + column) * 4 + 3]! / 255 : 1
    return lights[data[(row * width + column) * channels + (channels === 1 ? 0 : k)]!]!
  }
  return (u: number, v: number, out: Float64Array) => {
    const [across, down] = [u * width - 0.5, v * height - 0.5]
    const [left, top] = [Math.floor(across), Math.floor(down)]
    const [s, t] = [across - left, down - top]
    const [x0, x1] = [wrapped(left, width, wrapS), wrapped(left + 1, width, wrapS)]
    const [y0, y1] = [wrapped(top, height, wrapT), wrapped(top + 1, height, wrapT)]
    for (let k = 0; k < 4; k++) {
      const above = valueAt(x0, y0, k) * (1 - s) + valueAt(x1, y0, k) * s
      const below = valueAt(x0, y1, k) * (1 - s) + valueAt(x1, y1, k) * s
      out[k] = above * (1 - t) + below * t
    }
  }
}

/** Returns the pixel that a wrap mode shows at a place outside the image. */
export function wrapped(at: number, size: number, wrap: Wrap): number {
  if (!Number.isFinite(at)) return 0
  if (wrap === 'clamp') return Math.min(size - 1, Math.max(0, at))
  const period = wrap === 'mirror' ? size * 2 : size
  const inside = ((at % period) + period) % period
  return inside < size ? inside : period - 1 - inside
}
