import type { GeneratedImage, Material, Pixels, TextureRef } from '../../scene/materials/material.ts'
import type { Geometry } from '../../scene/scene.ts'
import { srgbCode } from '../images/pixel-edits.ts'
import { decodePixels } from '../images/process-image.ts'
import type { UsableImage } from '../images/usable-image.ts'
import { cornerUvs, sampler } from './texture-sampling.ts'

/**
 * A square patch of pixels for two triangles, which meet at its diagonal. For each triangle: the position and side of
 * its patch, its own side, and whether it is the one at the far corner. `scale` is the resolution, 1 is that of the
 * texture.
 */
type Patches = {
  x: Uint16Array
  y: Uint16Array
  side: Uint16Array
  own: Uint16Array
  isFar: Uint8Array
  width: number
  height: number
  scale: number
}
type Atlas = { image: GeneratedImage; coordinates: Map<Geometry, Float32Array>; scale: number }

/** The smallest side of a triangle in pixels. */
const smallest = 2
/**
 * Small triangles are drawn at up to this multiple of the texture's resolution, until half of them have this many pixels:
 * edges in the texture and between colours stay sharp.
 */
const [finest, clear] = [4, 24]

/**
 * Builds an image with a part for each triangle: its texture multiplied by its vertex colours. The parts have about the
 * texture's resolution, less if they would exceed what viewers support.
 * @param modestSide the largest side of an image that is finer than the texture.
 * @returns undefined when there are more triangles than fit in an image.
 */
export function tintedAtlas(
  material: Material,
  texture: UsableImage,
  geometries: readonly Geometry[],
  largestSide: number,
  modestSide: number,
): Atlas | undefined {
  const ref = material.baseColorTexture!
  const uvs = geometries.map((geometry) => cornerUvs(geometry, ref))
  const patches = packed(wantedSides(uvs, texture.header), largestSide, modestSide)
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
  const image = { name, key: `colors ${name}`, width, height, alpha, lossy, fixedSize: true, render }
  return { image, coordinates, scale: patches.scale }
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
      out[triangle++] = Math.max(smallest, Number.isFinite(wanted) ? wanted : 0)
    }
  }
  return out
}

/** Packs pairs of triangles in rows, largest first, and shrinks all until they fit. */
function packed(wanted: Float32Array, largestSide: number, modestSide: number): Patches | undefined {
  const order = Uint32Array.from(wanted, (_, i) => i).sort((a, b) => wanted[b]! - wanted[a]!)
  const count = wanted.length
  const between = (count / 2) * (smallest + 2) ** 2 > largestSide ** 2 ? 1 : 2
  if ((count / 2) * (smallest + between) ** 2 > largestSide ** 2) return undefined
  const most = Math.max(1, Math.min(finest, clear / wanted[order[count >> 1]!]!))
  for (let scale = Math.min(most, (largestSide - 8) / wanted[order[0]!]!); ; scale = shrunk(scale)) {
    const limit = scale > 1 ? Math.min(largestSide, modestSide) : largestSide
    const ownOf = (pair: number) => Math.max(smallest, Math.floor(wanted[order[pair * 2]!]! * scale))
    const patchOf = (pair: number) => patchSide(ownOf(pair), between)
    const pairs = Math.ceil(count / 2)
    let area = 0
    for (let pair = 0; pair < pairs; pair++) area += patchOf(pair) ** 2
    const width = Math.min(limit, Math.max(patchOf(0), Math.ceil(Math.sqrt(area) / 4) * 4))
    const [x, y, side] = [new Uint16Array(count), new Uint16Array(count), new Uint16Array(count)]
    const [own, isFar] = [new Uint16Array(count), new Uint8Array(count)]
    let [left, top, tall] = [0, 0, 0]
    for (const [place, triangle] of order.entries()) {
      const patch = patchOf(place >> 1)
      isFar[triangle] = place & 1
      if (!isFar[triangle]) {
        if (left + patch > width) {
          top += tall
          left = 0
          tall = 0
        }
        tall = Math.max(tall, patch)
        left += patch
      }
      x[triangle] = left - patch
      y[triangle] = top
      side[triangle] = patch
      own[triangle] = ownOf(place >> 1)
    }
    const height = top + tall
    if (width <= limit && height <= limit) return { x, y, side, own, isFar, width, height, scale }
    if (ownOf(0) === smallest) return undefined
  }
}

/** The next smaller resolution to try, that of the texture among them. */
const shrunk = (scale: number) => (scale > 1 ? Math.max(1, scale * 0.85) : scale * 0.85)

/** The pixels around the triangles of a patch, for filtering: where they are large enough, mipmaps have some too. */
const marginOf = (own: number) => (own >= 24 ? 4 : own >= 10 ? 2 : 0)

/** Returns the side of a patch with two triangles. It is a multiple of its margin, so that mipmaps do not mix patches. */
function patchSide(own: number, between: number): number {
  const margin = marginOf(own)
  return margin === 0 ? own + between : Math.ceil((own + 2 * margin + margin) / margin) * margin
}

function patchCoordinates(
  { x, y, side, own, isFar, width, height }: Patches,
  first: number,
  count: number,
): Float32Array {
  const out = new Float32Array(count * 6)
  for (let i = 0; i < count; i++) {
    const triangle = first + i
    const margin = marginOf(own[triangle]!)
    const start = isFar[triangle] ? side[triangle]! - 1 - margin : margin
    const [left, top] = [x[triangle]! + start + 0.5, y[triangle]! + start + 0.5]
    const far = (own[triangle]! - 1) * (isFar[triangle] ? -1 : 1)
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
  const { x, y, side, own, isFar, width, height } = patches
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
      const [margin, reach] = [marginOf(own[patch]!), own[patch]! - 1]
      const far = isFar[patch] === 1
      for (let j = 0; j < size; j++) {
        // The pixels up to the diagonal belong to the near triangle, the others to the far one.
        const limit = size - j - (far ? 0 : 1)
        for (let i = 0; i < limit; i++) {
          // Texture and colours continue outside the triangle, for filtering across its edges.
          const [s, t] = [(i - margin) / reach, (j - margin) / reach]
          const blend = (a: number, b: number, c: number) => a * (1 - s - t) + b * s + c * t
          const place = (k: number) => blend(uv[corner * 2 + k]!, uv[corner * 2 + 2 + k]!, uv[corner * 2 + 4 + k]!)
          sample(place(0), place(1), texel)
          const [row, column] = far ? [size - 1 - j, size - 1 - i] : [j, i]
          const at = ((y[patch]! + row) * width + x[patch]! + column) * channels
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
