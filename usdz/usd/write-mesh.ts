import { key } from '../motion/animation/curve.ts'
import type { UvTransform } from '../scene/materials/material.ts'
import type { Matrix } from '../scene/matrix.ts'
import type { Geometry, MeshPart, NodeMotion } from '../scene/scene.ts'
import { originMetadata } from './origin-metadata.ts'
import { type Attribute, attribute, type Prim, type Property, relationship, storedValue } from './prim.ts'
import { plainPrimvar, type UvPrimvar } from './surface.ts'

/** Creates a writer of Mesh prims. Arrays derived from the same source are created, and therefore written, once. */
export function meshWriter() {
  const coordinates = new Map<Float32Array, Map<string, Float32Array>>()
  const counts = new Map<number, Int32Array>()

  const triangleCounts = (triangles: number): Int32Array => {
    const known = counts.get(triangles) ?? new Int32Array(triangles).fill(3)
    counts.set(triangles, known)
    return known
  }
  const flipped = (source: Float32Array, transform: UvTransform | undefined): Float32Array => {
    const variants = coordinates.get(source) ?? new Map<string, Float32Array>()
    coordinates.set(source, variants)
    const key = JSON.stringify(transform ?? null)
    const known = variants.get(key) ?? textureCoordinates(source, transform)
    variants.set(key, known)
    return known
  }
  const uvAttributes = (geometry: Geometry, wanted: readonly UvPrimvar[]): Attribute[] => {
    const primvars = new Map<string, UvPrimvar>()
    // The first two sets are kept even without a texture: other materials may use them.
    for (const texCoord of [0, 1]) primvars.set(plainPrimvar(texCoord), { name: plainPrimvar(texCoord), texCoord })
    for (const primvar of wanted) primvars.set(primvar.name, primvar)
    return [...primvars.values()].flatMap(({ name, texCoord, transform }) => {
      const source = texCoord === 'colors' ? geometry.colorUvs : geometry.uvs[texCoord]
      if (!source) return []
      const interpolation = texCoord === 'colors' ? 'faceVarying' : 'vertex'
      return [attribute(`primvars:${name}`, 'texCoord2f[]', flipped(source, transform), { interpolation })]
    })
  }

  /** Builds a Mesh prim. `materialPath` and `primvars` are those of the part's surface, if it has one. */
  return (part: MeshPart, materialPath: string | undefined, primvars: readonly UvPrimvar[]): Prim => {
    const { geometry, material } = part
    const vertex = { interpolation: 'vertex' } as const
    return {
      name: part.name,
      typeName: 'Mesh',
      ...originMetadata(part.name, part.origin),
      ...(materialPath && { apiSchemas: ['MaterialBindingAPI'] }),
      properties: [
        attribute('doubleSided', 'bool', material?.doubleSided ?? false, { uniform: true }),
        attribute('extent', 'float3[]', geometry.extent),
        attribute('faceVertexCounts', 'int[]', triangleCounts(geometry.indices.length / 3)),
        attribute('faceVertexIndices', 'int[]', geometry.indices),
        ...(materialPath ? [relationship('material:binding', materialPath)] : []),
        attribute(
          'normals',
          'normal3f[]',
          geometry.normals,
          geometry.isFlat ? { interpolation: 'faceVarying' } : vertex,
        ),
        attribute('points', 'point3f[]', geometry.points),
        ...(geometry.colors ? [attribute('primvars:displayColor', 'color3f[]', geometry.colors, vertex)] : []),
        ...(geometry.opacities ? [attribute('primvars:displayOpacity', 'float[]', geometry.opacities, vertex)] : []),
        ...uvAttributes(geometry, primvars),
        attribute('subdivisionScheme', 'token', 'none', { uniform: true }),
        ...transformOps(part.matrix),
      ],
      children: [],
    }
  }
}

/** Returns the transform attributes of a prim; none for the identity. */
export function transformOps(matrix: Matrix | undefined): Property[] {
  if (!matrix) return []
  return [
    attribute('xformOp:transform', 'matrix4d', matrix),
    attribute('xformOpOrder', 'token[]', ['xformOp:transform'], { uniform: true }),
  ]
}

/** Returns the animated transform attributes of a prim, without identities. */
export function motionOps({ translation, rotation, scale }: NodeMotion): Property[] {
  const ops = [
    { name: 'xformOp:translate', typeName: 'float3', value: translation, still: [0, 0, 0] },
    { name: 'xformOp:orient', typeName: 'quatf', value: rotation, still: [0, 0, 0, 1] },
    { name: 'xformOp:scale', typeName: 'float3', value: scale, still: [1, 1, 1] },
  ].filter(({ value: { rest, curve }, still }) => curve || rest.some((number, k) => number !== still[k]))
  const properties = ops.map(({ name, typeName, value: { rest, curve } }) => {
    const values = curve?.times.map((_, index) => storedValue(typeName, key(curve, index)))
    const samples = curve && values && { samples: { times: curve.times, values } }
    return attribute(name, typeName, rest, samples)
  })
  const order = ops.map(({ name }) => name)
  return [...properties, attribute('xformOpOrder', 'token[]', order, { uniform: true })]
}

/** Flips v: glTF counts it from the top of the image, USD from the bottom. */
function textureCoordinates(source: Float32Array, transform: UvTransform | undefined): Float32Array {
  const out = new Float32Array(source.length)
  const { offset, rotation, scale } = transform ?? { offset: [0, 0], rotation: 0, scale: [1, 1] }
  const cos = Math.cos(rotation)
  const sin = Math.sin(rotation)
  for (let i = 0; i < out.length; i += 2) {
    const u = source[i]! * scale[0]!
    const v = source[i + 1]! * scale[1]!
    out[i] = cos * u + sin * v + offset[0]!
    out[i + 1] = 1 - (cos * v - sin * u + offset[1]!)
  }
  return out
}
