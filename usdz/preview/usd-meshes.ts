import type { Crate } from '../check/reader/read-crate.ts'
import { floatsOf, integersOf, numberOf, textOf, vectorOf } from '../check/reader/read-values.ts'
import type { Stage, StagePrim } from '../check/reader/stage.ts'
import { facesOfCorners, triangulate, validFaces } from '../stage/faces.ts'
import type { PreviewMesh } from './preview.ts'
import type { UsdMaterials } from './usd-materials.ts'
import { defaultOf } from './usd-transforms.ts'

type Unplaced = Omit<PreviewMesh, 'transforms'>

/** A primvar with its interpolation: vertex, faceVarying, uniform or constant. */
type Primvar = { values: ArrayLike<number>; size: number; of: string; indices: Int32Array | undefined }

/**
 * Splits a mesh into triangles by material. Source: UsdGeomMesh and UsdGeomSubset of OpenUSD.
 * @throws ConversionError
 */
export function trianglesByMaterial(
  stage: Stage,
  prim: StagePrim,
  bound: StagePrim | undefined,
  materials: UsdMaterials,
  most: number,
): Unplaced[] {
  const { crate } = stage
  const rest = (name: string) => defaultOf(crate, prim.properties.get(name))
  const points = floatsOf(crate, rest('points'))
  const counts = integersOf(crate, rest('faceVertexCounts'))
  const corners = integersOf(crate, rest('faceVertexIndices'))
  if (!points?.length || !counts?.length || !corners) return []
  const mesh = validFaces(prim.path, { points, corners, counts }, most)
  const isFlipped = textOf(crate, rest('orientation')) === 'leftHanded'
  const doubleSided = numberOf(crate, rest('doubleSided')) === 1
  const normals = primvarOf(crate, prim, 'normals', 3) ?? primvarOf(crate, prim, 'primvars:normals', 3)
  const colors = primvarOf(crate, prim, 'primvars:displayColor', 3)

  return partsOf(crate, prim, counts.length).map(({ faces, material: own }) => {
    const usdMaterial = (own && materials.materialOf(own)) ?? bound
    const { name, material } = materials.previewMaterialOf(usdMaterial, doubleSided)
    const uvs = coordinatesOf(crate, prim, name)
    const list = triangulate(mesh, faces, isFlipped)
    const faceOf = [normals, colors, uvs].some((primvar) => primvar?.of === 'uniform')
      ? facesOfCorners(counts)
      : undefined
    const taken = (primvar: Primvar | undefined) => primvar && spread(primvar, list, corners, faceOf)
    const flipped = taken(uvs)
    // USD counts v from the bottom of the image.
    if (flipped) for (let i = 1; i < flipped.length; i += 2) flipped[i] = 1 - flipped[i]!
    const shade = taken(normals)
    const tint = usdMaterial ? undefined : taken(colors)
    return {
      points: spread({ values: points, size: 3, of: 'vertex', indices: undefined }, list, corners, undefined),
      indices: Uint32Array.from(list, (_, i) => i),
      ...(shade && { normals: shade }),
      ...(flipped && { uvs: flipped }),
      ...(tint && { colors: tint }),
      material,
    }
  })
}

/** Groups faces by subset, followed by the rest. */
function partsOf(crate: Crate, prim: StagePrim, count: number) {
  const parts: { faces: ArrayLike<number>; material: StagePrim | undefined }[] = []
  const isTaken = new Uint8Array(count)
  for (const subset of prim.children) {
    const faces = subset.type === 'GeomSubset' && integersOf(crate, defaultOf(crate, subset.properties.get('indices')))
    if (!faces) continue
    const own = faces.filter((face) => face >= 0 && face < count && !isTaken[face])
    for (const face of own) isTaken[face] = 1
    parts.push({ faces: own, material: subset })
  }
  const left = Uint32Array.from({ length: count }, (_, face) => face).filter((face) => !isTaken[face])
  if (left.length > 0) parts.push({ faces: left, material: undefined })
  return parts
}

function primvarOf(crate: Crate, prim: StagePrim, name: string, size: number): Primvar | undefined {
  const property = prim.properties.get(name)
  const rep = defaultOf(crate, property)
  const values = floatsOf(crate, rep) ?? vectorOf(crate, rep)
  if (!property || !values?.length) return undefined
  const of = textOf(crate, property.fields.get('interpolation')) ?? (name === 'normals' ? 'vertex' : 'constant')
  return { values, size, of, indices: integersOf(crate, defaultOf(crate, prim.properties.get(`${name}:indices`))) }
}

/** Finds texture coordinates by the name the material uses, else by common names. */
function coordinatesOf(crate: Crate, prim: StagePrim, name: string | undefined): Primvar | undefined {
  for (const candidate of [name, 'st', 'UVMap', 'st0', 'map1', 'Texture_uv']) {
    const found = candidate && primvarOf(crate, prim, `primvars:${candidate}`, 2)
    if (found) return found
  }
  return undefined
}

/** Expands a primvar to corners. Missing values are zero. */
function spread(
  { values, size, of, indices }: Primvar,
  list: Uint32Array,
  corners: Int32Array,
  faceOf: Uint32Array | undefined,
): Float32Array {
  const out = new Float32Array(list.length * size)
  for (let i = 0; i < list.length; i++) {
    const corner = list[i]!
    const element =
      of === 'faceVarying' ? corner : of === 'constant' ? 0 : of === 'uniform' ? faceOf![corner]! : corners[corner]!
    const from = (indices ? (indices[element] ?? 0) : element) * size
    for (let k = 0; k < size; k++) out[i * size + k] = values[from + k] ?? 0
  }
  return out
}
