import { cellsOf, type GrayImage, type Pixel } from '../../../modules/tags/detector/detector.ts'
import { randomOf } from '../../attack/random.ts'

/** A tag in front of a camera: where its centre appears, how large, and how it is turned. */
export type ScenePart = {
  id: number
  /** The pixel of its centre; the centre of the top left pixel is (0, 0). */
  at: Pixel
  /** Pixels of a side of its black border, seen from the front. */
  side: number
  /** Degrees by which it is turned in its plane, clockwise. */
  turn?: number
  /** Degrees by which its plane is tilted away from the camera, and the direction of the tilt. */
  tilt?: number
  tiltTowards?: number
  /** The pixel of each of its points, instead of all of the above. */
  project?: Project
  /** The reverse of `project`: needed where a lens distorts the tag, whose edges are curves then. */
  unproject?: (x: number, y: number) => Pixel
}

export type Scene = {
  width: number
  height: number
  tags: ScenePart[]
  /** Focal length in pixels. */
  focal?: number
  /** Standard deviations: of the blur in pixels, of the noise in levels of 255. */
  blur?: number
  noise?: number
  seed?: number
  /** A shadow on everything left of a line that leans to the right: the share of the light that is left. */
  shadow?: { x: number; lean: number; light: number }
  /** What hides parts of the picture, as leaves do. */
  leaves?: { at: Pixel; radius: number }[]
}

const RADIANS = Math.PI / 180
/** Samples of a pixel along each side. */
const SAMPLES = 5
const WHITE = 215
const BLACK = 35
const LEAF = 95
/** The tag has 8 cells between the outer edges of its border, and one of white around. */
const CELLS = 10
const BORDER = 8

/**
 * Draws tags as a pinhole camera without distortion sees them, on a textured ground. @returns the picture, and the true
 * corners and centre of each tag, as the detector names them
 */
export function drawScene(scene: Scene) {
  const { width, height, tags, focal = width, blur = 0.7, noise = 3, seed = 1 } = scene
  const { fraction, normal } = randomOf(seed)
  const levels = ground(width, height, fraction)
  const truths = tags.map((tag) => {
    const project = tag.project ?? projection(tag, width, height, focal)
    paint(levels, { width, height }, tag, project)
    const half = 0.5
    const corners = [project(-half, half), project(half, half), project(half, -half), project(-half, -half)]
    return { id: tag.id, corners, centre: project(0, 0) }
  })
  cover(levels, scene)
  const blurred = blur > 0 ? gaussian(levels, width, height, blur) : levels
  const pixels = Uint8Array.from(blurred, (level) => clamp(level + noise * normal()))
  return { image: { width, height, pixels } satisfies GrayImage, truths }
}

/** The pixel of a point of the tag, in sides from its centre: u to its right, v down. */
type Project = (u: number, v: number) => Pixel

function projection(
  { at, side, turn = 0, tilt = 0, tiltTowards = 0 }: ScenePart,
  width: number,
  height: number,
  focal: number,
): Project {
  const [cx, cy] = [(width - 1) / 2, (height - 1) / 2]
  const depth = focal / side
  const centre = [((at[0] - cx) / focal) * depth, ((at[1] - cy) / focal) * depth] as const
  const [c, s] = [Math.cos(turn * RADIANS), Math.sin(turn * RADIANS)]
  const [ax, ay] = [Math.cos(tiltTowards * RADIANS), Math.sin(tiltTowards * RADIANS)]
  return (u, v) => {
    const [x, y] = [c * u - s * v, s * u + c * v]
    // The part along the direction of the tilt is foreshortened and moves away.
    const along = x * ax + y * ay
    const shift = along * (Math.cos(tilt * RADIANS) - 1)
    const z = depth + along * Math.sin(tilt * RADIANS)
    const [px, py] = [centre[0] + x + shift * ax, centre[1] + y + shift * ay]
    return [cx + (focal * px) / z, cy + (focal * py) / z]
  }
}

function paint(
  levels: Float32Array,
  { width, height }: Pick<Scene, 'width' | 'height'>,
  { id, unproject }: ScenePart,
  project: Project,
): void {
  const cells = cellsOf(id)
  const reach = CELLS / BORDER / 2
  const outline = [project(-reach, -reach), project(reach, -reach), project(reach, reach), project(-reach, reach)]
  const inverse = unproject ? onTag(unproject) : planeOf(outline)
  const bulges = unproject ? [project(0, -reach), project(reach, 0), project(0, reach), project(-reach, 0)] : []
  const around = [...outline, ...bulges]
  const [left, right] = [Math.min(...around.map(([x]) => x)), Math.max(...around.map(([x]) => x))]
  const [top, bottom] = [Math.min(...around.map(([, y]) => y)), Math.max(...around.map(([, y]) => y))]
  for (let y = Math.max(0, Math.floor(top)); y <= Math.min(height - 1, Math.ceil(bottom)); y++)
    for (let x = Math.max(0, Math.floor(left)); x <= Math.min(width - 1, Math.ceil(right)); x++) {
      const under = levels[y * width + x]!
      let sum = 0
      for (let i = 0; i < SAMPLES; i++)
        for (let j = 0; j < SAMPLES; j++) {
          const [u, v] = inverse(x - 0.5 + (i + 0.5) / SAMPLES, y - 0.5 + (j + 0.5) / SAMPLES)
          const isOn = u >= 0 && u < 1 && v >= 0 && v < 1
          const cell = isOn ? cells[Math.floor(v * CELLS) * CELLS + Math.floor(u * CELLS)]! : -1
          sum += cell < 0 ? under : cell > 0 ? WHITE : BLACK
        }
      levels[y * width + x] = sum / SAMPLES ** 2
    }
}

