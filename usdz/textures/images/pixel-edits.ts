import type { Color } from '../../scene/materials/material.ts'

/**
 * An edit of an image's pixels, 8 bits per channel, RGB or RGBA, `width` pixels per row. Equal keys mean equal edits.
 */
export type PixelEdit = {
  key: string
  apply(pixels: Uint8Array, channels: number, width: number): void
  /** Tells whether the edit changes these pixels; true by default. */
  changes?(pixels: Uint8Array, channels: number, width: number): boolean
}

/** Combines edits in order; undefined without any. */
export function composeEdits(edits: readonly (PixelEdit | undefined)[]): PixelEdit | undefined {
  const given = edits.filter((edit) => edit !== undefined)
  if (given.length < 2) return given[0]
  return {
    key: given.map(({ key }) => key).join(', '),
    apply: (pixels, channels, width) => {
      for (const edit of given) edit.apply(pixels, channels, width)
    },
  }
}

/** Multiplies an sRGB colour image by a linear colour and adds another, and multiplies its alpha by a number. */
export function tint(color: Color, alpha: number, added: Color = [0, 0, 0]): PixelEdit {
  const tables = color.map((factor, i) => table((value) => encodeSrgb(decodeSrgb(value) * factor + added[i]!)))
  return perChannel(`tint ${color} ${added} ${alpha}`, [...tables, table((value) => value * alpha)])
}

/** Computes opacity from transmission in r. */
export const transmissionToOpacity = (opacity: number, share: number): PixelEdit =>
  perChannel(`see through ${opacity} ${share}`, [table((value) => opacity * (1 - share * value))])

/** Computes opacity from the metallic values in b: metals transmit nothing. */
export const metalToOpacity = (opacity: number, share: number, metallic: number): PixelEdit =>
  perChannel(`metal ${opacity} ${share} ${metallic}`, [
    ...[0, 1].map(() => table((value) => value)),
    table((value) => opacity * (1 - share * (1 - metallic * value))),
  ])

/** Multiplies the channels of a data image. */
export function scaleChannels(factors: readonly number[]): PixelEdit {
  const tables = factors.map((factor) => table((value) => value * factor))
  return perChannel(`scale ${factors}`, tables)
}

/** Applies glTF's occlusion strength to r: 1 + strength · (value - 1). */
export const weakenOcclusion = (strength: number): PixelEdit =>
  perChannel(`occlusion ${strength}`, [table((value) => 1 + strength * (value - 1))])

/** Normalises the normals of a resized normal map. */
export const renormalise: PixelEdit = { ...scaleNormals(1, 1), key: 'renormalise' }

/** Scales the x and y of a tangent-space normal map and normalises the result. */
export function scaleNormals(across: number, up: number): PixelEdit {
  return { key: `normal ${across} ${up}`, apply: (pixels, channels) => scaleNormalPixels(pixels, channels, across, up) }
}

function scaleNormalPixels(pixels: Uint8Array, channels: number, across: number, up: number): void {
  for (let i = 0; i + 2 < pixels.length; i += channels) {
    const x = ((pixels[i]! * 2) / 255 - 1) * across
    const y = ((pixels[i + 1]! * 2) / 255 - 1) * up
    const z = (pixels[i + 2]! * 2) / 255 - 1
    const length = Math.sqrt(x * x + y * y + z * z) || 1
    pixels[i] = Math.round((x / length + 1) * 127.5)
    pixels[i + 1] = Math.round((y / length + 1) * 127.5)
    pixels[i + 2] = Math.round((z / length + 1) * 127.5)
  }
}

function perChannel(key: string, tables: readonly Uint8Array[]): PixelEdit {
  const changing = tables
    .map((values, channel) => ({ values, channel }))
    .filter(({ values }) => values.some((value, code) => value !== code))
  return {
    key,
    apply(pixels, channels) {
      const changes = changing.filter(({ channel }) => channel < channels)
      for (let pixel = 0; pixel < pixels.length; pixel += channels) {
        for (let i = 0; i < changes.length; i++) {
          const { values, channel } = changes[i]!
          pixels[pixel + channel] = values[pixels[pixel + channel]!]!
        }
      }
    },
  }
}

const table = (map: (value: number) => number) =>
  Uint8Array.from({ length: 256 }, (_, value) => Math.round(Math.min(1, Math.max(0, map(value / 255))) * 255))

/** The transfer functions of IEC 61966-2-1. */
export const decodeSrgb = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
const encodeSrgb = (value: number) => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055)

/** Returns the sRGB code (0 to 255) of linear light, from a table. */
export const srgbCode = (light: number) => codes[Math.round(Math.min(1, Math.max(0, light)) * steps)]!

/** Fine enough that a step is less than one code even in dark colours, where codes are closest. */
const steps = 4095
const codes = Uint8Array.from({ length: steps + 1 }, (_, step) => Math.round(encodeSrgb(step / steps) * 255))
