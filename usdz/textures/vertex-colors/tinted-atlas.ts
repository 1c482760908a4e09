import type { GeneratedImage, Material, Pixels, TextureRef, UvTransform, Wrap } from '../../scene/materials/material.ts'
import type { Geometry } from '../../scene/scene.ts'
import { decodeSrgb, srgbCode } from '../images/pixel-edits.ts'
import { decodePixels } from '../images/process-image.ts'
import type { UsableImage } from '../images/usable-image.ts'

/** One square patch of pixels for each triangle, which uses half of it: position and side. */
type Patches = { x: Uint16Array; y: Uint16Array; side: Uint16Array; width: number; height: number }
type Atlas = { image: GeneratedImage; coordinates: Map<Geometry, Float32Array> }

const largestSide = 2048
const smallestPatch = 2
const largestPatch = 512

/**
 * Builds an image with one patch for each triangle: its texture multiplied by its vertex colours. Patches have about
 * the texture's resolution, less if they would exceed what viewers support.
 * @returns undefined when there are more triangles than fit in an image.
 */
export function tintedAtlas(
  material: Material,
  texture: UsableImage,
  geometries: readonly Geometry[],
): Atlas | undefined {
  const ref = material.baseColorTexture!
  const uvs = geometries.map((geometry) => cornerUvs(geometry, ref))
  const patches = packed(wantedSides(uvs, texture.header))
  if (!patches) return undefined
  const { width, height } = patches
  const alpha =
    material.alpha !== 'opaque' && (texture.header.alpha || geometries.some(({ opacities }) => opacities !== undefined))
  const render = async () => paintPatches(patches, await decodePixels(texture), ref, geometries, uvs, alpha ? 4 : 3)
  const name = `${material.name}_colors`
  const lossy = texture.header.kind === 'jpeg'
  const coordinates = new Map<Geometry, Float32Array>()
  let first = 0
  for (const geometry of geometries) {
    const count = geometry.indices.length / 3
    coordinates.set(geometry, patchCoordinates(patches, first, count))
    first += count
  }
  return { image: { name, key: `colors ${name}`, width, height, alpha, lossy, fixedSize: true, render }, coordinates }
}

/** Returns the texture coordinates of triangle corners, with the transform applied. */
function cornerUvs({ indices, uvs }: Geometry, { texCoord, transform }: TextureRef): Float32Array {
  const source = typeof texCoord === 'number' ? uvs[texCoord] : undefined
  const out = new Float32Array(indices.length * 2)
  if (!source) return out
  const { offset, rotation, scale }: UvTransform = transform ?? { offset: [0, 0], rotation: 0, scale: [1, 1] }
  const [cos, sin] = [Math.cos(rotation), Math.sin(rotation)]
  for (let corner = 0; corner < indices.length; corner++) {
    const u = source[indices[corner]! * 2]! * scale[0]
    const v = source[indices[corner]! * 2 + 1]! * scale[1]
    out[corner * 2] = cos * u + sin * v + offset[0]
    out[corner * 2 + 1] = cos * v - sin * u + offset[1]
  }
  return out
}

function wantedSides(uvs: readonly Float32Array[], { width, height }: { width: number; height: number }): Float32Array {
  const out = new Float32Array(uvs.reduce((sum, one) => sum + one.length / 6, 0))
  let triangle = 0
  for (const one of uvs) {
    for (let at = 0; at < one.length; at += 6) {
      const spread = (k: number, size: number) => {
        const [a, b, c] = [one[at + k]!, one[at + 2 + k]!, one[at + 4 + k]!]
        return (Math.max(a, b, c) - Math.min(a, b, c)) * size
      }
      const wanted = Math.ceil(Math.max(spread(0, width), spread(1, height))) + 1
      out[triangle++] = Math.min(largestPatch, Math.max(smallestPatch, wanted || 0))
    }
  }
  return out
}

/** Packs the patches in rows, largest first, and shrinks all until they fit. */
function packed(wanted: Float32Array): Patches | undefined {
  const order = Uint32Array.from(wanted, (_, i) => i).sort((a, b) => wanted[b]! - wanted[a]!)
  if (wanted.length * smallestPatch ** 2 > largestSide ** 2) return undefined
  const count = wanted.length
  for (let scale = 1; ; scale *= 0.85) {
    const side = Uint16Array.from(wanted, (value) => Math.max(smallestPatch, Math.floor(value * scale)))
    const area = side.reduce((sum, value) => sum + value ** 2, 0)
    const width = Math.min(largestSide, Math.max(side[order[0]!]!, Math.ceil(Math.sqrt(area) / 4) * 4))
    const [x, y] = [new Uint16Array(count), new Uint16Array(count)]
    let [left, top, tall] = [0, 0, 0]
    for (const patch of order) {
      if (left + side[patch]! > width) {
        top += tall
        left = 0
        tall = 0
      }
      tall = Math.max(tall, side[patch]!)
      x[patch] = left
      y[patch] = top
      left += side[patch]!
    }
    const height = top + tall
    if (height <= largestSide) return { x, y, side, width, height }
    if (side.every((value) => value === smallestPatch)) return undefined
  }
}

