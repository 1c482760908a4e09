import type { DetectedTag, GrayImage, Pixel } from './detector.ts'

/** Rows that neighbouring bands share. A tag of 140 pixels a side is whole in one of them, however it is turned. */
const SHARED_ROWS = 256

/**
 * Divides an image into bands of its full width. Neighbouring bands overlap by `SHARED_ROWS` rows. @param mostPixels of a band
 */
export function bandsOf({ width, height, pixels }: GrayImage, mostPixels: number) {
  const most = Math.max(SHARED_ROWS + 1, Math.floor(mostPixels / width))
  const count = Math.max(1, Math.ceil((height - SHARED_ROWS) / (most - SHARED_ROWS)))
  const step = Math.ceil((height - SHARED_ROWS) / count)
  return Array.from({ length: count }, (_, at): { top: number; band: GrayImage } => {
    const [top, bottom] = [at * step, Math.min(height, at * step + step + SHARED_ROWS)]
    return { top, band: { width, height: bottom - top, pixels: pixels.subarray(top * width, bottom * width) } }
  })
}

/** Returns a tag that was found in a band, in pixels of the image. @param rows of the image above the band */
export function movedDown({ corners, centre, ...tag }: DetectedTag, rows: number): DetectedTag {
  const down = ([x, y]: Pixel): Pixel => [x, y + rows]
  const [a, b, c, d] = corners
  return { ...tag, corners: [down(a), down(b), down(c), down(d)], centre: down(centre) }
}

/** Keeps the clearest of several readings of one tag: two tags with the same ID cannot overlap. */
export function clearestOf(found: DetectedTag[]): DetectedTag[] {
  const kept: DetectedTag[] = []
  for (const tag of found.toSorted((a, b) => b.margin - a.margin))
    if (!kept.some((other) => other.id === tag.id && apart(other.centre, tag.centre) < sideOf(other) / 2))
      kept.push(tag)
  return kept
}

const apart = ([ax, ay]: Pixel, [bx, by]: Pixel): number => Math.hypot(ax - bx, ay - by)
const sideOf = ({ corners: [a, b] }: DetectedTag): number => apart(a, b)
