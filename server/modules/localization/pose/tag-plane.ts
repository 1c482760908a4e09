import { axesAt, type Frame } from './frames.ts'
import { difference, scaled, sum, times, transposed, type Vector } from './vectors.ts'

const RADIANS = Math.PI / 180

/** How a tag is placed: degrees. */
export type TagPose = { heading: number; tilt: number; turn: number; accuracy: number }

/**
 * The corners of a tag from its centre: bottom left, bottom right, top right, top left of the upright tag; in metres, in the
 * axes of a frame. Its axes are those of east, north and up at its own place.
 */
export function cornersOf(size: number, pose: TagPose, { lat, lon }: { lat: number; lon: number }, frame: Frame) {
  const toFrame = (v: Vector) => times(frame.axes, times(transposed(axesAt(lat, lon)), v))
  const [right, up] = sidesOf(pose)
  const half = (x: number, y: number) => toFrame(scaled(sum(scaled(right, x), scaled(up, y)), size / 2))
  return [half(-1, -1), half(1, -1), half(1, 1), half(-1, 1)]
}

/** To the right of a tag and to its top, seen from its front. */
function sidesOf({ heading, tilt, turn }: TagPose): [Vector, Vector] {
  const [sh, ch] = [Math.sin(heading * RADIANS), Math.cos(heading * RADIANS)]
  const [st, ct] = [Math.sin(tilt * RADIANS), Math.cos(tilt * RADIANS)]
  const [sc, cc] = [Math.sin(turn * RADIANS), Math.cos(turn * RADIANS)]
  const right: Vector = [ch, -sh, 0]
  const up: Vector = [ct * sh, ct * ch, st]
  return [difference(scaled(right, cc), scaled(up, sc)), sum(scaled(right, sc), scaled(up, cc))]
}
