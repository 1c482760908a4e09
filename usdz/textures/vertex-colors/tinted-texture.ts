import type { GeneratedImage, Material, Pixels, TextureRef } from '../../scene/materials/material.ts'
import type { Geometry } from '../../scene/scene.ts'
import { decodeSrgb, srgbCode } from '../images/pixel-edits.ts'
import { decodePixels } from '../images/process-image.ts'
import type { UsableImage } from '../images/usable-image.ts'
import { cornerUvs, wrapped } from './texture-sampling.ts'

/** The largest side that viewers support. */
const largestSide = 2048
/** The largest side of the grid that tells whether triangles overlap, and the most cells that may be visited. */
const gridSide = 1024
const maxVisits = 4_000_000
/** Colours that differ by less, of 255, count as equal: neighbours share a cell. */
const tolerance = 6
/** The steepest change of a colour from pixel to pixel, of 255: a coarser image would show it as steps. */
const steepest = 12
/** How far colours continue around the triangles, in pixels, for filtering. */
const margin = 8

/**
 * Multiplies vertex colours into the texture itself, where triangles that show the same part of it have the same
 * colours. The image keeps its resolution and the triangles their coordinates.
 * @returns undefined when triangles overlap with different colours, or the image is too coarse for them.
 */
export function tintedTexture(
  material: Material,
  texture: UsableImage,
  geometries: readonly Geometry[],
): GeneratedImage | undefined {
  const ref = material.baseColorTexture!
  const uvs = geometries.map((geometry) => cornerUvs(geometry, ref))
  const { header } = texture
  const within = (most: number) => {
    const scale = Math.min(1, most / Math.max(header.width, header.height))
    return [header.width, header.height].map((side) => Math.max(1, Math.round(side * scale))) as [number, number]
  }
  const [width, height] = within(largestSide)
  const hasAlpha = material.alpha !== 'opaque' && geometries.some(({ opacities }) => opacities !== undefined)
  if (!colorGrid(within(gridSide), ref, geometries, uvs, true)) return undefined
  const name = `${material.name}_colors`
  const render = async (): Promise<Pixels> => {
    const source = await decodePixels(texture, width < header.width ? { width, height } : undefined)
    const colors = colorGrid([source.width, source.height], ref, geometries, uvs, false)!
    return multiplied(source, spread(colors, source.width, source.height), hasAlpha)
  }
  const alpha = material.alpha !== 'opaque' && (header.alpha || hasAlpha)
  return { name, key: `tinted ${name}`, width, height, alpha, lossy: header.kind === 'jpeg', render }
}

/** One colour for each pixel, linear light in 8 bits of the square root: r, g, b, alpha. `known` tells where. */
type ColorGrid = { values: Uint8Array; known: Uint8Array }

