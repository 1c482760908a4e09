import type { Accessor, Mesh, Node, Skin } from '@gltf-transform/core'
import { malformed } from '../../errors.ts'
import { instanceMatrices } from '../../scene/instancing.ts'
import { type Matrix, multiply } from '../../scene/matrix.ts'
import type { NodeTransforms } from '../../scene/node-transforms.ts'
import { affineMatrix, linearPart, transform } from '../math/affine.ts'
import { keyValue, type Path, type Track } from './track.ts'

/**
 * The displacement of visible vertices caused by a change of a node's property. It converts a tolerance in the model's
 * space to one in the unit of the property. `size` is the diagonal of the model at rest; `displacement` is the largest
 * movement of a vertex for a change by one (rotation: one radian).
 */
export type ErrorSensitivity = { size: number; displacement(node: Node, path: Path): number }

/**
 * Computes error sensitivities from the bounding boxes of meshes; they never underestimate.
 * @param shown the visible nodes with meshes.
 */
export function errorSensitivity(
  shown: readonly Node[],
  clips: readonly { tracks: readonly Track[] }[],
  transforms: NodeTransforms,
): ErrorSensitivity {
  const boxes = boundsReader()
  const growth = maxTransforms(clips)
  const arms = new Map<Node, number>()
  const offsets = new Map<Node, number>()
  const world: number[][] = []
  const stretch = (node: Node, arm: number) => {
    for (let at: Node | null = node, length = arm; at; at = transforms.parentOf(at)) {
      if (!(length > (arms.get(at) ?? -1))) break
      arms.set(at, length)
      length = growth.way(at) + growth.scale(at, transforms.localMatrix(at)) * length
    }
  }
  for (const node of shown) {
    const mesh = node.getMesh()!
    const box = boxes(mesh)
    if (box.points.length === 0) continue
    offsets.set(node, box.offset)
    const skin = node.getSkin()
    const binds = skin && inverseBindMatrices(skin)
    if (skin && binds) {
      for (const [index, joint] of skin.listJoints().entries()) stretch(joint, farthest(box.points, binds[index]!))
      const [first] = skin.listJoints()
      if (first)
        world.push(...box.points.map((p) => transform(multiply(transforms.worldMatrix(first), binds[0]!), p, 1)))
    } else {
      for (const matrix of instanceMatrices(node) ?? [affineMatrix([1, 0, 0, 0, 1, 0, 0, 0, 1])]) {
        stretch(node, farthest(box.points, matrix))
        world.push(...box.points.map((p) => transform(multiply(transforms.worldMatrix(node), matrix), p, 1)))
      }
    }
  }
  const above = (node: Node): number => {
    let product = 1
    for (let at = transforms.parentOf(node); at; at = transforms.parentOf(at))
      product *= growth.scale(at, transforms.localMatrix(at))
    return product
  }
  return {
    size: diagonal(world),
    displacement(node, path) {
      const own = growth.scale(node, transforms.localMatrix(node))
      if (path === 'translation') return above(node)
      if (path === 'weights') return above(node) * own * (offsets.get(node) ?? 0)
      return above(node) * (arms.get(node) ?? 0) * (path === 'rotation' ? own : 1)
    },
  }
}

/** Returns the largest scale and translation of nodes, at rest or at any key. */
function maxTransforms(clips: readonly { tracks: readonly Track[] }[]) {
  const largest = { translation: new Map<Node, number>(), scale: new Map<Node, number>() }
  for (const track of clips.flatMap(({ tracks }) => tracks)) {
    if (track.path !== 'translation' && track.path !== 'scale') continue
    const of = largest[track.path]
    for (let index = 0; index < track.times.length; index++) {
      const key = keyValue(track, index)
      const length = track.path === 'scale' ? Math.max(...key.map(Math.abs)) : Math.hypot(...key)
      if (length > (of.get(track.node) ?? 0)) of.set(track.node, length)
    }
  }
  return {
    way: (node: Node) => Math.max(Math.hypot(...node.getTranslation()), largest.translation.get(node) ?? 0),
    scale(node: Node, local: Matrix): number {
      const l = linearPart(local)
      const columns = [0, 3, 6].map((k) => Math.hypot(l[k]!, l[k + 1]!, l[k + 2]!))
      return Math.max(...columns, largest.scale.get(node) ?? 0)
    },
  }
}

type Box = { points: number[][]; offset: number }

/** Returns the corners of a mesh's bounding box and the largest offset of a morph target. */
function boundsReader(): (mesh: Mesh) => Box {
  const known = new Map<Mesh, Box>()
  const rangeOf = rangeReader()
  return (mesh) => {
    const found = known.get(mesh)
    if (found) return found
    const ranges = mesh.listPrimitives().flatMap((primitive) => rangeOf(primitive.getAttribute('POSITION')))
    const [low, high] = [ranges.map((r) => r.low), ranges.map((r) => r.high)]
    const ends = [0, 1, 2].map((axis) => [
      Math.min(...low.map((v) => v[axis]!)),
      Math.max(...high.map((v) => v[axis]!)),
    ])
    const points = ranges.length === 0 ? [] : boxCorners(ends as [number, number][])
    const targets = mesh.listPrimitives().flatMap((primitive) => primitive.listTargets())
    const offsets = targets.flatMap((target) => rangeOf(target.getAttribute('POSITION')))
    const offset = Math.max(0, ...offsets.map((r) => Math.hypot(...r.low.map((v, k) => Math.max(-v, r.high[k]!)))))
    const box = { points, offset }
    known.set(mesh, box)
    return box
  }
}

type Range = { low: number[]; high: number[] }

/** Returns the range of an accessor, cached: primitives and morph targets share accessors. */
function rangeReader(): (accessor: Accessor | null) => Range[] {
  const known = new Map<Accessor, Range>()
  return (accessor) => {
    if (!accessor || accessor.getCount() === 0 || accessor.getElementSize() !== 3) return []
    const range = known.get(accessor) ?? { low: accessor.getMinNormalized([]), high: accessor.getMaxNormalized([]) }
    known.set(accessor, range)
    return [range]
  }
}

export const boxCorners = ([x, y, z]: readonly (readonly number[])[]): number[][] =>
  x!.flatMap((a) => y!.flatMap((b) => z!.map((c) => [a, b, c])))

/**
 * Returns the inverse bind matrices of a skin, or identities if it has none.
 * @throws ConversionError for a matrix that is not finite.
 */
export function inverseBindMatrices(skin: Skin): Matrix[] {
  const accessor = skin.getInverseBindMatrices()
  return skin.listJoints().map((_, index) => {
    const matrix = accessor && index < accessor.getCount() ? accessor.getElement(index, [] as number[]) : undefined
    if (matrix && !(matrix.length === 16 && matrix.every(Number.isFinite))) {
      throw malformed(`skin "${skin.getName()}": its inverse bind matrix ${index} is not a matrix of finite numbers.`)
    }
    return matrix ?? affineMatrix([1, 0, 0, 0, 1, 0, 0, 0, 1])
  })
}

const farthest = (points: readonly number[][], matrix: Matrix) =>
  Math.max(...points.map((point) => Math.hypot(...transform(matrix, point, 1))))

function diagonal(points: readonly number[][]): number {
  const spans = [0, 1, 2].map((axis) => {
    let [low, high] = [Infinity, -Infinity]
    for (const point of points) {
      low = Math.min(low, point[axis]!)
      high = Math.max(high, point[axis]!)
    }
    return high - low
  })
  const length = Math.hypot(...spans)
  return Number.isFinite(length) ? length : 0
}
