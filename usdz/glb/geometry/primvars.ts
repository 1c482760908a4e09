import { areFinite, type UsdPrim, values } from '../../stage/usd-prim.ts'

/** Values of a mesh, and what has a value of its own: a point, a corner, a face, or all of it. */
export type Primvar = {
  values: ArrayLike<number>
  size: number
  of: 'point' | 'corner' | 'face' | 'mesh'
  indices: Int32Array | undefined
}

/** What a mesh has of each: a primvar with fewer values is not used. */
export type MeshCounts = { points: number; corners: number; faces: number }

const interpolations: Record<string, Primvar['of']> = {
  vertex: 'point',
  varying: 'point',
  faceVarying: 'corner',
  uniform: 'face',
  constant: 'mesh',
}

/**
 * Reads a primvar with `size` numbers an element; undefined when the mesh has none that fits it. Source:
 * UsdGeomPrimvar of OpenUSD.
 */
export function readPrimvar(prim: UsdPrim, name: string, size: number, counts: MeshCounts): Primvar | undefined {
  const numbers = values.floats(prim, name) ?? values.vector(prim, name)
  const single = size === 1 ? values.number(prim, name) : undefined
  const list = numbers ?? (single === undefined ? undefined : [single])
  if (!list?.length || list.length % size !== 0) return undefined
  const interpolation = values.fieldText(prim, name, 'interpolation')
  const of = interpolations[interpolation ?? (name === 'normals' ? 'vertex' : 'constant')]
  if (!of) return undefined
  const indices = values.integers(prim, `${name}:indices`)
  const needed = { point: counts.points, corner: counts.corners, face: counts.faces, mesh: 1 }[of]
  const elements = list.length / size
  if ((indices ?? { length: elements }).length < needed) return undefined
  if (indices?.some((index) => index < 0 || index >= elements)) return undefined
  if (!areFinite(list)) return undefined
  return { values: list, size, of, indices }
}

/** Returns the place of a corner's value. */
export function elementOf({ of, indices }: Primvar, corner: number, point: number, face: number): number {
  const element = of === 'corner' ? corner : of === 'point' ? point : of === 'face' ? face : 0
  return indices ? indices[element]! : element
}
