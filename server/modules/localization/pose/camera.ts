import type { Vector } from './vectors.ts'

/**
 * A pinhole camera in pixels, with the distortion of OpenCV: k1, k2, p1, p2, k3 (D. Brown, 1971). The centre of the top left
 * pixel is (0, 0).
 */
export type Camera = { fx: number; fy: number; cx: number; cy: number; distortion: readonly number[] }

type Point = [x: number, y: number]

/** The diagonal of 35 mm film, 36 by 24 mm. */
const FILM_DIAGONAL = Math.hypot(36, 24)
const STEPS = 50
/** Of a direction; a thousandth of what counts. */
const SETTLED = 1e-12

/** The camera of a photo by its focal length for 35 mm film, which is by the diagonal (CIPA DCG-001). */
export function cameraOf(focalLength35: number, width: number, height: number): Camera {
  const focal = (focalLength35 / FILM_DIAGONAL) * Math.hypot(width, height)
  return { fx: focal, fy: focal, cx: (width - 1) / 2, cy: (height - 1) / 2, distortion: [] }
}

/** The pixel of a point in front of the camera: x to the right, y down, z forward. */
export function pixelOf({ fx, fy, cx, cy, distortion }: Camera, [x, y, z]: Vector): Point {
  const [u, v] = distorted([x / z, y / z], distortion)
  return [fx * u + cx, fy * v + cy]
}

/**
 * The direction of a pixel: x and y at a distance of 1 along z, without distortion, by Newton's method. Undefined where the
 * distortion has no inverse, far outside the image for which it was measured.
 */
export function directionOf(
  { fx, fy, cx, cy, distortion }: Camera,
  [px, py]: readonly [number, number],
): Point | undefined {
  const [u, v] = [(px - cx) / fx, (py - cy) / fy]
  let [x, y] = [u, v]
  for (let step = 0; step < STEPS; step++) {
    const [du, dv] = distorted([x, y], distortion)
    if (Math.abs(u - du) + Math.abs(v - dv) < SETTLED) return [x, y]
    const [[a, b], [c, d]] = derivativeAt([x, y], distortion)
    const determinant = a * d - b * c
    // Beyond the fold of the lens, where it turns the image over, is another direction with this pixel.
    if (!(a > 0 && determinant > 0)) return undefined
    ;[x, y] = [x + (d * (u - du) - b * (v - dv)) / determinant, y + (a * (v - dv) - c * (u - du)) / determinant]
  }
  return undefined
}

function distorted([x, y]: Point, [k1 = 0, k2 = 0, p1 = 0, p2 = 0, k3 = 0]: readonly number[]): Point {
  const r2 = x * x + y * y
  const radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
  return [x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x), y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y]
}

/** The derivative of `distorted`. */
function derivativeAt([x, y]: Point, [k1 = 0, k2 = 0, p1 = 0, p2 = 0, k3 = 0]: readonly number[]): [Point, Point] {
  const r2 = x * x + y * y
  const radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
  const growth = k1 + r2 * (2 * k2 + 3 * r2 * k3)
  const across = 2 * x * y * growth + 2 * p1 * x + 2 * p2 * y
  return [
    [radial + 2 * x * x * growth + 2 * p1 * y + 6 * p2 * x, across],
    [across, radial + 2 * y * y * growth + 6 * p1 * y + 2 * p2 * x],
  ]
}
