import { rowsOf, valuesOf } from './accessors.ts'
import type { GltfFile, GltfPrimitive } from './gltf.ts'
import { identity, type Matrix, placed, times } from './matrices.ts'
import { jointMatrices, type Pose } from './pose.ts'

/** One primitive drawn once: of a node, or of one of its instances. */
export type Draw = {
  name: string
  triangles: number
  primitive: GltfPrimitive
  /** The index of its node. */
  node: number
  /** The skin that moves it; undefined if its node moves it. */
  skin: number | undefined
  /** The corners of its triangles in world space in a pose, x y z each, in drawing order. */
  cornersIn(pose: Pose): Float64Array
}

/**
 * All triangles of the model's scene by glTF 2.0: hidden nodes (KHR_node_visibility) are not drawn, instances
 * (EXT_mesh_gpu_instancing) each at their position, skinned primitives by their joints.
 * @param influences maximum number of joints a vertex: the largest weights count, scaled to a sum of 1.
 */
export function drawsOf(file: GltfFile, influences = Infinity): Draw[] {
  const { json } = file
  const nodes = json.nodes ?? []
  const children = new Set(nodes.flatMap((node) => node.children ?? []))
  const scene = json.scenes?.[json.scene ?? 0]
  const tops = scene ? (scene.nodes ?? []) : [...nodes.keys()].filter((index) => !children.has(index))
  const shapes = new Map<GltfPrimitive, Shape | undefined>()
  const draws: Draw[] = []

  const visit = (index: number) => {
    const node = nodes[index]!
    if (node.extensions?.KHR_node_visibility?.visible === false) return
    for (const primitive of node.mesh === undefined ? [] : json.meshes![node.mesh]!.primitives) {
      if (!shapes.has(primitive)) shapes.set(primitive, shapeOf(file, primitive, influences))
      const shape = shapes.get(primitive)
      if (!shape) continue
      const isSkinned = node.skin !== undefined && shape.influences.length > 0
      const copies = isSkinned ? [identity] : instancesOf(file, index)
      for (const [copy, instance] of copies.entries()) {
        draws.push({
          name: `${node.name ?? `node ${index}`}${copies.length > 1 ? ` (instance ${copy})` : ''}`,
          triangles: shape.corners.length / 3,
          primitive,
          node: index,
          skin: isSkinned ? node.skin : undefined,
          cornersIn(pose) {
            const points = shape.morphed(pose.weights[index]!)
            const joints = isSkinned ? jointMatrices(file, node.skin!, pose) : []
            const rigid = times(pose.worlds[index]!, instance)
            const world = (vertex: number) => (isSkinned ? blended(shape.influences[vertex]!, joints) : rigid)
            return cornersOf(shape.corners, points, world)
          },
        })
      }
    }
    for (const child of node.children ?? []) visit(child)
  }
  tops.forEach(visit)
  return draws
}

type Influence = { joint: number; weight: number }
type Shape = {
  corners: readonly number[]
  influences: Influence[][]
  morphed(weights: readonly number[]): Float64Array
}

function shapeOf(file: GltfFile, primitive: GltfPrimitive, most: number): Shape | undefined {
  const { POSITION } = primitive.attributes
  const mode = primitive.mode ?? 4
  if (POSITION === undefined || mode < 4) return undefined
  const points = valuesOf(file, POSITION)
  const indices = primitive.indices === undefined ? undefined : [...valuesOf(file, primitive.indices)]
  const corners = trianglesOf(mode, indices ?? Array.from({ length: points.length / 3 }, (_, i) => i))
  if (corners.length === 0) return undefined
  const targets = (primitive.targets ?? []).map((target) =>
    target.POSITION === undefined ? undefined : valuesOf(file, target.POSITION),
  )
  return {
    corners,
    influences: influencesOf(file, primitive, most),
    morphed(weights) {
      if (targets.length === 0) return points
      const out = points.slice()
      for (const [at, target] of targets.entries()) {
        const weight = weights[at] ?? 0
        if (target && weight !== 0) for (let i = 0; i < out.length; i++) out[i]! += weight * target[i]!
      }
      return out
    },
  }
}

/** glTF 2.0 §3.7.2.1: a list of triangles, a strip with alternating winding, or a fan around its first vertex. */
function trianglesOf(mode: number, indices: readonly number[]): number[] {
  if (mode === 4) return indices.slice(0, indices.length - (indices.length % 3))
  const out: number[] = []
  for (let i = 0; i + 2 < indices.length; i++) {
    const odd = i % 2
    if (mode === 5) out.push(indices[i]!, indices[i + 1 + odd]!, indices[i + 2 - odd]!)
    else out.push(indices[i + 1]!, indices[i + 2]!, indices[0]!)
  }
  return out
}

function influencesOf(file: GltfFile, { attributes }: GltfPrimitive, most: number): Influence[][] {
  const all: Influence[][] = []
  for (let set = 0; attributes[`JOINTS_${set}`] !== undefined; set++) {
    const joints = rowsOf(file, attributes[`JOINTS_${set}`]!)
    const weights = rowsOf(file, attributes[`WEIGHTS_${set}`]!)
    for (const [vertex, row] of joints.entries()) {
      all[vertex] ??= []
      for (const [k, joint] of row.entries()) all[vertex].push({ joint, weight: weights[vertex]![k]! })
    }
  }
  return all.map((influences) => {
    const kept = influences.filter(({ weight }) => weight > 0).sort((one, other) => other.weight - one.weight)
    const heaviest = kept.slice(0, most)
    const sum = heaviest.reduce((total, { weight }) => total + weight, 0)
    return heaviest.map(({ joint, weight }) => ({ joint, weight: weight / sum }))
  })
}

const blended = (influences: readonly Influence[], joints: readonly Matrix[]): Matrix =>
  influences.reduce(
    (sum, { joint, weight }) => sum.map((value, i) => value + weight * joints[joint]![i]!),
    new Array<number>(16).fill(0),
  )

function instancesOf(file: GltfFile, index: number): Matrix[] {
  const attributes = file.json.nodes![index]!.extensions?.EXT_mesh_gpu_instancing?.attributes
  if (!attributes) return [identity]
  const rows = Object.fromEntries(Object.entries(attributes).map(([name, at]) => [name, rowsOf(file, at)]))
  const count = Math.min(...Object.values(rows).map((list) => list.length))
  return Array.from({ length: count }, (_, i) =>
    placed(rows.TRANSLATION?.[i] ?? [0, 0, 0], rows.ROTATION?.[i] ?? [0, 0, 0, 1], rows.SCALE?.[i] ?? [1, 1, 1]),
  )
}

/** Each corner in world space by the matrix of its vertex. */
export function cornersOf(
  corners: ArrayLike<number>,
  points: ArrayLike<number>,
  world: (vertex: number) => Matrix,
): Float64Array {
  const out = new Float64Array(corners.length * 3)
  const placedVertices = new Map<number, readonly number[]>()
  for (let i = 0; i < corners.length; i++) {
    const vertex = corners[i]!
    let place = placedVertices.get(vertex)
    if (!place) {
      const m = world(vertex)
      const [x, y, z] = [points[vertex * 3]!, points[vertex * 3 + 1]!, points[vertex * 3 + 2]!]
      place = [0, 1, 2].map((axis) => m[axis]! * x + m[axis + 4]! * y + m[axis + 8]! * z + m[axis + 12]!)
      placedVertices.set(vertex, place)
    }
    out.set(place, i * 3)
  }
  return out
}
