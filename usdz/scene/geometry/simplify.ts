import { type Node, Primitive } from '@gltf-transform/core'
import type { Notes } from '../../report.ts'
import { instanceMatrices } from '../instancing.ts'
import { readFloats } from './accessor-floats.ts'
import { minTriangles } from './triangle-indices.ts'

/** meshoptimizer's simplifier. */
export type Simplifier = typeof import('meshoptimizer/simplifier').MeshoptSimplifier

/** Loads the simplifier. It is WebAssembly, so this waits. */
export async function meshoptSimplifier(): Promise<Simplifier> {
  const { MeshoptSimplifier } = await import('meshoptimizer/simplifier')
  await MeshoptSimplifier.ready
  return MeshoptSimplifier
}

type Flags = NonNullable<Parameters<Simplifier['simplifyWithAttributes']>[9]>[number]

/** Errors as shares of the size of a mesh: one that can be seen, and one that its shape does not survive. */
const [seenError, largeError] = [0.02, 0.2]

/** The triangles that the GLB draws, and the largest error of a mesh, as a share of its size. */
export type Simplification = { from: number; error: number }

export type Simplify = {
  /**
   * Returns fewer triangles over the same vertices.
   * @param vertices the vertices of the primitive that the triangles name; all in their order when undefined.
   */
  reduce(primitive: Primitive, indices: Uint32Array, vertices: Uint32Array | undefined): Uint32Array
  /** What was simplified; undefined if nothing was. */
  result(): Simplification | undefined
}

/** Meshes with fewer triangles are kept as they are: a few of them are seldom what makes a model large. */
const smallest = 64

/** The weight of each attribute beside positions: how much a difference counts that is as large as the mesh. */
const weights = { NORMAL: 0.5, TEXCOORD_0: 0.5, COLOR_0: 0.5 }

/**
 * Reduces meshes so that a model draws at most so many triangles: each to the same share. Only triangles change, never
 * vertices, so skins and texture coordinates keep their values; a seam has no crack. Meshes with morph
 * targets are kept, with a note: what their targets do to an edge is unknown here.
 * @param drawing the nodes that draw meshes.
 */
export function simplifier(
  meshopt: Simplifier,
  drawing: readonly Node[],
  maxTriangles: number,
  notes: Notes,
): Simplify | undefined {
  let [total, kept] = [0, 0]
  for (const node of drawing) {
    const copies = instanceMatrices(node)?.length ?? 1
    for (const primitive of node.getMesh()!.listPrimitives()) {
      const count = copies * countOf(primitive)
      total += count
      if (isKept(primitive)) kept += count
    }
  }
  if (total <= maxTriangles) return undefined
  const share = Math.max(0, maxTriangles - kept) / Math.max(1, total - kept)
  let largest: number | undefined
  return {
    reduce(primitive, indices, vertices) {
      if (isKept(primitive) || indices.length < 3 * smallest) {
        if (primitive.listTargets().length > 0)
          notes.changed('not_simplified', 'Meshes with morph targets are not simplified.')
        return indices
      }
      const positions = readFloats(primitive.getAttribute('POSITION')!, 3, vertices).slice()
      if (!positions.every(Number.isFinite)) return indices
      snap(positions)
      const { values, stride, weights } = attributesOf(primitive, vertices, positions.length / 3)
      const target = 3 * Math.max(2, Math.floor((indices.length / 3) * share))
      const to = (flags: Flags[]) =>
        meshopt.simplifyWithAttributes(indices, positions, 3, values, stride, weights, null, target, 1, flags)
      let [reduced, error] = to([])
      // Points where many seams meet do not move, so that the rest is torn, or nothing moves. Both sides of a seam may
      // move instead, which looks better in most of these meshes.
      if (reduced.length > target || error > seenError) {
        const [other, otherError] = to(['Permissive'])
        const isCloser = reduced.length > target && other.length < reduced.length && otherError < largeError
        const isBetter = otherError < error && other.length <= Math.max(target, reduced.length)
        if (isBetter || isCloser) [reduced, error] = [other, otherError]
      }
      if (reduced.length === 0 || reduced.length >= indices.length) return indices
      largest = Math.max(largest ?? 0, error)
      return reduced
    },
    result: () => (largest === undefined ? undefined : { from: total, error: largest }),
  }
}

const isKept = (primitive: Primitive) => primitive.listTargets().length > 0 || countOf(primitive) < smallest

/** The number of triangles of a primitive; of strips and fans at most so many. */
function countOf(primitive: Primitive): number {
  const mode = primitive.getMode()
  if (mode !== Primitive.Mode.TRIANGLE_STRIP && mode !== Primitive.Mode.TRIANGLE_FAN) return minTriangles(primitive)
  return Math.max(0, ((primitive.getIndices() ?? primitive.getAttribute('POSITION'))?.getCount() ?? 0) - 2)
}

/** Rounds positions to a millionth of the size, so that a seam whose sides differ by rounding has no crack. */
function snap(positions: Float32Array): void {
  const size = positions.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  const steps = size > 0 ? 2 ** 20 / size : 1
  // Adding 0 turns −0 into 0.
  for (let i = 0; i < positions.length; i++) positions[i] = Math.round(positions[i]! * steps) / steps + 0
}

/** Interleaves the attributes that are compared beside positions. Damaged ones are refused where they are written. */
function attributesOf(primitive: Primitive, vertices: Uint32Array | undefined, count: number) {
  const all = primitive.getAttribute('POSITION')!.getCount()
  const found = Object.entries(weights).flatMap(([semantic, weight]) => {
    const accessor = primitive.getAttribute(semantic)
    const size = semantic === 'TEXCOORD_0' ? 2 : 3
    if (accessor?.getCount() !== all || accessor.getElementSize() < size) return []
    return [{ array: readFloats(accessor, size, vertices), size, weight }]
  })
  const stride = found.reduce((sum, { size }) => sum + size, 0)
  const values = new Float32Array(count * stride)
  let offset = 0
  for (const { array, size } of found) {
    for (let vertex = 0; vertex < count; vertex++) {
      for (let k = 0; k < size; k++) {
        const value = array[vertex * size + k]!
        values[vertex * stride + offset + k] = Number.isFinite(value) ? value : 0
      }
    }
    offset += size
  }
  return { values, stride, weights: found.flatMap(({ size, weight }) => new Array<number>(size).fill(weight)) }
}

/** Notes what was simplified, and a model that still has more triangles than requested. */
export function noteSimplification(
  { simplification }: { simplification?: Simplification },
  triangles: number,
  maxTriangles: number | undefined,
  notes: Notes,
): void {
  if (simplification) {
    const { from, error } = simplification
    const percent = Number((error * 100).toPrecision(2))
    const message = `The meshes are simplified from ${from} triangles; the largest error is ${percent} % of the size of a mesh.`
    notes.changed('simplified', message)
  }
  if (maxTriangles !== undefined && triangles > maxTriangles) {
    notes.changed(
      'triangles_left',
      `The model has ${triangles} triangles, more than the ${maxTriangles} requested: its meshes cannot be simplified further.`,
    )
  }
}
