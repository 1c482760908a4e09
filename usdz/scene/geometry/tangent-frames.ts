import type { Primitive } from '@gltf-transform/core'
import type { Notes } from '../../report.ts'
import type { NormalSigns, TextureRef } from '../materials/material.ts'
import type { Geometry } from '../scene.ts'
import { readFloats } from './accessor-floats.ts'

/** Enough triangles to decide; reading all would slow down large models. */
const maxTriangles = 20_000
/** A tangent within 60 degrees of the derived one, or of its opposite, differs from it in sign at most. */
const minCosine = 0.5
/** The share of the area that may have other tangents without a note. */
const tolerance = 0.05

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

  const tally = { along: [0, 0], against: [0, 0], total: 0 }
  const apart = [0, 0, 0, 0]
  const step = 3 * Math.ceil(geometry.indices.length / 3 / maxTriangles)
  for (let first = 0; first < geometry.indices.length; first += step) {
    const derived = derivedFrame(geometry, uvs, ref, first)
    if (!derived) continue
    for (let corner = first; corner < first + 3; corner++) {
      const [cosT, cosB] = cosines(geometry.normals, tangents, geometry.indices[corner]!, derived)
      const sides = [cosT, cosB].map((cos) => (cos > minCosine ? 1 : cos < -minCosine ? -1 : 0))
      for (const [axis, side] of sides.entries()) {
        if (side > 0) tally.along[axis]! += derived.area
        if (side < 0) tally.against[axis]! += derived.area
      }
      if (sides[0] !== 0 && sides[1] !== 0) apart[(sides[0]! < 0 ? 1 : 0) + (sides[1]! < 0 ? 2 : 0)]! += derived.area
      tally.total += derived.area
    }
  }
  const [x, y] = tally.along.map((area, axis) => (area < tally.against[axis]! ? -1 : 1)) as [number, number]
  if (apart[(x < 0 ? 1 : 0) + (y < 0 ? 2 : 0)]! < tally.total * (1 - tolerance)) {
    notes.changed('tangents', 'Tangents that texture coordinates do not give are left out: normal maps look different.')
  }
  return x > 0 && y > 0 ? undefined : [x, y]
}

type Frame = { tangent: readonly number[]; bitangent: readonly number[]; area: number }

/** Derives unit tangent and bitangent (v upwards) of a triangle from its texture coordinates; undefined without area. */
function derivedFrame(
  { points, indices }: Geometry,
  uvs: Float32Array,
  { transform }: TextureRef,
  first: number,
): Frame | undefined {
  const [a, b, c] = [indices[first]!, indices[first + 1]!, indices[first + 2]!]
  const edge = (to: number) => [0, 1, 2].map((k) => points[to * 3 + k]! - points[a * 3 + k]!)
  const slope = (to: number) => turned(uvs[to * 2]! - uvs[a * 2]!, uvs[to * 2 + 1]! - uvs[a * 2 + 1]!, transform)
  const [e1, e2, [u1, v1], [u2, v2]] = [edge(b), edge(c), slope(b), slope(c)]
  const size = Math.sign(u1 * v2 - u2 * v1)
  if (!size) return undefined
  const tangent = unit(e1.map((value, k) => (value * v2 - e2[k]! * v1) * size))
  const bitangent = unit(e1.map((value, k) => (e2[k]! * u1 - value * u2) * size))
  const area = Math.hypot(...cross(e1, e2))
  return tangent && bitangent && Number.isFinite(area) ? { tangent, bitangent, area } : undefined
}

/** Applies a texture transform to a difference of texture coordinates, with v upwards in the result. */
function turned(u: number, v: number, transform: TextureRef['transform']): readonly [number, number] {
  if (!transform) return [u, -v]
  const { rotation, scale } = transform
  const [x, y] = [u * scale[0], v * scale[1]]
  return [Math.cos(rotation) * x + Math.sin(rotation) * y, -(Math.cos(rotation) * y - Math.sin(rotation) * x)]
}

/** Returns the cosines between the tangents and bitangents of a vertex and those of a frame. */
function cosines(normals: Float32Array, tangents: Float32Array, vertex: number, frame: Frame): [number, number] {
  const normal = [0, 1, 2].map((k) => normals[vertex * 3 + k]!)
  const tangent = [0, 1, 2].map((k) => tangents[vertex * 4 + k]!)
  const bitangent = unit(cross(normal, tangent)) ?? [0, 0, 0]
  const sign = tangents[vertex * 4 + 3]! < 0 ? -1 : 1
  return [dot(unit(tangent) ?? [0, 0, 0], frame.tangent), sign * dot(bitangent, frame.bitangent)]
}

const cross = (a: readonly number[], b: readonly number[]) =>
  [0, 1, 2].map((k) => a[(k + 1) % 3]! * b[(k + 2) % 3]! - a[(k + 2) % 3]! * b[(k + 1) % 3]!)
const dot = (a: readonly number[], b: readonly number[]) => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!

function unit(vector: readonly number[]): number[] | undefined {
  const length = Math.hypot(...vector)
  return length > 0 && Number.isFinite(length) ? vector.map((value) => value / length) : undefined
}
