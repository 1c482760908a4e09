import sharp from 'sharp'
import { frameAt, placeOf } from '../../../modules/localization/pose/frames.ts'
import {
  cross,
  difference,
  scaled,
  sum,
  times,
  transposed,
  unit,
  type Vector,
} from '../../../modules/localization/pose/vectors.ts'
import type { Ecef } from '../../../modules/places/geodesy.ts'
import { drawScene } from './tag-scene.ts'

const [WIDTH, HEIGHT, FOCAL] = [1280, 960, 1200]
export const CAMERA = { fx: FOCAL, fy: FOCAL, cx: (WIDTH - 1) / 2, cy: (HEIGHT - 1) / 2 }

export type Place = { lat: number; lon: number; h: number }
type PlacedTag = {
  id: number
  /** Metres of a side of its black border. */
  size: number
  /** From the site: metres to the east, north and up. */
  at: Vector
  /** To its right and to its top, seen from its front: east, north, up. */
  right: Vector
  top: Vector
}

/** A JPEG of tags at a site, from a camera that faces the site with its top up, and where that camera is. */
export async function photoOfTags(site: Place, from: Vector, tags: PlacedTag[]) {
  const frame = frameAt(site)
  const forward = unit(scaled(from, -1))
  const right = unit(cross(forward, [0, 0, 1]))
  const rotation = [right, cross(forward, right), forward] as const
  const parts = tags.map(({ id, size, at, right, top }) => ({
    id,
    at: [0, 0] as [number, number],
    side: size,
    project: (u: number, v: number): [number, number] => {
      const point = sum(at, sum(scaled(right, u * size), scaled(top, -v * size)))
      const [x, y, z] = times(rotation, difference(point, from))
      return [(FOCAL * x) / z + CAMERA.cx, (FOCAL * y) / z + CAMERA.cy]
    },
  }))
  const { image } = drawScene({ width: WIDTH, height: HEIGHT, focal: FOCAL, tags: parts })
  const raw = { width: WIDTH, height: HEIGHT, channels: 1 as const }
  return {
    image,
    bytes: await sharp(image.pixels, { raw }).jpeg({ quality: 92 }).toBuffer(),
    camera: placeOf(sum(frame.origin, times(transposed(frame.axes), from)) as Ecef),
    placed: (at: Vector) => placeOf(sum(frame.origin, times(transposed(frame.axes), at)) as Ecef),
  }
}
