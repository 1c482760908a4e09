import type { GrayImage } from '../detector/detector.ts'
import type { PhotoFacts } from './photo-facts.ts'

/** The middle of the image that is measured, in steps of two pixels. */
const MAX_SIDE = 1536
/** An edge is a difference of so many levels within so many steps; smaller ones are texture and noise. */
const CONTRAST = 48
const REACH = 8

/** Sharpness and exposure of an image. */
export function qualityOf(image: GrayImage): PhotoFacts['quality'] {
  const middle = halved(image)
  const sharpness = Math.min(steepness(middle, 1), steepness(middle, middle.width))
  return { sharpness: rounded(sharpness), exposure: rounded(mean(image.pixels) / 255) }
}

/** The middle at half size, which removes most of the noise. */
function halved({ width, height, pixels }: GrayImage): GrayImage {
  const [columns, rows] = [Math.min(MAX_SIDE, width >> 1), Math.min(MAX_SIDE, height >> 1)]
  const [left, top] = [(width - 2 * columns) >> 1, (height - 2 * rows) >> 1]
  const half = new Uint8Array(columns * rows)
  for (let y = 0; y < rows; y++)
    for (let x = 0; x < columns; x++) {
      const at = (top + 2 * y) * width + left + 2 * x
      half[y * columns + x] = (pixels[at]! + pixels[at + 1]! + pixels[at + width]! + pixels[at + width + 1]! + 2) >> 2
    }
  return { width: columns, height: rows, pixels: half }
}

/**
 * The share of an edge's contrast that lies in its steepest step: the mean of all edges, 0 if there is none. Blur spreads an
 * edge over more steps. @param step 1 along rows, the width along columns
 */
function steepness({ width, height, pixels }: GrayImage, step: number): number {
  const [length, lines, lineStep] = step === 1 ? [width, height, width] : [height, width, 1]
  let [edges, sum] = [0, 0]
  for (let line = 0; line < lines; line++) {
    const end = line * lineStep + (length - REACH) * step
    for (let at = line * lineStep; at < end; at += step) {
      const contrast = Math.abs(pixels[at + REACH * step]! - pixels[at]!)
      if (contrast < CONTRAST) continue
      let steepest = 0
      for (let i = 0; i < REACH; i++)
        steepest = Math.max(steepest, Math.abs(pixels[at + (i + 1) * step]! - pixels[at + i * step]!))
      edges++
      sum += Math.min(1, steepest / contrast)
    }
  }
  return edges === 0 ? 0 : sum / edges
}

function mean(pixels: Uint8Array): number {
  let sum = 0
  for (const level of pixels) sum += level
  return sum / pixels.length
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000
