import type { Geometry } from '../../scene/scene.ts'
import { decodeSrgb, srgbCode } from '../images/pixel-edits.ts'

/** Colours of triangle corners: sRGB and alpha in the bytes of a number, lowest first. */
export type Corners = { codes: Uint32Array; geometry: Geometry }

/** The layout of atlas cells: `columns` in each row, `pitch` pixels per side. */
export type CellGrid = { columns: number; rows: number; pitch: number }

/** Cells with three colour codes each, and the cell of each triangle of each geometry. */
export type Cells = {
  /** Whether every cell has a single colour; all corners then use its centre. */
  plain: boolean
  colors: Uint32Array
  count: number
  /** One array for each geometry, with a number for each triangle: cell · 6 + the order of its corners. */
  reads: Int32Array[]
}

/** The number of cells of two pixels per side in the largest image. */
const maxCells = 1024 ** 2
/** Fewer cells are larger, so that clipping of extrapolated colours stays inside the cell. */
const pitches = [
  { pitch: 32, most: 16 ** 2 },
  { pitch: 16, most: 32 ** 2 },
  { pitch: 8, most: 128 ** 2 },
  { pitch: 4, most: 256 ** 2 },
]

/** Returns the colour codes of a geometry's vertices, quantized to `bits` per channel. */
export function colorCodes(geometry: Geometry, hasAlpha: boolean, bits: number): Uint32Array {
  const { colors, opacities } = geometry
  const out = new Uint32Array(geometry.points.length / 3)
  const top = 2 ** bits - 1
  const byte = (value: number) => Math.round((Math.round((value / 255) * top) / top) * 255)
  for (let i = 0; i < out.length; i++) {
    const channel = (k: number) => byte(srgbCode(colors![i * 3 + k]! || 0))
    const alpha = hasAlpha && opacities ? byte(255 * clamp(opacities[i]!)) : 255
    out[i] = (channel(0) | (channel(1) << 8) | (channel(2) << 16) | (alpha << 24)) >>> 0
  }
  return out
}

const clamp = (value: number) => Math.min(1, Math.max(0, value || 0))

/**
 * Finds the distinct triples of corner colours, in any order; each gets a cell.
 * @returns undefined when there are more than fit in an image.
 */
export function distinctCells(corners: readonly Corners[]): Cells | undefined {
  const ids = new Map<number, number>()
  const idOf = (code: number) => {
    const known = ids.get(code)
    if (known !== undefined) return known
    ids.set(code, ids.size)
    return ids.size - 1
  }
  const found = new Map<number, number>()
  const colors: number[] = []
  const three = new Float64Array(3)
  let plain = true
  const reads = corners.map(({ codes, geometry }) => {
    const { indices } = geometry
    const out = new Int32Array(indices.length / 3)
    for (let triangle = 0; triangle < out.length; triangle++) {
      for (let corner = 0; corner < 3; corner++) three[corner] = codes[indices[triangle * 3 + corner]!]!
      const order = orderOf(three[0]!, three[1]!, three[2]!)
      const [first, second, third] = orders[order]!
      const [a, b, c] = [three[first]!, three[second]!, three[third]!]
      const key = idOf(a) + 2 ** 17 * idOf(b) + 2 ** 34 * idOf(c)
      if (ids.size > 2 ** 17 || found.size > maxCells) return undefined
      let cell = found.get(key)
      if (cell === undefined) {
        cell = found.size
        found.set(key, cell)
        colors.push(a, b, c)
        plain &&= a === b && b === c
      }
      out[triangle] = cell * 6 + order
    }
    return out
  })
  if (reads.some((one) => one === undefined)) return undefined
  return { plain, colors: Uint32Array.from(colors), count: found.size, reads: reads as Int32Array[] }
}

/**
 * Assigns a cell to each triangle without merging.
 * @returns undefined when there are more than fit in an image.
 */
