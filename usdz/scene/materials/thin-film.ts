import type { Color } from './material.ts'

/**
 * The CIE XYZ sensitivity functions as Gaussians over wave number (per metre): heights, centres, widths. X has a second
 * one.
 */
const heights = [5.4856e-13, 4.4201e-13, 5.2481e-13]
const centres = [1.681e6, 1.7953e6, 2.2084e6]
const widths = [4.3278e9, 9.3046e9, 6.6121e9]
const second = { height: 9.747e-14, middle: 2.2399e6, width: 4.5282e9 }
const white = 1.0685e-7
const toLinearSrgb = [
  [3.2404542, -1.5371385, -0.4985314],
  [-0.969266, 1.8760108, 0.041556],
  [0.0556434, -0.2040259, 1.0572252],
]

/** Cosines of viewing angles that cover equal areas of a sphere: their squares are evenly spaced. */
const cosines = Array.from({ length: 8 }, (_, k) => Math.sqrt((k + 0.5) / 8))

/** Computes the mean reflectance of a thin film over all viewing angles of a sphere. Parameters as in `thinFilm`. */
export function averageThinFilm(nanometres: number, filmIor: number, base: Color): Color {
  const seen = cosines.map((cosine) => thinFilm(nanometres, filmIor, base, cosine))
  return base.map((_, i) => seen.reduce((sum, color) => sum + color[i]!, 0) / seen.length) as unknown as Color
}

/**
 * Computes the reflectance of a surface below a thin film, in linear RGB. Source: KHR_materials_iridescence, after
 * Belcour and Barla, "A Practical Extension to Microfacet Theory for the Modeling of Varying Iridescence" (2017).
 * @param nanometres the thickness of the film.
 * @param base the reflectance of the surface without the film, at normal incidence.
 * @param cosine of the viewing angle.
 */
export function thinFilm(nanometres: number, filmIor: number, base: Color, cosine = 1): Color {
  if (nanometres <= 0) return base
  // Fades out films thinner than 0.03 nm.
  const part = Math.min(1, Math.max(0, nanometres / 0.03))
  const ior = 1 + (filmIor - 1) * part * part * (3 - 2 * part)
  const inside = Math.sqrt(Math.max(0, 1 - (1 - cosine * cosine) / (ior * ior)))
  const outer = schlick(reflectance(ior, 1), cosine)
  const path = 2 * ior * nanometres * 1e-9 * inside
  return base.map((straight, channel) => {
    const root = Math.sqrt(Math.min(0.9999, Math.max(0, straight)))
    const baseIor = (1 + root) / (1 - root)
    const inner = schlick(reflectance(baseIor, ior), inside)
    const shift = (ior < 1 ? 0 : Math.PI) + (baseIor < ior ? Math.PI : 0)
    const both = Math.min(0.9999, Math.max(1e-5, outer * inner))
    const passed = ((1 - outer) ** 2 * inner) / (1 - both)
    let sum = outer + passed
    let share = passed - (1 - outer)
    for (let order = 1; order <= 2; order++) {
      share *= Math.sqrt(both)
      sum += share * 2 * sensitivity(channel, order * path, order * shift)
    }
    return Math.min(1, Math.max(0, sum))
  }) as unknown as Color
}

const reflectance = (of: number, from: number) => ((of - from) / (of + from)) ** 2
/** Schlick's approximation for oblique incidence. */
const schlick = (straight: number, cosine: number) => straight + (1 - straight) * (1 - cosine) ** 5

/** Returns the interference term of one RGB channel for an optical path difference (metres) and a phase shift. */
function sensitivity(channel: number, path: number, shift: number): number {
  const phase = 2 * Math.PI * path
  const gaussian = (height: number, middle: number, width: number) =>
    height * Math.sqrt(2 * Math.PI * width) * Math.cos(middle * phase + shift) * Math.exp(-phase * phase * width)
  const xyz = heights.map((height, k) => gaussian(height, centres[k]!, widths[k]!))
  xyz[0]! += gaussian(second.height, second.middle, second.width)
  return toLinearSrgb[channel]!.reduce((sum, weight, k) => sum + weight * xyz[k]!, 0) / white
}
