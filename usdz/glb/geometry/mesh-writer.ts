import type { Accessor, Document, Buffer as GltfBuffer, Primitive } from '@gltf-transform/core'
import { clamp } from '../materials/base-color.ts'
import type { WrittenMaterial } from '../materials/material-writer.ts'
import type { BlendShape } from './blend-shapes.ts'
import type { Influences } from './influences.ts'
import type { FaceSet, MeshShape } from './mesh-shape.ts'
import type { Primvar } from './primvars.ts'
import { shareVertices, type Vertices, valuesOfVertices } from './vertices.ts'

type Floats = Float32Array<ArrayBuffer>

/** What deforms a mesh. `spendOffsets` counts the offsets of vertices, of which a mesh has more than points. */
export type Deformation = {
  influences: Influences | undefined
  shapes: readonly BlendShape[]
  spendOffsets(count: number): void
}

/** Names that programs give to texture coordinates, if a mesh has none of the name that its material reads. */
const usualUvNames = ['st', 'UVMap', 'st0', 'map1', 'Texture_uv']
const maxUvSets = 8

/**
 * Writes the faces of a mesh that have one material.
 * @returns the primitive, and the name of what its material reads and the mesh does not have.
 */
export function primitiveOf(
  document: Document,
  buffer: GltfBuffer,
  mesh: MeshShape,
  { triangles }: FaceSet,
  { material, uvNames, colors: read, readsOpacities }: WrittenMaterial,
  { influences, shapes, spendOffsets }: Deformation,
): { primitive: Primitive; missing: number } {
  const colors = read && mesh.colors.get(read.name)
  const opacities = readsOpacities ? mesh.opacities : undefined
  const sets = uvSets(mesh, uvNames)
  const used = [mesh.normals, colors, opacities, ...sets].filter((primvar) => primvar !== undefined)
  const vertices = shareVertices(triangles, mesh, used)
  const count = vertices.corners.length
  const valuesOf = (primvar: Primvar) => valuesOfVertices(primvar, vertices, mesh.faces)
  const accessor = (type: 'SCALAR' | 'VEC2' | 'VEC3' | 'VEC4', array: Floats | Indices): Accessor =>
    document.createAccessor().setType(type).setArray(array).setBuffer(buffer)

  const primitive = document.createPrimitive().setMaterial(material)
  primitive.setIndices(accessor('SCALAR', indicesOf(vertices)))
  primitive.setAttribute('POSITION', accessor('VEC3', ofPoints(mesh.points, vertices)))
  const normals = mesh.normals && valuesOf(mesh.normals)
  if (normals) primitive.setAttribute('NORMAL', accessor('VEC3', normalised(normals)))
  for (const [index, set] of sets.entries()) {
    const uvs = set ? valuesOf(set) : new Float32Array(count * 2)
    for (let i = 1; i < uvs.length; i += 2) uvs[i] = 1 - uvs[i]!
    primitive.setAttribute(`TEXCOORD_${index}`, accessor('VEC2', uvs))
  }
  const [r = 1, g = r, b = r] = read?.fallback ?? []
  if (colors || opacities || [r, g, b].some((value) => value !== 1)) {
    const rgb = colors ? valuesOf(colors) : Float32Array.from({ length: count * 3 }, (_, i) => [r, g, b][i % 3]!)
    const alpha = opacities && valuesOf(opacities)
    primitive.setAttribute('COLOR_0', accessor(alpha ? 'VEC4' : 'VEC3', colorsOf(rgb, alpha)))
  }
  if (influences) addInfluences(primitive, influences, vertices, accessor)
  for (const { name, offsets, normalOffsets } of shapes) {
    spendOffsets(count * (normals ? 6 : 3))
    const target = document.createPrimitiveTarget(name)
    target.setAttribute('POSITION', accessor('VEC3', ofPoints(offsets, vertices)))
    // Without normals, faces are flat.
    if (normals) {
      const moved = normalOffsets ? ofPoints(normalOffsets, vertices) : new Float32Array(count * 3)
      target.setAttribute('NORMAL', accessor('VEC3', moved))
    }
    primitive.addTarget(target)
  }
  return { primitive, missing: sets.filter((set) => !set).length }
}

/** The sets of texture coordinates: those that the material reads, then the others of the mesh. */
function uvSets({ uvs }: MeshShape, wanted: readonly string[]): (Primvar | undefined)[] {
  const read = wanted.map((name) => {
    const usual = usualUvNames.find((other) => uvs.has(other))
    return uvs.get(name) ?? (usual === undefined ? undefined : uvs.get(usual))
  })
  const others = [...uvs.values()].filter((set) => !read.includes(set))
  return [...read, ...others].slice(0, Math.max(maxUvSets, wanted.length))
}

type Indices = Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>

const indicesOf = ({ indices, corners }: Vertices): Indices =>
  corners.length < 0xffff ? Uint16Array.from(indices) : new Uint32Array(indices)

function ofPoints(values: ArrayLike<number>, { points }: Vertices): Floats {
  const out = new Float32Array(points.length * 3)
  for (let vertex = 0; vertex < points.length; vertex++) {
    for (let k = 0; k < 3; k++) out[vertex * 3 + k] = values[points[vertex]! * 3 + k]!
  }
  return out
}

/** Gives normals the length 1, as glTF requires; those of length zero point up. */
function normalised(normals: Floats): Floats {
  for (let i = 0; i < normals.length; i += 3) {
    const length = Math.hypot(normals[i]!, normals[i + 1]!, normals[i + 2]!)
    if (length > 0) for (let k = 0; k < 3; k++) normals[i + k]! /= length
    else normals[i + 1] = 1
  }
  return normals
}

function colorsOf(rgb: Floats, alpha: Floats | undefined): Floats {
  if (!alpha) return rgb.map(clamp)
  const out = new Float32Array(alpha.length * 4)
  for (let i = 0; i < alpha.length; i++) {
    for (let k = 0; k < 3; k++) out[i * 4 + k] = clamp(rgb[i * 3 + k]!)
    out[i * 4 + 3] = clamp(alpha[i]!)
  }
  return out
}

function addInfluences(
  primitive: Primitive,
  { joints, weights, size, isRigid }: Influences,
  { points }: Vertices,
  accessor: (type: 'VEC4', array: Floats | Indices) => Accessor,
): void {
  for (let set = 0; set < size / 4; set++) {
    const [own, share] = [new Uint16Array(points.length * 4), new Float32Array(points.length * 4)]
    for (let vertex = 0; vertex < points.length; vertex++) {
      const from = (isRigid ? 0 : points[vertex]!) * size + set * 4
      for (let k = 0; k < 4; k++) {
        own[vertex * 4 + k] = joints[from + k]!
        share[vertex * 4 + k] = weights[from + k]!
      }
    }
    primitive.setAttribute(`JOINTS_${set}`, accessor('VEC4', own))
    primitive.setAttribute(`WEIGHTS_${set}`, accessor('VEC4', share))
  }
}
