import { malformed } from '../../errors.ts'
import type { Notes } from '../../report.ts'
import { type Faces, facesOfCorners, triangulate, validFaces } from '../../stage/faces.ts'
import { inheritedPrimvars, primvarOwner } from '../../stage/inheritance.ts'
import { areFinite, type UsdPrim, values } from '../../stage/usd-prim.ts'
import { bindings } from '../materials/binding.ts'
import { type Primvar, readPrimvar } from './primvars.ts'
import { smoothNormals } from './smooth-normals.ts'

/** The faces of a mesh that have one material: a GeomSubset, or those in none. */
export type FaceSet = { subset: UsdPrim | undefined; triangles: Uint32Array }

/** A mesh of the stage, in triangles. */
export type MeshShape = Faces & {
  /** The face of each corner. */
  faces: Uint32Array
  /** Working memory for each point; -1 between uses. */
  lastVertices: Int32Array
  normals: Primvar | undefined
  /** Texture coordinates, by the name of the primvar, with v upwards. */
  uvs: ReadonlyMap<string, Primvar>
  /** Colours, by the name of the primvar. */
  colors: ReadonlyMap<string, Primvar>
  opacities: Primvar | undefined
  sets: FaceSet[]
}

/**
 * Reads a mesh. Source: UsdGeomMesh and UsdGeomSubset of OpenUSD.
 * @param most how many triangles it may have.
 * @returns undefined when it draws nothing.
 * @throws ConversionError naming the mesh.
 */
export function readMesh(prim: UsdPrim, most: number, notes: Notes): MeshShape | undefined {
  const points = values.floats(prim, 'points')
  const counts = values.integers(prim, 'faceVertexCounts')
  const corners = values.integers(prim, 'faceVertexIndices')
  if (!points?.length || !counts?.length || !corners?.length) {
    notes.leftOut('mesh_empty', 'Meshes without points or faces are left out.')
    return undefined
  }
  const mesh = validFaces(prim.path, { points, corners, counts }, most)
  if (!areFinite(points)) throw malformed(`${prim.path} has points that are not finite numbers.`)
  const scheme = values.text(prim, 'subdivisionScheme') ?? 'catmullClark'
  noteLosses(prim, scheme, notes)
  const sizes = { points: points.length / 3, corners: corners.length, faces: counts.length }
  const read = (name: string, size: number) => {
    const owner = primvarOwner(prim, name)
    const found = owner && readPrimvar(owner, name, size, sizes)
    if (!found && values.floats(prim, name)?.length) notes.leftOut('primvar', unfit)
    return found
  }
  const isFlipped = values.text(prim, 'orientation') === 'leftHanded'
  const sets = faceSets(prim, counts.length).map(({ subset, faces }) => ({
    subset,
    triangles: triangulate(mesh, faces, isFlipped),
  }))
  return {
    ...mesh,
    faces: facesOfCorners(counts),
    lastVertices: new Int32Array(sizes.points).fill(-1),
    normals:
      read('primvars:normals', 3) ??
      read('normals', 3) ??
      (isSmooth.test(scheme) ? smoothNormals(mesh, isFlipped) : undefined),
    uvs: readNamed(prim, isUv, (name) => read(name, 2)),
    colors: readNamed(prim, isColor, (name) => read(name, 3)),
    opacities: read('primvars:displayOpacity', 1),
    sets: sets.filter(({ triangles }) => triangles.length > 0),
  }
}

/** Whether both sides of a mesh are drawn. */
export const isDoubleSided = (mesh: UsdPrim): boolean => values.number(mesh, 'doubleSided') === 1

/** Divides the faces by the subsets that may have a material; those of holes are in none. */
function faceSets(prim: UsdPrim, count: number) {
  const isTaken = new Uint8Array(count)
  for (const face of values.integers(prim, 'holeIndices') ?? []) if (face >= 0 && face < count) isTaken[face] = 1
  const sets: { subset: UsdPrim | undefined; faces: ArrayLike<number> }[] = []
  for (const subset of prim.children) {
    if (subset.type !== 'GeomSubset' || (values.text(subset, 'elementType') ?? 'face') !== 'face') continue
    if (!bindings.some((name) => values.has(subset, name))) continue
    const own = (values.integers(subset, 'indices') ?? new Int32Array()).filter((face) => {
      if (!(face >= 0 && face < count) || isTaken[face]) return false
      isTaken[face] = 1
      return true
    })
    sets.push({ subset, faces: own })
  }
  const left = Uint32Array.from({ length: count }, (_, face) => face).filter((face) => !isTaken[face])
  sets.push({ subset: undefined, faces: left })
  return sets
}

/** Subdivision that rounds edges. */
const isSmooth = /^(catmullClark|loop)$/
const unfit = 'Values of meshes that do not fit their points, corners or faces are left out.'

/** Older programs declare texture coordinates as pairs of numbers. */
const isUv = (typeName: string, name: string): boolean =>
  /^texCoord2[fdh](\[\])?$/.test(typeName) ||
  (/^(float|double)2\[\]$/.test(typeName) && /^primvars:(st|uv|map)/i.test(name))
const isColor = (typeName: string): boolean => /^color3[fdh](\[\])?$/.test(typeName)

/** Reads the primvars of a kind, by their names. */
function readNamed(
  prim: UsdPrim,
  isOfKind: (typeName: string, name: string) => boolean,
  read: (name: string) => Primvar | undefined,
): Map<string, Primvar> {
  const found = new Map<string, Primvar>()
  for (const name of new Set([...values.names(prim), ...inheritedPrimvars(prim).keys()])) {
    if (!name.startsWith('primvars:') || name.endsWith(':indices')) continue
    const owner = primvarOwner(prim, name)
    const primvar = owner && isOfKind(values.typeName(owner, name), name) ? read(name) : undefined
    if (primvar) found.set(name.slice('primvars:'.length), primvar)
  }
  return found
}

const carried = /^primvars:(normals|displayOpacity|skel:)|:indices$/

function noteLosses(prim: UsdPrim, scheme: string, notes: Notes): void {
  if (scheme !== 'none') notes.changed('subdivision', 'Subdivision surfaces are shown as their control meshes.')
  if (values.isAnimated(prim, 'points'))
    notes.leftOut('point_animation', 'Animated points of meshes are shown at rest.')
  for (const name of values.names(prim)) {
    const typeName = values.typeName(prim, name)
    if (/^(primvars:|normals$)/.test(name) && values.isAnimated(prim, name)) {
      notes.leftOut('primvar_animation', 'Animated values of meshes are shown at rest.')
    }
    const isOther = name.startsWith('primvars:') && !carried.test(name)
    if (isOther && !isUv(typeName, name) && !isColor(typeName)) {
      notes.leftOut('primvar', 'Values of meshes besides normals, texture coordinates and colours are left out.')
    }
  }
}
