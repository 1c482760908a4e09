import { expect, test } from 'vitest'
import type { Color } from './material.ts'
import { thinFilm } from './thin-film.ts'

/** The same by integration over wavelengths: Airy's formula for a film, with CIE colour matching (Wyman, Sloan and Shirley 2013) and equal energy. */
function byWavelengths(nanometres: number, ior: number, base: number): number[] {
  const baseIor = (1 + Math.sqrt(base)) / (1 - Math.sqrt(base))
  const [outer, inner] = [(1 - ior) / (1 + ior), (ior - baseIor) / (ior + baseIor)]
  const bump = (x: number, middle: number, low: number, high: number) =>
    Math.exp(-0.5 * ((x - middle) * (x < middle ? low : high)) ** 2)
  const sums = [0, 0, 0]
  const whole = [0, 0, 0]
  for (let wave = 380; wave <= 780; wave++) {
    const turn = Math.cos((4 * Math.PI * ior * nanometres) / wave)
    const both = outer ** 2 + inner ** 2 + 2 * outer * inner * turn
    const reflected = both / (1 + (outer * inner) ** 2 + 2 * outer * inner * turn)
    const eye = [
      0.362 * bump(wave, 442, 0.0624, 0.0374) +
        1.056 * bump(wave, 599.8, 0.0264, 0.0323) -
        0.065 * bump(wave, 501.1, 0.049, 0.0382),
      0.821 * bump(wave, 568.8, 0.0213, 0.0247) + 0.286 * bump(wave, 530.9, 0.0613, 0.0322),
      1.217 * bump(wave, 437, 0.0845, 0.0278) + 0.681 * bump(wave, 459, 0.0385, 0.0725),
    ]
    for (const k of [0, 1, 2]) {
      sums[k]! += reflected * eye[k]!
      whole[k]! += eye[k]!
    }
  }
  const [x, y, z] = sums.map((sum, k) => sum / whole[k]!) as [number, number, number]
  return [
    3.2404542 * x - 1.5371385 * y - 0.4985314 * z,
    -0.969266 * x + 1.8760108 * y + 0.041556 * z,
    0.0556434 * x - 0.2040259 * y + 1.0572252 * z,
  ]
}

test.each([
  [0.04, 1.3, 250],
  [0.04, 1.3, 400],
  [0.5, 1.8, 300],
  [0.2, 2, 350],
])(
  'a base of reflectance %d with a film of index %d and %d nm matches the integration over wavelengths',
  (base, ior, thickness) => {
    const expected = byWavelengths(thickness, ior, base)
    const found = thinFilm(thickness, ior, [base, base, base])
    for (const [channel, value] of found.entries())
      expect(Math.abs(value - Math.max(0, expected[channel]!))).toBeLessThan(0.08)
  },
)

test('a film without thickness changes nothing', () => {
  const base: Color = [0.04, 0.5, 0.9]
  for (const [channel, value] of thinFilm(0, 1.3, base).entries()) expect(value).toBeCloseTo(base[channel]!, 2)
})
