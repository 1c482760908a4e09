import type { DetectedTag, GrayImage, Pixel } from './detector.ts'

/** Rows that neighbouring bands share. A tag of 140 pixels a side is whole in one of them, however it is turned. */
const SHARED_ROWS = 256

/** Parts of an image, as wide as it is, of at most so many pixels each, which lie in each other by `SHARED_ROWS`. */
export function bandsOf({ width, height, pixels }: GrayImage, mostPixels: number) {
  const most = Math.max(SHARED_ROWS + 1, Math.floor(mostPixels / width))
  const count = Math.max(1, Math.ceil((height - SHARED_ROWS) / (most - SHARED_ROWS)))
  const step = Math.ceil((height - SHARED_ROWS) / count)
  return Array.from({ length: count }, (_, at): { top: number; band: GrayImage } => {
    const [top, bottom] = [at * step, Math.min(height, at * step + step + SHARED_ROWS)]
    return { top, band: { width, height: bottom - top, pixels: pixels.subarray(top * width, bottom * width) } }
  })
}

/** A tag of a band, in pixels of the image. */
export function movedDown({ corners, centre, ...tag }: DetectedTag, rows: number): DetectedTag {
  const down = ([x, y]: Pixel): Pixel => [x, y + rows]
  const [a, b, c, d] = corners
  return { ...tag, corners: [down(a), down(b), down(c), down(d)], centre: down(centre) }
}

/** Each tag once, as it was read most clearly: two tags with an ID cannot lie in each other. */
export function clearestOf(found: DetectedTag[]): DetectedTag[] {
  const kept: DetectedTag[] = []
  for (const tag of found.toSorted((a, b) => b.margin - a.margin))
    if (!kept.some((other) => other.id === tag.id && apart(other.centre, tag.centre) < sideOf(other) / 2))
      kept.push(tag)
  return kept
}

const apart = ([ax, ay]: Pixel, [bx, by]: Pixel): number => Math.hypot(ax - bx, ay - by)
const sideOf = ({ corners: [a, b] }: DetectedTag): number => apart(a, b)
