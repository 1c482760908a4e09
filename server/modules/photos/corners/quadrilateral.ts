import type { Corners, PhotoTag } from '../schema.ts'
import type { PlacedRow } from '../store.ts'

type Pixel = Corners[number]

/** Pixels of the shortest side: below, a pixel more or less moves the center by as much as it is worth. */
export const MIN_SIDE = 4
/** Sine of the smallest angle at a corner, 3°: the center of a flatter figure is not where its diagonals seem to meet. */
const MIN_SINE = 0.05

/** Why these cannot be the corners of a tag in an image; undefined if they can. */
export function problemOf(corners: Corners, { width, height }: { width: number; height: number }): string | undefined {
  const isInside = ([x, y]: Pixel) => x >= -0.5 && y >= -0.5 && x <= width - 0.5 && y <= height - 0.5
  if (!corners.every(isInside)) return `must be inside the image, which has ${width}x${height} pixels`
  const sides = corners.map((corner, at) => difference(corners[(at + 1) % 4]!, corner))
  if (Math.min(...sides.map(([x, y]) => Math.hypot(x, y))) < MIN_SIDE)
    return `must be at least ${MIN_SIDE} pixels apart`
  // Below zero where the outline turns to the left, with y down.
  const turns = sides.map((side, at) => sineBetween(side, sides[(at + 1) % 4]!))
  if (turns.every((sine) => sine > MIN_SINE))
    return 'must be counter-clockwise in the image: bottom left, bottom right, top right, top left of the upright tag'
  if (!turns.every((sine) => sine < -MIN_SINE)) return 'must be those of a convex quadrilateral, in order'
  return undefined
}

/** A tag whose corners were placed by hand, as the API returns it. */
export const placedTag = ({ aprilTagId, corners }: PlacedRow): PhotoTag => ({
  id: aprilTagId,
  family: 'tag36h11',
  source: 'hand',
  corners,
  center: inHundredths(centerOf(corners)),
  hamming: 0,
  margin: 0,
})

export const inHundredths = ([x, y]: Pixel): Pixel => [hundredths(x), hundredths(y)]

const hundredths = (value: number): number => Math.round(value * 100) / 100

/** Where the diagonals of a convex quadrilateral meet, which is the center of the tag in any perspective. */
function centerOf([a, b, c, d]: Corners): Pixel {
  const [along, across] = [difference(c, a), difference(d, b)]
  const share = cross(difference(b, a), across) / cross(along, across)
  return [a[0] + share * along[0], a[1] + share * along[1]]
}

const difference = ([ax, ay]: Pixel, [bx, by]: Pixel): Pixel => [ax - bx, ay - by]
const cross = ([ax, ay]: Pixel, [bx, by]: Pixel): number => ax * by - ay * bx
const sineBetween = (a: Pixel, b: Pixel): number => cross(a, b) / (Math.hypot(...a) * Math.hypot(...b))
