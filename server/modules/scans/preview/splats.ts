import type { Matrix } from '../../../../usdz/index.ts'
import type { Camera } from './camera.ts'
import { type Canvas, LINEAR } from './canvas.ts'
import { type Pace, TooMuch } from './triangles.ts'
import { seen, viewOf } from './vertices.ts'

/** 3D Gaussian splats. */
export type Splats = {
  count: number
  points: Float32Array
  /** r g b in sRGB. */
  colors: Uint8Array
  /** Opacity in the centre, 0 to 255. */
  opacities: Uint8Array
  /** Standard deviations along the three axes of the splat. */
  scales: Float32Array
  /** Unit quaternions w x y z. */
  turns: Float32Array
  place: Matrix
}

/** Radius at which a splat ends, in standard deviations. */
const REACH = 3
/** Added to the variance in pixels squared, so that no splat is smaller than a pixel (Kerbl et al. 2023). */
const BLUR = 0.3
/** Maximum radius in pixels: splats of the sky would cover the picture many times. */
const MAX_RADIUS = 160
/** Transmittance below which nothing behind is visible. */
const MIN_THROUGH = 1 / 255

/**
 * Draws splats front to back, each as the projected ellipse of its ellipsoid (EWA splatting, Zwicker 2001), until the
 * pixels are opaque. Blends colours in sRGB, as they were trained.
 */
export function drawSplats(canvas: Canvas, camera: Camera, splats: Splats, pace: Pace): void {
  const { width, height, color, cover } = canvas
  const { screen } = seen(splats.points, splats.place, camera, canvas, new Float32Array(splats.points.length))
  const view = viewOf(camera, splats.place)
  const focal = (camera.focal * height) / 480
  const through = new Float32Array(width * height).fill(1)
  const mixed = new Float32Array(width * height * 3)
  const ellipse = new Float64Array(3)
  for (const i of nearestFirst(screen, splats)) {
    const [x, y, near] = [screen[i * 3]!, screen[i * 3 + 1]!, screen[i * 3 + 2]!]
    covered(splats, i, view, (x - width / 2) / focal, (height / 2 - y) / focal, focal * near, ellipse)
    const [xx, xy, yy] = ellipse as unknown as [number, number, number]
    const determinant = xx * yy - xy * xy
    if (!(determinant > 0 && Number.isFinite(determinant))) continue
    const reachX = Math.min(MAX_RADIUS, REACH * Math.sqrt(xx))
    const reachY = Math.min(MAX_RADIUS, REACH * Math.sqrt(yy))
    const left = Math.max(0, Math.ceil(x - reachX - 0.5))
    const right = Math.min(width - 1, Math.floor(x + reachX - 0.5))
    const top = Math.max(0, Math.ceil(y - reachY - 0.5))
    const bottom = Math.min(height - 1, Math.floor(y + reachY - 0.5))
    pace.left -= Math.max(0, right - left + 1) * Math.max(0, bottom - top + 1) * 2 + 1
    if (pace.left < 0) throw new TooMuch()
    const opacity = splats.opacities[i]! / 255
    const [r, g, b] = [splats.colors[i * 3]! / 255, splats.colors[i * 3 + 1]! / 255, splats.colors[i * 3 + 2]! / 255]
    for (let row = top; row <= bottom; row++) {
      const dy = row + 0.5 - y
      for (let column = left; column <= right; column++) {
        const to = row * width + column
        const light = through[to]!
        if (light < MIN_THROUGH) continue
        const dx = column + 0.5 - x
        const power = (yy * dx * dx - 2 * xy * dx * dy + xx * dy * dy) / (2 * determinant)
        if (power > (REACH * REACH) / 2) continue
        const share = opacity * Math.exp(-power)
        if (share < MIN_THROUGH) continue
        mixed[to * 3]! += light * share * r
        mixed[to * 3 + 1]! += light * share * g
        mixed[to * 3 + 2]! += light * share * b
        through[to] = light * (1 - share)
      }
    }
  }
  for (let at = 0; at < through.length; at++) {
    const share = 1 - through[at]!
    if (share < MIN_THROUGH) continue
    cover[at] = share
    for (let k = 0; k < 3; k++)
      color[at * 3 + k] = share * LINEAR[Math.min(255, Math.round((255 * mixed[at * 3 + k]!) / share))]!
  }
}

function nearestFirst(screen: Float32Array, { count }: Splats): Uint32Array {
  const seenOnes = new Uint32Array(count)
  let length = 0
  for (let i = 0; i < count; i++) if (screen[i * 3 + 2]! > 0) seenOnes[length++] = i
  return seenOnes.subarray(0, length).sort((a, b) => screen[b * 3 + 2]! - screen[a * 3 + 2]!)
}

/** The projected covariance of a splat in pixels squared: xx, xy, yy, rows growing downwards. @param u v its direction from the camera, v upwards @param size pixels per unit at its distance */
function covered(
  { scales, turns }: Splats,
  i: number,
  view: Float64Array,
  u: number,
  v: number,
  size: number,
  out: Float64Array,
): void {
  const [w, x, y, z] = [turns[i * 4]!, turns[i * 4 + 1]!, turns[i * 4 + 2]!, turns[i * 4 + 3]!]
  const axes = [
    [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
    [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
    [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
  ]
  let [xx, xy, yy] = [BLUR, 0, BLUR]
  for (let axis = 0; axis < 3; axis++) {
    const [a, b, c] = axes[axis] as [number, number, number]
    const scale = scales[i * 3 + axis]!
    const right = view[0]! * a + view[1]! * b + view[2]! * c
    const up = view[4]! * a + view[5]! * b + view[6]! * c
    const away = view[8]! * a + view[9]! * b + view[10]! * c
    // Offset of the end of this axis from the centre, in the picture.
    const dx = size * scale * (right - u * away)
    const dy = -size * scale * (up - v * away)
    xx += dx * dx
    xy += dx * dy
    yy += dy * dy
  }
  out[0] = xx
  out[1] = xy
  out[2] = yy
}