function patchCoordinates({ x, y, side, width, height }: Patches, first: number, count: number): Float32Array {
  const out = new Float32Array(count * 6)
  for (let i = 0; i < count; i++) {
    const [left, top, far] = [x[first + i]! + 0.5, y[first + i]! + 0.5, side[first + i]! - 1]
    out.set(
      [left, top, left + far, top, left, top + far].map((value, k) => value / (k % 2 ? height : width)),
      i * 6,
    )
  }
  return out
}

function paintPatches(
  patches: Patches,
  source: Pixels,
  ref: TextureRef,
  geometries: readonly Geometry[],
  uvs: readonly Float32Array[],
  channels: 3 | 4,
): Pixels {
  const { x, y, side, width, height } = patches
  const data = new Uint8Array(width * height * channels)
  const sample = sampler(source, ref)
  const texel = new Float64Array(4)
  let patch = 0
  for (const [index, { indices, colors, opacities }] of geometries.entries()) {
    const uv = uvs[index]!
    const colorOf = (corner: number, k: number) =>
      k === 3 ? (opacities?.[indices[corner]!] ?? 1) : colors![indices[corner]! * 3 + k]!
    for (let corner = 0; corner < indices.length; corner += 3, patch++) {
      const size = side[patch]!
      for (let j = 0; j < size; j++) {
        for (let i = 0; i < size; i++) {
          // Edge colours continue outside the triangle, for filtering across the edge.
          const most = Math.max(size - 1, i + j)
          const [s, t] = [i / most, j / most]
          const blend = (a: number, b: number, c: number) => a * (1 - s - t) + b * s + c * t
          const place = (k: number) => blend(uv[corner * 2 + k]!, uv[corner * 2 + 2 + k]!, uv[corner * 2 + 4 + k]!)
          sample(place(0), place(1), texel)
          const at = ((y[patch]! + j) * width + x[patch]! + i) * channels
          for (let k = 0; k < channels; k++) {
            const light = texel[k]! * blend(colorOf(corner, k), colorOf(corner + 1, k), colorOf(corner + 2, k))
            data[at + k] = k === 3 ? Math.round(255 * Math.min(1, Math.max(0, light))) : srgbCode(light)
          }
        }
      }
    }
  }
  return { data, width, height, channels }
}

/** Samples an image with bilinear filtering, as linear RGB and alpha. */
function sampler({ data, width, height, channels }: Pixels, { wrapS, wrapT }: TextureRef) {
  const lights = Float64Array.from({ length: 256 }, (_, value) => decodeSrgb(value / 255))
  const valueAt = (column: number, row: number, k: number) => {
    if (k === 3) return channels === 4 ? data[(row * width + column) * 4 + 3]! / 255 : 1
    return lights[data[(row * width + column) * channels + (channels === 1 ? 0 : k)]!]!
  }
  return (u: number, v: number, out: Float64Array) => {
    const [across, down] = [u * width - 0.5, v * height - 0.5]
    const [left, top] = [Math.floor(across), Math.floor(down)]
    const [s, t] = [across - left, down - top]
    const [x0, x1] = [wrapped(left, width, wrapS), wrapped(left + 1, width, wrapS)]
    const [y0, y1] = [wrapped(top, height, wrapT), wrapped(top + 1, height, wrapT)]
    for (let k = 0; k < 4; k++) {
      const above = valueAt(x0, y0, k) * (1 - s) + valueAt(x1, y0, k) * s
      const below = valueAt(x0, y1, k) * (1 - s) + valueAt(x1, y1, k) * s
      out[k] = above * (1 - t) + below * t
    }
  }
}

function wrapped(at: number, size: number, wrap: Wrap): number {
  if (!Number.isFinite(at)) return 0
  if (wrap === 'clamp') return Math.min(size - 1, Math.max(0, at))
  const period = wrap === 'mirror' ? size * 2 : size
  const inside = ((at % period) + period) % period
  return inside < size ? inside : period - 1 - inside
}
