import type { PreviewMaterial, PreviewMesh } from '../../../../usdz/index.ts'
import type { Camera } from './camera.ts'
import type { Canvas } from './canvas.ts'
import { diffuseOf, shineOf } from './light.ts'
import { planeOf, ROUND, smoothNormals } from './normals.ts'
import { sample, type Texture } from './textures.ts'
import { seen } from './vertices.ts'

/** The decoded images of a material. */
export type Painted = { image?: Texture | undefined; emissiveImage?: Texture | undefined }

/** Work left for one picture, in visited samples: bounds geometry that covers the picture a thousand times. */
export type Pace = { left: number }

/** Thrown when the picture would take too long. */
export class TooMuch extends Error {}

/** Values shared by the triangles of one surface instance. */
type Brush = {
  canvas: Canvas
  surface: PreviewMesh
  material: PreviewMaterial
  painted: Painted
  screen: Float32Array
  /** Diffuse and specular light at the three corners of the current triangle. */
  light: Float64Array
  pace: Pace
  isBlend: boolean
}

/**
 * Draws the triangles of a surface at each of its instances: the opaque ones, and in a later pass the transparent ones
 * back to front.
 * @param scratch has room for three numbers a vertex
 */
export function drawSurface(
  canvas: Canvas,
  camera: Camera,
  surface: PreviewMesh,
  painted: Painted,
  isBlend: boolean,
  scratch: Float32Array,
  pace: Pace,
): void {
  const { points, indices, material } = surface
  const normals = surface.normals ?? smoothNormals(points, indices)
  const hasEdges = !surface.normals
  for (const place of surface.transforms) {
    const { screen, normal, isMirrored } = seen(points, place, camera, canvas, scratch)
    const brush: Brush = { canvas, surface, material, painted, screen, light: new Float64Array(6), pace, isBlend }
    const order = isBlend ? farthestFirst(indices, screen) : undefined
    for (let i = 0; i < indices.length / 3; i++) {
      const at = (order ? order[i]! : i) * 3
      const area = areaOf(screen, indices, at)
      if (area === 0) continue
      const isBack = area > 0 !== isMirrored
      if (isBack && !material.doubleSided) continue
      const box = boxOf(screen, indices, at, canvas)
      if (!box) continue
      lightCorners(brush.light, { points, indices, normals, normal, at, isBack, hasEdges, isUnlit: material.isUnlit })
      fill(brush, at, area, box)
    }
  }
}

/** Twice the area in samples, positive if clockwise in the picture; 0 if it cannot be drawn. */
function areaOf(screen: Float32Array, indices: Uint32Array, at: number): number {
  const [a, b, c] = [indices[at]! * 3, indices[at + 1]! * 3, indices[at + 2]! * 3]
  if (screen[a + 2] === 0 || screen[b + 2] === 0 || screen[c + 2] === 0) return 0
  const area =
    (screen[b]! - screen[a]!) * (screen[c + 1]! - screen[a + 1]!) -
    (screen[c]! - screen[a]!) * (screen[b + 1]! - screen[a + 1]!)
  return Number.isFinite(area) ? area : 0
}

const BOX = { left: 0, right: 0, top: 0, bottom: 0 }

/** The samples whose centres a triangle may cover. Returns the same object each time. */
function boxOf(screen: Float32Array, indices: Uint32Array, at: number, { width, height }: Canvas) {
  const [a, b, c] = [indices[at]! * 3, indices[at + 1]! * 3, indices[at + 2]! * 3]
  const [ax, bx, cx] = [screen[a]!, screen[b]!, screen[c]!]
  const [ay, by, cy] = [screen[a + 1]!, screen[b + 1]!, screen[c + 1]!]
  BOX.left = Math.max(0, Math.ceil(Math.min(ax, bx, cx) - 0.5))
  BOX.right = Math.min(width - 1, Math.floor(Math.max(ax, bx, cx) - 0.5))
  BOX.top = Math.max(0, Math.ceil(Math.min(ay, by, cy) - 0.5))
  BOX.bottom = Math.min(height - 1, Math.floor(Math.max(ay, by, cy) - 0.5))
  return BOX.left <= BOX.right && BOX.top <= BOX.bottom ? BOX : undefined
}

