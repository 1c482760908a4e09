import { describe, expect, test } from 'vitest'
import { type Picture, similarity } from './ssim.ts'

const size = 48

/** A picture of a disc whose colour is a function of the position, on an empty background. */
function disc(color: (x: number, y: number) => readonly [number, number, number]): Picture {
  const pixels = new Uint8Array(size * size * 4)
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      if (Math.hypot(x - size / 2, y - size / 2) < size / 3) pixels.set([...color(x, y), 255], (y * size + x) * 4)
    }
  }
  return { size, pixels }
}

const checks = (offset: number) => (x: number, y: number) =>
  ((x + offset) >> 2) % 2 === (y >> 2) % 2 ? ([230, 200, 40] as const) : ([20, 60, 200] as const)

describe('the similarity of two pictures', () => {
  test('is 1 for the same picture, and undefined if both are empty', () => {
    expect(similarity(disc(checks(0)), disc(checks(0)))).toBeCloseTo(1, 6)
    const empty = { size, pixels: new Uint8Array(size * size * 4) }
    expect(similarity(empty, empty)).toBeUndefined()
  })

  test('is below the limit with another colour of the same lightness, a shifted texture or a missing model', () => {
    const red = disc(() => [200, 60, 60])
    const green = disc(() => [60, 124, 60])
    expect(similarity(red, green)).toBeLessThan(0.9)
    expect(similarity(disc(checks(0)), disc(checks(2)))).toBeLessThan(0.5)
    expect(similarity(red, { size, pixels: new Uint8Array(size * size * 4) })).toBeLessThan(0.9)
  })

  test('is measured inside the outline only: the empty background does not raise it', () => {
    const [one, other] = [disc(checks(0)), disc(checks(1))]
    const wide = (picture: Picture): Picture => {
      const pixels = new Uint8Array(size * size * 16)
      for (let y = 0; y < size; y++) {
        pixels.set(picture.pixels.subarray(y * size * 4, (y + 1) * size * 4), ((y + 24) * size * 2 + 24) * 4)
      }
      return { size: size * 2, pixels }
    }
    expect(similarity(wide(one), wide(other))).toBeCloseTo(similarity(one, other)!, 6)
  })

  test('weights pixels by their visibility', () => {
    const glass = (alpha: number): Picture => {
      const picture = disc(() => [90, 60, 30])
      for (let i = 3; i < picture.pixels.length; i += 4) if (picture.pixels[i]) picture.pixels[i] = alpha
      return picture
    }
    expect(similarity(glass(255), glass(250))).toBeGreaterThan(0.9)
    expect(similarity(glass(255), glass(60))).toBeLessThan(0.9)
  })
})
