import type { Primitive } from '@gltf-transform/core'
import { malformed } from '../../errors.ts'
import type { Geometry } from '../scene.ts'
import { readFloats } from './accessor-floats.ts'
import { computeExtent } from './extent.ts'
import { flatNormals } from './flat-shading.ts'

/**
 * Applies morph targets with constant weights to the vertices of a geometry: positions, normals, texture coordinates
 * and colours.
 * @param weights one for each target; those of 0 and targets beyond them are not applied.
 * @throws ConversionError naming the target whose values do not match the vertices.
 */
export function morphGeometry(primitive: Primitive, geometry: Geometry, weights: readonly number[]): Geometry {
  const used = [...primitive.listTargets().entries()].filter(([index]) => weights[index])
  if (used.length === 0) return geometry
  const count = primitive.getAttribute('POSITION')!.getCount()

  const moved = <T extends Float32Array | undefined>(semantic: string, size: number, values: T): T => {
    let out: Float32Array | undefined
    for (const [index, target] of used) {
      const accessor = target.getAttribute(semantic)
      if (!accessor || !values) continue
      if (accessor.getCount() !== count) {
        throw malformed(
          `its morph target ${index} has ${accessor.getCount()} values of ${semantic} for ${count} vertices.`,
        )
      }
      out ??= values.slice()
      const offsets = readFloats(accessor, size, geometry.source)
      for (let i = 0; i < out.length; i++) out[i]! += weights[index]! * offsets[i]!
    }
    return (out ?? values) as T
  }
  const points = moved('POSITION', 3, geometry.points)
  const { indices, isFlat, colors } = geometry
  const hasNormals = primitive.getAttribute('NORMAL') !== null
  const normals = hasNormals
    ? unitLengths(moved('NORMAL', 3, geometry.normals))
    : flatNormals(points, isFlat ? indices : undefined)
  return {
    ...geometry,
    points,
    normals,
    uvs: geometry.uvs.map((uv, set) => moved(`TEXCOORD_${set}`, 2, uv)),
    ...(colors && { colors: moved('COLOR_0', 3, colors) }),
    extent: computeExtent(points, 'its morph targets move vertices to coordinates that are not finite.'),
  }
}

function unitLengths(vectors: Float32Array): Float32Array {
  const out = vectors.slice()
  for (let i = 0; i < out.length; i += 3) {
    const length = Math.hypot(out[i]!, out[i + 1]!, out[i + 2]!) || 1
    for (let k = i; k < i + 3; k++) out[k] = out[k]! / length
  }
  return out
}
