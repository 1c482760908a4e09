import type { PointCloud } from '../../../../usdz/index.ts'
import type { Camera } from './camera.ts'
import { type Canvas, LINEAR } from './canvas.ts'
import type { Up } from './picture.ts'
import { type Pace, TooMuch } from './triangles.ts'
import { seen } from './vertices.ts'

/** Radii of points in samples. */
const [LEAST, MOST] = [0.8, 9]
/** Factor from the distance between points to their size, so that they look like a surface. */
const CLOSE = 0.95
/** Samples in a cell of the grid that counts points. */
const CELL = 16
/** Maximum size of points in sparse areas, relative to the average. */
const SPARSE = 2

/** Linear colours from the lowest to the highest point, for a cloud without colours. */
const LOW = [0.09, 0.16, 0.26] as const
const HIGH = [0.86, 0.76, 0.55] as const

/**
 * Draws clouds as discs whose size follows the local distance between points, so that dense areas have no gaps.
 * @param scratch has room for three numbers a point
 */
export function drawClouds(
  canvas: Canvas,
  camera: Camera,
  pointClouds: readonly PointCloud[],
  up: Up,
  scratch: Float32Array,
  pace: Pace,
) {
  for (const cloud of pointClouds) {
    for (const place of cloud.transforms) {
      const { screen } = seen(cloud.points, place, camera, canvas, scratch)
      const count = cloud.points.length / 3
      const { spacing, spacingAt } = densityOf(screen, count, canvas)
      const heights = cloud.colors ? undefined : heightsOf(cloud.points, up)
      for (let i = 0; i < count; i++) {
        const near = screen[i * 3 + 2]!
        if (near === 0) continue
        const apart = Math.min(spacing * SPARSE, spacingAt(screen[i * 3]!, screen[i * 3 + 1]!))
        const radius = Math.max(LEAST, Math.min(MOST, apart * CLOSE))
        colorOf(cloud, i, heights)
        disc(canvas, screen[i * 3]!, screen[i * 3 + 1]!, near, radius, pace)
      }
    }
  }
}

/** Distance between points in the picture, in samples: on average, and around a position. */
function densityOf(screen: Float32Array, count: number, { width, height }: Canvas) {
  const columns = Math.ceil(width / CELL)
  const counts = new Uint32Array(columns * Math.ceil(height / CELL))
  const cellAt = (x: number, y: number) =>
    x >= 0 && x < width && y >= 0 && y < height ? Math.floor(y / CELL) * columns + Math.floor(x / CELL) : -1
  let [total, cells] = [0, 0]
  for (let i = 0; i < count; i++) {
    const cell = screen[i * 3 + 2] === 0 ? -1 : cellAt(screen[i * 3]!, screen[i * 3 + 1]!)
    if (cell < 0) continue
    if (counts[cell]++ === 0) cells++
    total++
  }
  return {
    spacing: CELL * Math.sqrt(cells / Math.max(1, total)),
    spacingAt: (x: number, y: number) => CELL / Math.sqrt(counts[cellAt(x, y)] || 1),
  }
}

/** The height axis, and the range of heights of most points. */
function heightsOf(points: Float32Array, up: Up) {
  const axis = up === 'z' ? 2 : 1
  const step = Math.max(1, Math.floor(points.length / 3 / 10_000))
  const some: number[] = []
  for (let i = axis; i < points.length; i += 3 * step) some.push(points[i]!)
  some.sort((a, b) => a - b)
  const [low, high] = [some[Math.floor(some.length * 0.02)]!, some[Math.floor(some.length * 0.98)]!]
  return up === 'y-down' ? { axis, from: high, to: low } : { axis, from: low, to: high }
}

const COLOR = new Float32Array(3)

function colorOf(
  { colors, points }: PointCloud,
  index: number,
  heights: ReturnType<typeof heightsOf> | undefined,
): void {
  if (colors) {
    for (let k = 0; k < 3; k++) COLOR[k] = LINEAR[colors[index * 3 + k]!]!
    return
  }
  const { axis, from, to } = heights!
  const share = to === from ? 0.5 : Math.max(0, Math.min(1, (points[index * 3 + axis]! - from) / (to - from)))
  for (let k = 0; k < 3; k++) COLOR[k] = LOW[k]! + (HIGH[k]! - LOW[k]!) * share
}

function disc(canvas: Canvas, x: number, y: number, near: number, radius: number, pace: Pace): void {
  const { width, height, nearness, color, cover } = canvas
  const left = Math.max(0, Math.ceil(x - radius - 0.5))
  const right = Math.min(width - 1, Math.floor(x + radius - 0.5))
  const top = Math.max(0, Math.ceil(y - radius - 0.5))
  const bottom = Math.min(height - 1, Math.floor(y + radius - 0.5))
  // Negative outside.
  pace.left -= Math.max(0, right - left + 1) * Math.max(0, bottom - top + 1) + 1
  if (pace.left < 0) throw new TooMuch()
  for (let row = top; row <= bottom; row++) {
    for (let column = left; column <= right; column++) {
      if ((column + 0.5 - x) ** 2 + (row + 0.5 - y) ** 2 > radius * radius) continue
      const to = row * width + column
      if (!(near > nearness[to]!)) continue
      nearness[to] = near
      cover[to] = 1
      for (let k = 0; k < 3; k++) color[to * 3 + k] = COLOR[k]!
    }
  }
}
