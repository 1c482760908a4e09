import { HEIGHT, WIDTH } from './camera.ts'

/** Samples per pixel, in each direction. */
export const SAMPLES = 2

/** The samples drawn so far, row by row from the top left. */
export type Canvas = {
  width: number
  height: number
  /** Linear r g b, multiplied by the coverage. */
  color: Float32Array
  cover: Float32Array
  /** Inverse distance; 0 where nothing is drawn. */
  nearness: Float32Array
}

export function blankCanvas(samples = SAMPLES): Canvas {
  const [width, height] = [WIDTH * samples, HEIGHT * samples]
  const count = width * height
  return {
    width,
    height,
    color: new Float32Array(count * 3),
    cover: new Float32Array(count),
    nearness: new Float32Array(count),
  }
}

/** sRGB (IEC 61966-2-1) bytes to linear light. */
export const LINEAR = Float32Array.from({ length: 256 }, (_, byte) => {
  const value = byte / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
})

/** Linear light to sRGB, 0..1. */
export const encoded = (linear: number): number =>
  linear <= 0.0031308 ? 12.92 * Math.max(0, linear) : 1.055 * Math.min(1, linear) ** (1 / 2.4) - 0.055