/** Draws the vertex colours of all triangles at their texture coordinates; undefined when they contradict each other. */
function colorGrid(
  [width, height]: readonly [number, number],
  { wrapS, wrapT }: TextureRef,
  geometries: readonly Geometry[],
  uvs: readonly Float32Array[],
  isStrict: boolean,
): ColorGrid | undefined {
  const values = new Uint8Array(width * height * 4)
  const known = new Uint8Array(width * height)
  let visits = 0
  for (const [index, { indices, colors, opacities }] of geometries.entries()) {
    const uv = uvs[index]!
    for (let corner = 0; corner < indices.length; corner += 3) {
      const colorOf = (k: number, channel: number) => {
        const vertex = indices[corner + k]!
        const value = channel === 3 ? (opacities?.[vertex] ?? 1) : colors![vertex * 3 + channel]!
        return Math.min(1, Math.max(0, value || 0))
      }
      const put = (x: number, y: number, b: number, c: number): boolean => {
        const at = wrapped(y, height, wrapT) * width + wrapped(x, width, wrapS)
        for (let channel = 0; channel < 4; channel++) {
          const light = colorOf(0, channel) * (1 - b - c) + colorOf(1, channel) * b + colorOf(2, channel) * c
          const value = Math.round(255 * Math.sqrt(Math.max(0, light)))
          if (isStrict && known[at] && Math.abs(values[at * 4 + channel]! - value) > tolerance) return false
          values[at * 4 + channel] = value
        }
        known[at] = 1
        return true
      }
      const [ax, ay] = [uv[corner * 2]! * width - 0.5, uv[corner * 2 + 1]! * height - 0.5]
      const [bx, by] = [uv[corner * 2 + 2]! * width - 0.5, uv[corner * 2 + 3]! * height - 0.5]
      const [cx, cy] = [uv[corner * 2 + 4]! * width - 0.5, uv[corner * 2 + 5]! * height - 0.5]
      // Its centre stands for a triangle that meets no pixel.
      if (!put(Math.round((ax + bx + cx) / 3), Math.round((ay + by + cy) / 3), 1 / 3, 1 / 3)) return undefined
      const area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
      const range = (channel: number) => {
        const three = [0, 1, 2].map((k) => Math.sqrt(colorOf(k, channel)))
        return 255 * (Math.max(...three) - Math.min(...three))
      }
      if (isStrict && Math.max(range(0), range(1), range(2), range(3)) > steepest * Math.sqrt(Math.abs(area))) {
        return undefined
      }
      const [left, right] = [Math.ceil(Math.min(ax, bx, cx)), Math.floor(Math.max(ax, bx, cx))]
      const [top, bottom] = [Math.ceil(Math.min(ay, by, cy)), Math.floor(Math.max(ay, by, cy))]
      visits += Math.max(0, right - left + 1) * Math.max(0, bottom - top + 1)
      if (isStrict && !(visits <= maxVisits)) return undefined
      if (!area) continue
      for (let y = top; y <= bottom; y++) {
        for (let x = left; x <= right; x++) {
          const b = ((x - ax) * (cy - ay) - (cx - ax) * (y - ay)) / area
          const c = ((bx - ax) * (y - ay) - (x - ax) * (by - ay)) / area
          if (b >= 0 && c >= 0 && b + c <= 1 && !put(x, y, b, c)) return undefined
        }
      }
    }
  }
  return { values, known }
}

/** Continues colours into the pixels around them, one ring after the other. */
function spread(grid: ColorGrid, width: number, height: number): ColorGrid {
  const { values, known } = grid
  for (let ring = 2; ring < margin + 2; ring++) {
    for (let at = 0; at < known.length; at++) {
      if (known[at]) continue
      const [x, y] = [at % width, Math.floor(at / width)]
      const beside = [x > 0 ? at - 1 : -1, x < width - 1 ? at + 1 : -1, at - width, y < height - 1 ? at + width : -1]
      const from = beside.find((other) => other >= 0 && known[other]! > 0 && known[other]! < ring)
      if (from === undefined) continue
      for (let k = 0; k < 4; k++) values[at * 4 + k] = values[from * 4 + k]!
      known[at] = ring
    }
  }
  return grid
}

function multiplied(source: Pixels, { values, known }: ColorGrid, hasAlpha: boolean): Pixels {
  const { width, height } = source
  const channels = source.channels === 4 || hasAlpha ? 4 : 3
  const data = new Uint8Array(width * height * channels)
  for (let at = 0; at < width * height; at++) {
    const factor = (k: number) => (known[at] ? (values[at * 4 + k]! / 255) ** 2 : 1)
    for (let k = 0; k < 3; k++) {
      const texel = source.data[at * source.channels + (source.channels === 1 ? 0 : k)]!
      data[at * channels + k] = srgbCode(lights[texel]! * factor(k))
    }
    const alpha = source.channels === 4 ? source.data[at * 4 + 3]! : 255
    if (channels === 4) data[at * 4 + 3] = Math.round(alpha * factor(3))
  }
  return { data, width, height, channels }
}

const lights = Float64Array.from({ length: 256 }, (_, value) => decodeSrgb(value / 255))
