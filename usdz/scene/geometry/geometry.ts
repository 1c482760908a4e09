import type { Primitive } from '@gltf-transform/core'
import { malformed } from '../../errors.ts'
import type { Notes } from '../../report.ts'
import { describePrimitive, withErrorContext } from '../error-context.ts'
import type { Geometry } from '../scene.ts'
import { readFloats } from './accessor-floats.ts'
import { computeExtent } from './extent.ts'
import { sequence, triangleIndices } from './triangle-indices.ts'
import { compactVertices } from './used-vertices.ts'

/**
 * Reads the triangles of a primitive with their vertices, dequantised. A primitive without normals gets flat ones, as
 * glTF requires.
 * @returns undefined, with a note, when there is nothing to draw: points, lines, no positions, no triangles.
 * @throws ConversionError naming the primitive when its attributes are inconsistent or not finite.
 */
export const readGeometry = (primitive: Primitive, notes: Notes): Geometry | undefined =>
  withErrorContext(
    () => describePrimitive(primitive),
    () => readPrimitive(primitive, notes),
  )

function readPrimitive(primitive: Primitive, notes: Notes): Geometry | undefined {
  const position = primitive.getAttribute('POSITION')
  const count = position?.getCount() ?? 0
  const all = position && triangleIndices(primitive, count)
  if (!position || !all || all.length === 0) {
    const what = !position || all ? 'Meshes without triangles' : 'Points and lines'
    notes.leftOut('no_triangles', `${what} are left out.`)
    return undefined
  }
  const { vertices: used, indices } = compactVertices(all, count) ?? { vertices: undefined, indices: all }
  const read = (semantic: string, size: number) => {
    const accessor = primitive.getAttribute(semantic)
    if (accessor && accessor.getCount() !== count) {
      throw malformed(`it has ${count} positions but ${accessor.getCount()} values of ${semantic}.`)
    }
    return accessor && replaceNonFinite(readFloats(accessor, size, used), semantic, notes)
  }
  const [points, normals] = [readFloats(position, 3, used), read('NORMAL', 3)]
  const colors = read('COLOR_0', 3)
  const opacities = primitive.getAttribute('COLOR_0')?.getElementSize() === 4 ? alphas(read('COLOR_0', 4)!) : undefined
  noteOtherAttributes(primitive, notes)

  const vertices = {
    points,
    uvs: uvSets(primitive).map((semantic) => read(semantic, 2) ?? undefined),
    ...(used && { source: used }),
    ...(colors && { colors }),
    ...(opacities && { opacities }),
  }
  const shaded = normals ? { ...vertices, normals, indices } : flatShaded(vertices, indices)
  return { ...shaded, extent: computeExtent(shaded.points, 'its positions are not all finite numbers.') }
}

type Vertices = Omit<Geometry, 'normals' | 'indices' | 'extent'>

/** Gives each triangle its own vertices, so that they can share the normal of its plane. */
function flatShaded(vertices: Vertices, indices: Uint32Array): Omit<Geometry, 'extent'> {
  const isSpread = indices.length * 3 === vertices.points.length && indices.every((vertex, corner) => vertex === corner)
  const spread = (source: Float32Array, size: number) => {
    if (isSpread) return source
    const out = new Float32Array(indices.length * size)
    for (let i = 0, to = 0; i < indices.length; i++) {
      for (let k = 0; k < size; k++) out[to++] = source[indices[i]! * size + k]!
    }
    return out
  }
  const points = spread(vertices.points, 3)
  return {
    points,
    uvs: vertices.uvs.map((uv) => uv && spread(uv, 2)),
    ...(vertices.colors && { colors: spread(vertices.colors, 3) }),
    ...(vertices.opacities && { opacities: spread(vertices.opacities, 1) }),
    normals: flatNormals(points),
    ...sourceOf(vertices.source, isSpread ? undefined : indices),
    indices: isSpread ? indices : sequence(indices.length),
  }
}

/** Composes two vertex selections. */
function sourceOf(first: Uint32Array | undefined, second: Uint32Array | undefined): { source?: Uint32Array } {
  const source = first && second ? second.map((vertex) => first[vertex]!) : (second ?? first)
  return source ? { source } : {}
}

/** Computes flat normals of triangles whose corners are consecutive. */
export function flatNormals(points: Float32Array): Float32Array {
  const normals = new Float32Array(points.length)
  for (let i = 0; i < points.length; i += 9) {
    const ax = points[i + 3]! - points[i]!
    const ay = points[i + 4]! - points[i + 1]!
    const az = points[i + 5]! - points[i + 2]!
    const bx = points[i + 6]! - points[i]!
    const by = points[i + 7]! - points[i + 1]!
    const bz = points[i + 8]! - points[i + 2]!
    const x = ay * bz - az * by
    const y = az * bx - ax * bz
    const z = ax * by - ay * bx
    const length = Math.sqrt(x * x + y * y + z * z)
    for (let corner = i; corner < i + 9; corner += 3) {
      normals[corner] = length > 0 ? x / length : 0
      // A triangle without area has no normal and is invisible; any unit vector is valid.
      normals[corner + 1] = length > 0 ? y / length : 1
      normals[corner + 2] = length > 0 ? z / length : 0
    }
  }
  return normals
}

/** Replaces values that are not finite by zeros, with a note: shading attributes are no reason to refuse a model. */
function replaceNonFinite(values: Float32Array, semantic: string, notes: Notes): Float32Array {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i]! * 0
  if (sum === 0) return values
  notes.changed('not_finite', `Values of ${semantic} that are not finite numbers are written as 0.`)
  return values.map((value) => (Number.isFinite(value) ? value : 0))
}

function alphas(rgba: Float32Array): Float32Array | undefined {
  const out = new Float32Array(rgba.length / 4)
  for (let i = 0; i < out.length; i++) out[i] = rgba[i * 4 + 3]!
  return out.every((alpha) => alpha === 1) ? undefined : out
}

function uvSets(primitive: Primitive): string[] {
  const semantics = primitive.listSemantics().filter((name) => /^TEXCOORD_[0-9]$/.test(name))
  const last = Math.max(-1, ...semantics.map((name) => Number(name.slice(-1))))
  return Array.from({ length: last + 1 }, (_, set) => `TEXCOORD_${set}`)
}

function noteOtherAttributes(primitive: Primitive, notes: Notes): void {
  const carried = /^(POSITION|NORMAL|TANGENT|TEXCOORD_[0-9]|COLOR_0|JOINTS_[0-9]+|WEIGHTS_[0-9]+)$/
  for (const semantic of primitive.listSemantics()) {
    if (!carried.test(semantic)) notes.leftOut('attribute', `The vertex attribute ${semantic} is left out.`)
  }
}
