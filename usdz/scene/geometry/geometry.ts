import type { Primitive } from '@gltf-transform/core'
import { malformed } from '../../errors.ts'
import type { Notes } from '../../report.ts'
import { describePrimitive, withErrorContext } from '../error-context.ts'
import type { Geometry } from '../scene.ts'
import { readFloats } from './accessor-floats.ts'
import { computeExtent } from './extent.ts'
import { flatNormals } from './flat-shading.ts'
import type { Simplify } from './simplify.ts'
import { triangleIndices } from './triangle-indices.ts'
import { compactVertices, usedVertices } from './used-vertices.ts'

/**
 * Reads the triangles of a primitive with their vertices, dequantised. A primitive without normals gets flat ones, as
 * glTF requires, one for each triangle corner.
 * @returns undefined, with a note, when there is nothing to draw: points, lines, no positions, no triangles.
 * @throws ConversionError naming the primitive when its attributes are inconsistent or not finite.
 */
export const readGeometry = (primitive: Primitive, notes: Notes, reduce?: Simplify['reduce']): Geometry | undefined =>
  withErrorContext(
    () => describePrimitive(primitive),
    () => readPrimitive(primitive, notes, reduce),
  )

function readPrimitive(primitive: Primitive, notes: Notes, reduce?: Simplify['reduce']): Geometry | undefined {
  const position = primitive.getAttribute('POSITION')
  const count = position?.getCount() ?? 0
  const all = position && triangleIndices(primitive, count)
  if (!position || !all || all.length === 0) {
    const what = !position || all ? 'Meshes without triangles' : 'Points and lines'
    notes.leftOut('no_triangles', `${what} are left out.`)
    return undefined
  }
  const whole: UsedVertices = compactVertices(all, count) ?? { vertices: undefined, indices: all }
  const { vertices: used, indices } = reduce ? simplified(primitive, whole, reduce) : whole
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
  const extent = computeExtent(points, 'its positions are not all finite numbers.')
  if (normals) return { ...vertices, normals, indices, extent }
  // Corners that share no vertex can have the normals of vertices.
  const isSpread = indices.length * 3 === points.length && indices.every((vertex, corner) => vertex === corner)
  return { ...vertices, normals: flatNormals(points, indices), ...(!isSpread && { isFlat: true }), indices, extent }
}

type UsedVertices = { vertices: Uint32Array | undefined; indices: Uint32Array }

/** Simplifies triangles, and leaves out the vertices that none of them uses any more. */
function simplified(primitive: Primitive, whole: UsedVertices, reduce: Simplify['reduce']): UsedVertices {
  const fewer = reduce(primitive, whole.indices, whole.vertices)
  if (fewer === whole.indices) return whole
  const { vertices, indices } = usedVertices(fewer)
  return { vertices: whole.vertices ? vertices.map((vertex) => whole.vertices![vertex]!) : vertices, indices }
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