type Corners = {
  points: Float32Array
  indices: Uint32Array
  normals: Float32Array
  normal: Float64Array
  at: number
  isBack: boolean
  hasEdges: boolean
  isUnlit: boolean
}

const PLANE = new Float64Array(3)

function lightCorners(light: Float64Array, corners: Corners): void {
  const { points, indices, normals, normal: m, at, isBack, hasEdges, isUnlit } = corners
  if (isUnlit) {
    light.fill(1, 0, 3).fill(0, 3)
    return
  }
  if (hasEdges) planeOf(points, indices, at, PLANE)
  const planeLength = Math.sqrt(PLANE[0]! ** 2 + PLANE[1]! ** 2 + PLANE[2]! ** 2)
  for (let corner = 0; corner < 3; corner++) {
    const from = indices[at + corner]! * 3
    let x = normals[from]!
    let y = normals[from + 1]!
    let z = normals[from + 2]!
    if (hasEdges) {
      const along = x * PLANE[0]! + y * PLANE[1]! + z * PLANE[2]!
      if (!(along >= ROUND * planeLength * Math.sqrt(x * x + y * y + z * z)))
        [x, y, z] = PLANE as unknown as number[] as [number, number, number]
    }
    const u = m[0]! * x + m[1]! * y + m[2]! * z
    const v = m[3]! * x + m[4]! * y + m[5]! * z
    const w = m[6]! * x + m[7]! * y + m[8]! * z
    const length = Math.sqrt(u * u + v * v + w * w)
    const by = length > 0 ? (isBack ? -1 : 1) / length : 0
    light[corner] = diffuseOf(u * by, v * by, w * by)
    light[3 + corner] = shineOf(u * by, v * by, w * by)
  }
}

const COLOR = new Float32Array(4)
const GLOW = new Float32Array(4)

/** Writes the samples of a triangle that are nearer than those drawn before. */
function fill(brush: Brush, at: number, area: number, { left, right, top, bottom }: typeof BOX): void {
  const { canvas, surface, screen, light, pace, painted, isBlend } = brush
  pace.left -= (right - left + 1) * (bottom - top + 1) + 4
  if (pace.left < 0) throw new TooMuch()
  const { indices, uvs } = surface
  const [ia, ib, ic] = [indices[at]!, indices[at + 1]!, indices[at + 2]!]
  const [ax, ay, az] = [screen[ia * 3]!, screen[ia * 3 + 1]!, screen[ia * 3 + 2]!]
  const [bx, by, bz] = [screen[ib * 3]!, screen[ib * 3 + 1]!, screen[ib * 3 + 2]!]
  const [cx, cy, cz] = [screen[ic * 3]!, screen[ic * 3 + 1]!, screen[ic * 3 + 2]!]
  const level = uvs ? levelOf(uvs, ia, ib, ic, area, painted.image ?? painted.emissiveImage) : 0
  const { width, nearness } = canvas
  for (let row = top; row <= bottom; row++) {
    const y = row + 0.5
    for (let column = left; column <= right; column++) {
      const x = column + 0.5
      const wa = ((bx - x) * (cy - y) - (cx - x) * (by - y)) / area
      const wb = ((cx - x) * (ay - y) - (ax - x) * (cy - y)) / area
      const wc = 1 - wa - wb
      if (wa < 0 || wb < 0 || wc < 0) continue
      const near = wa * az + wb * bz + wc * cz
      const to = row * width + column
      if (!(near > nearness[to]!)) continue
      // Perspective-correct barycentric coordinates.
      const [pa, pb, pc] = [(wa * az) / near, (wb * bz) / near, (wc * cz) / near]
      const opacity = colorAt(brush, ia, ib, ic, pa, pb, pc, level)
      if (opacity <= 0) continue
      const diffuse = wa * light[0]! + wb * light[1]! + wc * light[2]!
      const shine = wa * light[3]! + wb * light[4]! + wc * light[5]!
      put(canvas, to, near, diffuse, shine, opacity, isBlend)
    }
  }
}

