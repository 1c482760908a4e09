import type { PointCloud, PreviewMaterial, PreviewMesh } from '../../../../../usdz/index.ts'
import { LINEAR } from '../../preview/canvas.ts'
import { damaged } from '../../processing/inspection.ts'
import { growingIntegers } from '../growable-arrays.ts'
import type { Positions } from '../positions.ts'
import type { RowTaker } from './ply-rows.ts'

/** The largest mesh that is drawn: it takes some hundred bytes a vertex. */
export const MESH_MAX_VERTICES = 5_000_000
export const MESH_MAX_TRIANGLES = 8_000_000
/** Maximum number of drawn points; a larger cloud is sampled evenly. */
export const CLOUD_MAX_POINTS = 2_000_000

/** A surface of which only the shape, and maybe vertex colours, is known. */
export const plainMaterial = (isColored: boolean): PreviewMaterial => ({
  color: isColored ? [1, 1, 1] : [0.62, 0.62, 0.62],
  opacity: 1,
  alpha: 'opaque',
  alphaCutoff: 0.5,
  emissive: [0, 0, 0],
  isUnlit: false,
  doubleSided: true,
})

const POSITION = ['x', 'y', 'z'] as const
const NORMAL = ['nx', 'ny', 'nz'] as const
const COLOR = ['red', 'green', 'blue'] as const
const COLOR_TOO = ['diffuse_red', 'diffuse_green', 'diffuse_blue'] as const
const NUMBERS = [...POSITION, ...NORMAL, ...COLOR, ...COLOR_TOO]
const [NORMAL_AT, COLOR_AT, COLOR_TOO_AT] = [3, 6, 9]

/** Index of the colour in a row; undefined if there is none. */
const colorAt = (row: Float64Array) =>
  !Number.isNaN(row[COLOR_AT]!) ? COLOR_AT : Number.isNaN(row[COLOR_TOO_AT]!) ? undefined : COLOR_TOO_AT

/** Colours are bytes; some programs write numbers from 0 to 1, which bytes of a non-black colour exceed. */
const byteOf = (value: number) => Math.max(0, Math.min(255, Math.round(value > 0 && value < 1 ? value * 255 : value)))

/** Collects the points of a cloud; of a very large one, an even sample. */
export function pointsTaker(positions: Positions, count: number) {
  const step = Math.max(1, Math.ceil(count / CLOUD_MAX_POINTS))
  const room = Math.ceil(count / step)
  const points = new Float32Array(room * 3)
  let colors: Uint8Array | undefined
  let [seen, kept] = [0, 0]
  const taker: RowTaker = {
    numbers: NUMBERS,
    lists: [],
    row(numbers) {
      const origin = positions.reach(numbers[0]!, numbers[1]!, numbers[2]!)
      if (!origin || seen++ % step > 0) return
      for (let k = 0; k < 3; k++) points[kept * 3 + k] = numbers[k]! - origin[k]!
      const at = colorAt(numbers)
      if (at !== undefined) {
        colors ??= new Uint8Array(room * 3)
        for (let k = 0; k < 3; k++) colors[kept * 3 + k] = byteOf(numbers[at + k]!)
      }
      kept++
    },
  }
  return {
    ...taker,
    cloud: (): PointCloud => ({
      points: points.subarray(0, kept * 3),
      ...(colors && { colors: colors.subarray(0, kept * 3) }),
      transforms: [positions.place()],
    }),
  }
}

/** Collects the vertices of a mesh. */
export function verticesTaker(positions: Positions, count: number) {
  const room = count <= MESH_MAX_VERTICES ? count * 3 : 0
  const points = new Float32Array(room)
  let normals: Float32Array | undefined
  let colors: Float32Array | undefined
  let at = 0
  const taker: RowTaker = {
    numbers: NUMBERS,
    lists: [],
    row(numbers) {
      const origin = positions.reach(numbers[0]!, numbers[1]!, numbers[2]!)
      if (room === 0) return
      const color = colorAt(numbers)
      if (!Number.isNaN(numbers[NORMAL_AT]!)) normals ??= new Float32Array(room)
      if (color !== undefined) colors ??= new Float32Array(room)
      for (let k = 0; k < 3; k++, at++) {
        // A vertex with non-finite coordinates removes its triangles.
        points[at] = origin ? numbers[k]! - origin[k]! : Number.NaN
        if (normals) normals[at] = numbers[NORMAL_AT + k]!
        if (colors && color !== undefined) colors[at] = LINEAR[byteOf(numbers[color + k]!)]!
      }
    },
  }
  return {
    ...taker,
    surface: (indices: Uint32Array): PreviewMesh => ({
      points,
      indices,
      ...(normals && isWhole(normals) && { normals }),
      ...(colors && { colors }),
      material: plainMaterial(colors !== undefined),
      transforms: [positions.place()],
    }),
  }
}

/** Ignores normals that are all zero or not finite. */
function isWhole(normals: Float32Array): boolean {
  let [sum, size] = [0, 0]
  for (const value of normals) {
    sum += value * 0
    size += Math.abs(value)
  }
  return sum === 0 && size > 0
}

/** Collects faces as triangle fans. @param isKept false counts them only */
export function facesTaker(vertices: number, isKept: boolean) {
  const indices = growingIntegers(MESH_MAX_TRIANGLES * 3)
  let triangles = 0
  let isFull = !isKept
  const taker: RowTaker = {
    numbers: [],
    lists: ['vertex_indices', 'vertex_index'],
    row(_, list, length) {
      for (let corner = 0; corner < length; corner++) {
        const index = list[corner]!
        if (!(index >= 0 && index < vertices))
          throw damaged(`A face of the PLY file names vertex ${index}, it has ${vertices}.`)
      }
      triangles += Math.max(0, length - 2)
      if (triangles > MESH_MAX_TRIANGLES) isFull = true
      if (isFull) return
      for (let corner = 2; corner < length; corner++) indices.triangle(list[0]!, list[corner - 1]!, list[corner]!)
    },
  }
  return {
    ...taker,
    triangles: () => triangles,
    /** Undefined if there are too many to draw. */
    indices: (): Uint32Array | undefined => (isFull ? undefined : indices.all()),
    notes: () =>
      isFull
        ? [
            `The mesh has more than ${MESH_MAX_VERTICES} vertices or ${MESH_MAX_TRIANGLES} triangles: it is kept without a preview.`,
          ]
        : [],
  }
}