/** Puts the leaves and the shadow over the picture. */
function cover(levels: Float32Array, { width, height, shadow, leaves = [] }: Scene): void {
  if (!shadow && leaves.length === 0) return
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const index = y * width + x
      const isHidden = leaves.some(({ at, radius }) => Math.hypot(x - at[0], y - at[1]) < radius)
      const isDark = shadow !== undefined && x < shadow.x + shadow.lean * y
      levels[index] = (isHidden ? LEAF : levels[index]!) * (isDark ? shadow.light : 1)
    }
}

/** From a place in a pixel to the unit square of a tag with its white edge: linear within the pixel. */
function onTag(unproject: (x: number, y: number) => Pixel): (x: number, y: number) => Pixel {
  const at = (x: number, y: number): Pixel => {
    const [u, v] = unproject(x, y)
    return [(u * BORDER) / CELLS + 0.5, (v * BORDER) / CELLS + 0.5]
  }
  let [px, py] = [Number.NaN, Number.NaN]
  let [u, v, ux, vx, uy, vy] = [0, 0, 0, 0, 0, 0]
  return (x, y) => {
    if (Math.round(x) !== px || Math.round(y) !== py) {
      ;[px, py] = [Math.round(x), Math.round(y)]
      ;[u, v] = at(px, py)
      const [right, below] = [at(px + 0.5, py), at(px, py + 0.5)]
      ;[ux, vx] = [2 * (right[0] - u), 2 * (right[1] - v)]
      ;[uy, vy] = [2 * (below[0] - u), 2 * (below[1] - v)]
    }
    return [u + ux * (x - px) + uy * (y - py), v + vx * (x - px) + vy * (y - py)]
  }
}

/** From a pixel to the unit square whose corners are these (Heckbert, Fundamentals of Texture Mapping, 1989, 2.2.3). */
function planeOf(corners: Pixel[]): (x: number, y: number) => Pixel {
  const [[x0, y0], [x1, y1], [x2, y2], [x3, y3]] = corners as [Pixel, Pixel, Pixel, Pixel]
  const [dx1, dx2, sx] = [x1 - x2, x3 - x2, x0 - x1 + x2 - x3]
  const [dy1, dy2, sy] = [y1 - y2, y3 - y2, y0 - y1 + y2 - y3]
  const det = dx1 * dy2 - dx2 * dy1
  const [g, h] = [(sx * dy2 - dx2 * sy) / det, (dx1 * sy - sx * dy1) / det]
  const [a, b, c] = [x1 - x0 + g * x1, x3 - x0 + h * x3, x0]
  const [d, e, f] = [y1 - y0 + g * y1, y3 - y0 + h * y3, y0]
  // The adjugate is the inverse up to a factor.
  return (x, y) => {
    const u = (e - f * h) * x + (c * h - b) * y + (b * f - c * e)
    const v = (f * g - d) * x + (a - c * g) * y + (c * d - a * f)
    const w = (d * h - e * g) * x + (b * g - a * h) * y + (a * e - b * d)
    return [u / w, v / w]
  }
}

/** Grass or gravel: patches of several sizes. */
function ground(width: number, height: number, random: () => number): Float32Array {
  const levels = new Float32Array(width * height).fill(110)
  for (const [size, strength] of [
    [64, 35],
    [12, 25],
    [3, 20],
  ] as const) {
    const columns = Math.ceil(width / size) + 2
    const grid = Float32Array.from(
      { length: columns * (Math.ceil(height / size) + 2) },
      () => (random() - 0.5) * strength,
    )
    for (let y = 0; y < height; y++) {
      const [row, down] = [Math.floor(y / size), (y % size) / size]
      for (let x = 0; x < width; x++) {
        const [column, right] = [Math.floor(x / size), (x % size) / size]
        const at = row * columns + column
        const upper = grid[at]! * (1 - right) + grid[at + 1]! * right
        const lower = grid[at + columns]! * (1 - right) + grid[at + columns + 1]! * right
        levels[y * width + x]! += upper * (1 - down) + lower * down
      }
    }
  }
  return levels
}

function gaussian(levels: Float32Array, width: number, height: number, sigma: number): Float32Array {
  const reach = Math.ceil(3 * sigma)
  const weights = Array.from({ length: 2 * reach + 1 }, (_, i) => Math.exp(-((i - reach) ** 2) / (2 * sigma ** 2)))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const pass = (from: Float32Array, step: number, length: number, other: number, otherStep: number) => {
    const to = new Float32Array(from.length)
    for (let line = 0; line < other; line++)
      for (let at = 0; at < length; at++) {
        let sum = 0
        for (let i = -reach; i <= reach; i++) {
          const near = Math.min(length - 1, Math.max(0, at + i))
          sum += weights[i + reach]! * from[line * otherStep + near * step]!
        }
        to[line * otherStep + at * step] = sum / total
      }
    return to
  }
  return pass(pass(levels, 1, width, height, width), width, height, width, 1)
}

const clamp = (level: number): number => Math.max(0, Math.min(255, Math.round(level)))
