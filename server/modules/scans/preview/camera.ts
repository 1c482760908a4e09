import type { Up } from './picture.ts'

/** Size of a preview in pixels. */
export const WIDTH = 640
export const HEIGHT = 480
/** Vertical field of view, as narrow as a portrait lens: 30 degrees. */
const FOCAL = 1 / Math.tan((15 * Math.PI) / 180)
/** Share of the picture that the model fills. */
const FILL = 0.9
/** Direction of the camera: from the front, to the right and up, in degrees. */
const TURN = 35
const RISE = 22
/** Flat things are seen from higher up. */
const FLAT_RISE = 42

/** A camera: rows of the matrix to camera space (right, up, backwards) and its viewport. Depths are distances along its axis. */
export type Camera = {
  right: Vector
  up: Vector
  away: Vector
  eye: Vector
  /** Pixels per unit at distance one, in a picture of HEIGHT pixels. */
  focal: number
  near: number
}
type Vector = readonly [number, number, number]

/** A sample of all positions, which decides the direction of the camera. @param points x y z of each */
export function cameraFor(points: Float64Array, up: Up): Camera {
  const center = [0, 1, 2].map((axis) => middleOf(points, axis)) as unknown as Vector
  const spans = [0, 1, 2].map((axis) => spanOf(points, axis))
  const { above, front } = AXES[up]
  const side = cross(above, front)
  const size = (axis: Vector) => Math.abs(dot(axis, spans as unknown as Vector))
  const [height, width, depth] = [size(above), size(side), size(front)]
  const rise = height < 0.25 * Math.max(width, depth) && height < Math.min(width, depth) ? FLAT_RISE : RISE
  // A picture on a wall is seen from the front.
  const turn = depth < 0.15 * Math.min(width, height) ? TURN / 2 : TURN

  const [a, b] = [(turn * Math.PI) / 180, (rise * Math.PI) / 180]
  const toward = sum(
    scaled(front, Math.cos(a) * Math.cos(b)),
    scaled(side, Math.sin(a) * Math.cos(b)),
    scaled(above, Math.sin(b)),
  )
  const right = unit(cross(above, toward))
  const upward = cross(toward, right)
  return framed(points, center, { right, up: upward, away: scaled(toward, -1) })
}

const AXES: Record<Up, { above: Vector; front: Vector }> = {
  y: { above: [0, 1, 0], front: [0, 0, 1] },
  z: { above: [0, 0, 1], front: [0, -1, 0] },
  'y-down': { above: [0, -1, 0], front: [0, 0, -1] },
}

/** Moves the camera to where all points are visible and fill the picture evenly. */
function framed(points: Float64Array, center: Vector, axes: Pick<Camera, 'right' | 'up' | 'away'>): Camera {
  const { right, up, away } = axes
  const tan = { x: (FILL * WIDTH) / HEIGHT / FOCAL, y: FILL / FOCAL }
  // For each side of the view, the offset of the plane through the eye that bounds all points.
  let [left, rightmost, low, high] = [-Infinity, -Infinity, -Infinity, -Infinity]
  let [nearest, farthest] = [Infinity, -Infinity]
  for (let i = 0; i < points.length; i += 3) {
    const p: Vector = [points[i]! - center[0], points[i + 1]! - center[1], points[i + 2]! - center[2]]
    const [x, y, z] = [dot(p, right), dot(p, up), dot(p, away)]
    left = Math.max(left, -x - z * tan.x)
    rightmost = Math.max(rightmost, x - z * tan.x)
    low = Math.max(low, -y - z * tan.y)
    high = Math.max(high, y - z * tan.y)
    nearest = Math.min(nearest, z)
    farthest = Math.max(farthest, z)
  }
  const distance = Math.max((left + rightmost) / 2 / tan.x, (low + high) / 2 / tan.y, (farthest - nearest) * 1e-3, 1e-9)
  // Near points may need more than half of the picture: shift the viewport, do not turn the camera.
  const eye = sum(center, scaled(right, (rightmost - left) / 2), scaled(up, (high - low) / 2), scaled(away, -distance))
  const near = Math.max((distance + nearest) * 0.5, distance * 1e-3)
  return { ...axes, eye, focal: (FOCAL * HEIGHT) / 2, near }
}

function middleOf(points: Float64Array, axis: number): number {
  let [low, high] = [Infinity, -Infinity]
  for (let i = axis; i < points.length; i += 3) {
    low = Math.min(low, points[i]!)
    high = Math.max(high, points[i]!)
  }
  return (low + high) / 2
}

function spanOf(points: Float64Array, axis: number): number {
  const middle = middleOf(points, axis)
  let most = 0
  for (let i = axis; i < points.length; i += 3) most = Math.max(most, Math.abs(points[i]! - middle))
  return most * 2
}

const dot = (a: Vector, b: Vector) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
const scaled = (a: Vector, by: number): Vector => [a[0] * by, a[1] * by, a[2] * by]
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]
const unit = (a: Vector): Vector => scaled(a, 1 / (Math.hypot(...a) || 1))
const sum = (...all: Vector[]): Vector => [0, 1, 2].map((k) => all.reduce((t, v) => t + v[k]!, 0)) as unknown as Vector
