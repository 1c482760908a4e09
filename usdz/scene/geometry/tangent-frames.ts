import type { Primitive } from '@gltf-transform/core'
import type { Notes } from '../../report.ts'
import type { NormalSigns, TextureRef } from '../materials/material.ts'
import type { Geometry } from '../scene.ts'
import { readFloats } from './accessor-floats.ts'

/** Enough triangles to decide; reading all would slow down large models. */
const maxTriangles = 20_000
/** Tangents that differ by this angle, as the root of the mean square, make pictures visibly different. */
const maxDegrees = 10
/** A larger share of the area without tangents is visible. */
const maxAreaWithout = 0.1

/**
 * Returns the signs of x and y with which a normal map looks as the tangents of a primitive show it. Viewers do not
 * read tangents: they derive them from texture coordinates, and those of a model may point the opposite way.
 * @param ref the normal map.
 * @returns undefined when the signs need no change.
 */
export function normalMapSigns(
  primitive: Primitive,
  geometry: Geometry,
  ref: TextureRef,
  notes: Notes,
): NormalSigns | undefined {
  const accessor = primitive.getAttribute('TANGENT')
  // Without normals, tangents are ignored (glTF 2.0 §3.7.2.1).
  if (!accessor || !primitive.getAttribute('NORMAL')) return undefined
  const uvs = typeof ref.texCoord === 'number' ? geometry.uvs[ref.texCoord] : undefined
  if (!uvs || accessor.getCount() !== primitive.getAttribute('POSITION')?.getCount()) return undefined
  const tangents = readFloats(accessor, 4, geometry.source)

  // The squares of the angles, summed over the area, for each pair of signs.
  const sums = signPairs.map(() => 0)
  let [total, without] = [0, 0]
  const step = 3 * Math.ceil(geometry.indices.length / 3 / maxTriangles)
  for (let first = 0; first < geometry.indices.length; first += step) {
    const derived = derivedFrame(geometry, uvs, ref, first)
    if (!derived) {
      without += 3 * areaOf(geometry, first)
      continue
    }
    for (let corner = first; corner < first + 3; corner++) {
      const angles = anglesTo(derived, geometry.normals, tangents, geometry.indices[corner]!)
      for (const [pair, angle] of angles.entries()) sums[pair]! += angle ** 2 * derived.area
      total += derived.area
    }
  }
  if (without > maxAreaWithout * (total + without)) {
    notes.changed(
      'tangents',
      'Texture coordinates on one point or line give no tangents, which viewers derive from them: the normal map looks different.',
    )
  }
  if (total === 0) return undefined
  const least = Math.min(...sums)
  const degrees = (Math.sqrt(least / total) * 180) / Math.PI
  if (degrees > maxDegrees) {
    notes.changed(
      'tangents',
      `Tangents are about ${Math.round(degrees / 10) * 10}° from those that texture coordinates give, which viewers use: ` +
        'the normal map looks different.',
    )
  }
  return least === sums[0] ? undefined : signPairs[sums.indexOf(least)]
}

/** The signs of x and y; the first pair changes nothing. */
const signPairs: readonly NormalSigns[] = [
  [1, 1],
  [-1, 1],
  [1, -1],
  [-1, -1],
]

type Frame = { tangent: readonly number[]; bitangent: readonly number[]; area: number }

/** Derives unit tangent and bitangent (v upwards) of a triangle from its texture coordinates; undefined without area. */
function derivedFrame(
  geometry: Geometry,
  uvs: Float32Array,
  { transform }: TextureRef,
  first: number,
): Frame | undefined {
  const { points, indices } = geometry
  const [a, b, c] = [indices[first]!, indices[first + 1]!, indices[first + 2]!]
  const edge = (to: number) => [0, 1, 2].map((k) => points[to * 3 + k]! - points[a * 3 + k]!)
  const slope = (to: number) => turned(uvs[to * 2]! - uvs[a * 2]!, uvs[to * 2 + 1]! - uvs[a * 2 + 1]!, transform)
  const [e1, e2, [u1, v1], [u2, v2]] = [edge(b), edge(c), slope(b), slope(c)]
  const size = Math.sign(u1 * v2 - u2 * v1)
  if (!size) return undefined
  const tangent = unit(e1.map((value, k) => (value * v2 - e2[k]! * v1) * size))
  const bitangent = unit(e1.map((value, k) => (e2[k]! * u1 - value * u2) * size))
  const area = areaOf(geometry, first)
  return tangent && bitangent && area > 0 ? { tangent, bitangent, area } : undefined
}

/** Twice the area of a triangle; 0 if it is not finite. */
function areaOf({ points, indices }: Geometry, first: number): number {
  const [a, b, c] = [indices[first]!, indices[first + 1]!, indices[first + 2]!]
  const edge = (to: number) => [0, 1, 2].map((k) => points[to * 3 + k]! - points[a * 3 + k]!)
  const area = Math.hypot(...cross(edge(b), edge(c)))
  return Number.isFinite(area) ? area : 0
}

/** Applies a texture transform to a difference of texture coordinates, with v upwards in the result. */
function turned(u: number, v: number, transform: TextureRef['transform']): readonly [number, number] {
  if (!transform) return [u, -v]
  const { rotation, scale } = transform
  const [x, y] = [u * scale[0], v * scale[1]]
  return [Math.cos(rotation) * x + Math.sin(rotation) * y, -(Math.cos(rotation) * y - Math.sin(rotation) * x)]
}

/**
 * Returns the angles between a vertex's frame of unit, perpendicular axes and the one that is derived there, in radians,
 * for each pair of signs. Where a pair gives the other handedness, the angle is that of the axis that differs more.
 */
function anglesTo(frame: Frame, normals: Float32Array, tangents: Float32Array, vertex: number): number[] {
  const normal = [0, 1, 2].map((k) => normals[vertex * 3 + k]!)
  const [tangent, derived] = [[0, 1, 2].map((k) => tangents[vertex * 4 + k]!), frame.tangent].map(
    (vector) => unit(vector.map((value, k) => value - normal[k]! * dot(vector, normal))) ?? [0, 0, 0],
  ) as [number[], number[]]
  const angle = Math.acos(Math.min(1, Math.max(-1, dot(tangent, derived))))
  const isLeft = dot(cross(normal, derived), frame.bitangent) > 0
  const hand = isLeft === tangents[vertex * 4 + 3]! >= 0 ? 1 : -1
  return signPairs.map(([x, y]) => {
    const along = x > 0 ? angle : Math.PI - angle
    return x * y * hand > 0 ? along : Math.max(along, Math.PI - along)
  })
}

const cross = (a: readonly number[], b: readonly number[]) =>
  [0, 1, 2].map((k) => a[(k + 1) % 3]! * b[(k + 2) % 3]! - a[(k + 2) % 3]! * b[(k + 1) % 3]!)
const dot = (a: readonly number[], b: readonly number[]) => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!

function unit(vector: readonly number[]): number[] | undefined {
  const length = Math.hypot(...vector)
  return length > 0 && Number.isFinite(length) ? vector.map((value) => value / length) : undefined
}