export function cellPerTriangle(corners: readonly Corners[]): Cells | undefined {
  const count = corners.reduce((sum, { geometry }) => sum + geometry.indices.length / 3, 0)
  if (count > maxCells) return undefined
  const colors = new Uint32Array(count * 3)
  let at = 0
  const reads = corners.map(({ codes, geometry }) => {
    const first = at / 3
    for (const vertex of geometry.indices) colors[at++] = codes[vertex]!
    return Int32Array.from({ length: geometry.indices.length / 3 }, (_, i) => (first + i) * 6)
  })
  return { plain: false, colors, count, reads }
}

/** The permutations of three corners; `orderOf` returns the one that sorts their colours. */
const orders = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const

function orderOf(a: number, b: number, c: number): number {
  if (a <= b) return b <= c ? 0 : a <= c ? 1 : 4
  return a <= c ? 2 : b <= c ? 3 : 5
}

export function gridOf({ count }: Cells): CellGrid {
  const columns = Math.max(1, Math.ceil(Math.sqrt(count)))
  return { columns, rows: Math.ceil(count / columns), pitch: pitches.find(({ most }) => count <= most)?.pitch ?? 2 }
}

/**
 * Returns the pixels of a cell for its corners. Colours continue around them, so that mipmaps down to one pixel per
 * triangle do not blend with other cells.
 */
const cornersIn = (pitch: number): [number, number] => [Math.floor(pitch / 4), pitch - 1 - Math.floor(pitch / 4)]

/** Returns the texture coordinates (v downwards) of every triangle corner. */
export function cornerCoordinates(reads: Int32Array, plain: boolean, { columns, rows, pitch }: CellGrid): Float32Array {
  const out = new Float32Array(reads.length * 6)
  const [width, height] = [columns * pitch, rows * pitch]
  const [near, far] = cornersIn(pitch)
  for (let triangle = 0; triangle < reads.length; triangle++) {
    const cell = Math.floor(reads[triangle]! / 6)
    const order = orders[reads[triangle]! % 6]!
    const [x, y] = [(cell % columns) * pitch, Math.floor(cell / columns) * pitch]
    for (let place = 0; place < 3; place++) {
      const at = triangle * 6 + order[place]! * 2
      const across = plain ? pitch / 2 : (place === 1 ? far : near) + 0.5
      const down = plain ? pitch / 2 : (place === 2 ? far : near) + 0.5
      out[at] = (x + across) / width
      out[at + 1] = (y + down) / height
    }
  }
  return out
}

/**
 * Paints the cells, RGB or RGBA. Each cell interpolates its three colours linearly in linear light, as glTF requires.
 */
export function paintCells(cells: Cells, { columns, rows, pitch }: CellGrid, channels: 3 | 4): Uint8Array {
  const width = columns * pitch
  const [near, far] = cornersIn(pitch)
  const data = new Uint8Array(width * rows * pitch * channels)
  for (let cell = 0; cell < cells.count; cell++) {
    const [x, y] = [(cell % columns) * pitch, Math.floor(cell / columns) * pitch]
    const three = cells.colors.subarray(cell * 3, cell * 3 + 3)
    for (let j = 0; j < pitch; j++) {
      for (let i = 0; i < pitch; i++) {
        const [s, t] = [(i - near) / (far - near), (j - near) / (far - near)]
        const at = ((y + j) * width + x + i) * channels
        for (let k = 0; k < channels; k++) {
          const light = (corner: number) => linear(k, (three[corner]! >>> (k * 8)) & 255)
          data[at + k] = code(k, light(0) * (1 - s - t) + light(1) * s + light(2) * t)
        }
      }
    }
  }
  return data
}

const lights = Float64Array.from({ length: 256 }, (_, value) => decodeSrgb(value / 255))
const linear = (channel: number, value: number) => (channel === 3 ? value / 255 : lights[value]!)
const code = (channel: number, value: number) => (channel === 3 ? Math.round(clamp(value) * 255) : srgbCode(value))
