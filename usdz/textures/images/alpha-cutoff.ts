import type { PixelEdit } from './pixel-edits.ts'

/** The number of pixels around an edge that keep their alpha: filtering reads no more, even from the first mipmap. */
const reach = 3
const [belowBit, aboveBit] = [1, 2]

/** The share of pixels that may be cut from more than half of the cutoff before holes look larger from afar. */
const visibleShare = 0.002

/**
 * Sets alpha to 0 below the cutoff and to 1 above it, for viewers without alpha testing. Near edges alpha is unchanged,
 * so the edge stays in place for viewers that do test.
 * @param onHoles called for an image whose cut pixels are half opaque: smaller versions of it have larger holes.
 */
export function alphaCutoff(cutoff: number, onHoles?: () => void): PixelEdit {
  return {
    key: `cut ${cutoff}`,
    apply(pixels, channels, width) {
      if (channels !== 4) return
      const sides = sidesAround(pixels, width, cutoff)
      let holes = 0
      for (let i = 0; i < sides.length; i++) {
        if (sides[i] === belowBit) {
          if (pixels[i * 4 + 3]! / 255 > cutoff / 2) holes++
          pixels[i * 4 + 3] = 0
        } else if (sides[i] === aboveBit) pixels[i * 4 + 3] = 255
      }
      if (holes > visibleShare * sides.length) onHoles?.()
    },
    changes(pixels, channels, width) {
      if (channels !== 4) return false
      const sides = sidesAround(pixels, width, cutoff)
      return sides.some(
        (side, i) => side !== (belowBit | aboveBit) && pixels[i * 4 + 3] !== (side === aboveBit ? 255 : 0),
      )
    },
  }
}

/** Returns, for each pixel, the sides of the cutoff within reach. Images wrap around, as they may be repeated. */
function sidesAround(pixels: Uint8Array, width: number, cutoff: number): Uint8Array {
  const count = pixels.length / 4
  const own = new Uint8Array(count)
  for (let i = 0; i < count; i++) own[i] = pixels[i * 4 + 3]! / 255 >= cutoff ? aboveBit : belowBit
  return spread(spread(own, width, 1), width, width)
}

/** Combines each value with those within reach along rows (`step` 1) or columns (`step` the width). */
function spread(values: Uint8Array, width: number, step: number): Uint8Array {
  const out = Uint8Array.from(values)
  const length = step === 1 ? width : values.length / width
  for (let i = 0; i < values.length; i++) {
    const place = step === 1 ? i % width : Math.floor(i / width)
    for (let away = -reach; away <= reach; away++) {
      const there = (((place + away) % length) + length) % length
      out[i]! |= values[i + (there - place) * step]!
    }
  }
  return out
}