/** Writes COLOR and GLOW. @returns the opacity; 0 is not drawn */
function colorAt(
  { surface, material, painted }: Brush,
  ia: number,
  ib: number,
  ic: number,
  pa: number,
  pb: number,
  pc: number,
  level: number,
): number {
  const { uvs, colors, opacities } = surface
  COLOR[0] = COLOR[1] = COLOR[2] = COLOR[3] = 1
  for (let k = 0; k < 3; k++) GLOW[k] = material.emissive[k]!
  if (uvs && (painted.image || painted.emissiveImage)) {
    const u = pa * uvs[ia * 2]! + pb * uvs[ib * 2]! + pc * uvs[ic * 2]!
    const v = pa * uvs[ia * 2 + 1]! + pb * uvs[ib * 2 + 1]! + pc * uvs[ic * 2 + 1]!
    if (painted.emissiveImage) {
      sample(painted.emissiveImage, level, u, v, GLOW)
      for (let k = 0; k < 3; k++) GLOW[k]! *= material.emissive[k]!
    }
    if (painted.image) sample(painted.image, level, u, v, COLOR)
  }
  for (let k = 0; k < 3; k++) {
    COLOR[k]! *= material.color[k]!
    if (colors) COLOR[k]! *= pa * colors[ia * 3 + k]! + pb * colors[ib * 3 + k]! + pc * colors[ic * 3 + k]!
  }
  const seen = opacities ? pa * opacities[ia]! + pb * opacities[ib]! + pc * opacities[ic]! : 1
  const opacity = COLOR[3]! * material.opacity * seen
  if (material.alpha === 'opaque') return 1
  if (material.alpha === 'mask') return opacity >= material.alphaCutoff ? 1 : 0
  return Math.min(1, opacity)
}

function put(
  { color, cover, nearness }: Canvas,
  to: number,
  near: number,
  diffuse: number,
  shine: number,
  opacity: number,
  isBlend: boolean,
): void {
  if (!isBlend) {
    nearness[to] = near
    cover[to] = 1
    for (let k = 0; k < 3; k++) color[to * 3 + k] = COLOR[k]! * diffuse + GLOW[k]! + shine
    return
  }
  // Specular highlights are visible on transparent surfaces too.
  const through = 1 - opacity
  cover[to] = opacity + cover[to]! * through
  for (let k = 0; k < 3; k++)
    color[to * 3 + k] = opacity * (COLOR[k]! * diffuse + GLOW[k]!) + shine + color[to * 3 + k]! * through
}

/** The mipmap level whose pixels are about as large as samples. */
function levelOf(
  uvs: Float32Array,
  ia: number,
  ib: number,
  ic: number,
  area: number,
  texture: Texture | undefined,
): number {
  if (!texture) return 0
  const { width, height } = texture.levels[0]!
  const covered =
    (uvs[ib * 2]! - uvs[ia * 2]!) * (uvs[ic * 2 + 1]! - uvs[ia * 2 + 1]!) -
    (uvs[ic * 2]! - uvs[ia * 2]!) * (uvs[ib * 2 + 1]! - uvs[ia * 2 + 1]!)
  const level = Math.round(0.5 * Math.log2(Math.abs((covered * width * height) / area)))
  return level > 0 && Number.isFinite(level) ? level : 0
}

function farthestFirst(indices: Uint32Array, screen: Float32Array): Uint32Array {
  const near = new Float32Array(indices.length / 3)
  for (let i = 0; i < near.length; i++)
    for (let corner = i * 3; corner < i * 3 + 3; corner++) near[i]! += screen[indices[corner]! * 3 + 2]!
  return Uint32Array.from(near, (_, i) => i).sort((a, b) => near[a]! - near[b]!)
}
