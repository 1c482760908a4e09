/** A picture: r g b a of each pixel, rows from the top, with premultiplied alpha. */
export type Picture = { size: number; pixels: Uint8Array }

const radius = 5
const sigma = 1.5
const kernel = Array.from({ length: 2 * radius + 1 }, (_, i) => Math.exp(-((i - radius) ** 2) / (2 * sigma ** 2)))
const sum = kernel.reduce((total, value) => total + value)
const weights = kernel.map((value) => value / sum)
const c1 = (0.01 * 255) ** 2
const c2 = (0.03 * 255) ** 2
const background = 128

/**
 * Structural similarity of two pictures of a model over grey, averaged over the pixels that either covers and over red, green
 * and blue; 1 if they are equal, undefined if both are empty.
 * Source: Wang, Bovik, Sheikh, Simoncelli, "Image Quality Assessment: From Error Visibility to Structural Similarity",
 * 2004, with its Gaussian window of 11 × 11 (σ 1.5), K₁ 0.01, K₂ 0.03.
 */
export function similarity(one: Picture, other: Picture): number | undefined {
  const { size } = one
  const mask = maskOf(one, other)
  const covered = mask.reduce((total, value) => total + value, 0)
  if (covered === 0) return undefined
  let total = 0
  for (let channel = 0; channel < 3; channel++) {
    const [a, b] = [overGrey(one, channel), overGrey(other, channel)]
    const times = (x: Float32Array, y: Float32Array) =>
      blur(
        x.map((value, i) => value * y[i]!),
        size,
      )
    const [meanA, meanB, aa, bb, ab] = [blur(a, size), blur(b, size), times(a, a), times(b, b), times(a, b)]
    for (let i = 0; i < mask.length; i++) {
      if (!mask[i]) continue
      const [x, y] = [meanA[i]!, meanB[i]!]
      const variances = aa[i]! - x * x + bb[i]! - y * y
      const covariance = ab[i]! - x * y
      total += ((2 * x * y + c1) * (2 * covariance + c2)) / ((x * x + y * y + c1) * (variances + c2))
    }
  }
  return total / 3 / covered
}

/** 1 where one of the pictures is not empty. */
function maskOf(one: Picture, other: Picture): Uint8Array {
  return Uint8Array.from({ length: one.size ** 2 }, (_, i) =>
    one.pixels[i * 4 + 3]! > 0 || other.pixels[i * 4 + 3]! > 0 ? 1 : 0,
  )
}

/** One channel over mid grey. */
const overGrey = ({ size, pixels }: Picture, channel: number): Float32Array =>
  Float32Array.from(
    { length: size * size },
    (_, i) => pixels[i * 4 + channel]! + background * (1 - pixels[i * 4 + 3]! / 255),
  )

/** Gaussian mean around each pixel; edges are repeated. */
function blur(values: Float32Array, size: number): Float32Array {
  const across = new Float32Array(values.length)
  const out = new Float32Array(values.length)
  const clamp = (value: number) => Math.min(size - 1, Math.max(0, value))
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      let total = 0
      for (let k = -radius; k <= radius; k++) total += weights[k + radius]! * values[y * size + clamp(x + k)]!
      across[y * size + x] = total
    }
  }
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      let total = 0
      for (let k = -radius; k <= radius; k++) total += weights[k + radius]! * across[clamp(y + k) * size + x]!
      out[y * size + x] = total
    }
  }
  return out
}
