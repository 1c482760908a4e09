import type { Accessor, Mesh, Node, Primitive, PrimitiveTarget } from '@gltf-transform/core'
import { malformed } from '../../errors.ts'
import type { Notes } from '../../report.ts'
import { readFloats } from '../../scene/geometry/accessor-floats.ts'
import { flatNormals } from '../../scene/geometry/flat-shading.ts'
import { legalName, type UniqueNames, uniqueNames } from '../../scene/prim-names.ts'
import type { Geometry } from '../../scene/scene.ts'
import type { AnimatedValue } from '../animation/curve.ts'
import { type Motion, restWeights } from '../motion.ts'
import type { transformBaker } from './bake-transform.ts'

/** The weight of blend shapes. `name` is unique in the animation. */
export type WeightChannel = { name: string; weight: AnimatedValue }

/** A morph target as offsets of the vertices it moves. `channel` is the index of its weight. */
export type BlendShape = {
  name: string
  channel: number
  vertices: Int32Array
  offsets: Float32Array
  normalOffsets: Float32Array
}

/**
 * Returns the constant weights of a node's morph targets, undefined for those that an animation changes. Targets with
 * constant weights are part of the geometry.
 */
export function constantWeights(motion: Motion, node: Node): (number | undefined)[] {
  const primitives = node.getMesh()?.listPrimitives() ?? []
  const rest = restWeights(node, Math.max(0, ...primitives.map((primitive) => primitive.listTargets().length)))
  const curve = motion.curve(node, 'weights')
  if (!curve) return rest
  return rest.map((value, index) =>
    curve.times.every((_, at) => curve.values[at * rest.length + index] === value) ? value : undefined,
  )
}

/** Creates a weight channel for each morph target of a node that an animation changes. */
export function weightChannelBuilder(motion: Motion) {
  const channels: WeightChannel[] = []
  const uniqueName: UniqueNames = uniqueNames()
  /** Returns the channel of each target, undefined for those with a constant weight. */
  const indicesOf = (node: Node, mesh: Mesh): (number | undefined)[] => {
    const constant = constantWeights(motion, node)
    const names = targetNames(mesh, constant.length)
    const rest = restWeights(node, constant.length)
    const curve = motion.curve(node, 'weights')
    return constant.map((value, index) => {
      if (value !== undefined || !curve) return undefined
      const values = curve.times.map((_, at) => curve.values[at * constant.length + index]!)
      const weight = { rest: [rest[index]!], curve: { ...curve, size: 1, values } }
      return channels.push({ name: uniqueName(`${mesh.getName()}_${names[index]}`, 'Target'), weight }) - 1
    })
  }
  return { channels, indicesOf }
}

/** Reads target names from `extras.targetNames` of the mesh, where authoring tools store them. */
function targetNames(mesh: Mesh, count: number): string[] {
  const { targetNames: given } = mesh.getExtras()
  const list: unknown[] = Array.isArray(given) ? given : []
  return Array.from({ length: count }, (_, index) => {
    const name = list[index]
    return typeof name === 'string' && name !== '' ? legalName(name, 'Target') : `Target_${index}`
  })
}

/**
 * Reads the morph targets of a primitive with changing weights for the vertices of a geometry.
 * @param geometry as made from the primitive, before its transform is baked.
 */
export function readBlendShapes(
  primitive: Primitive,
  geometry: Geometry,
  bake: ReturnType<typeof transformBaker>,
  channels: readonly (number | undefined)[],
  names: readonly (string | undefined)[],
  where: string,
  notes: Notes,
): BlendShape[] {
  const count = primitive.getAttribute('POSITION')!.getCount()
  const isFlat = !primitive.getAttribute('NORMAL')
  const uniqueName = uniqueNames()
  // Targets that share accessors are read once.
  const made = new Map<Accessor | null, Map<Accessor | null, BlendShape>>()
  return primitive.listTargets().flatMap((target, index) => {
    const [channel, name] = [channels[index], names[index]]
    if (channel === undefined || name === undefined) return []
    noteOtherAttributes(target, notes)
    const own = { name: uniqueName(name, 'Target'), channel }
    const [position, normal] = [target.getAttribute('POSITION'), target.getAttribute('NORMAL')]
    const known = made.get(position)?.get(normal)
    if (known) return [{ ...known, ...own }]
    const read = (semantic: string): Float32Array | undefined => {
      const accessor = target.getAttribute(semantic)
      if (!accessor) return undefined
      if (accessor.getCount() !== count) {
        throw malformed(
          `${where}: its morph target ${index} has ${accessor.getCount()} values of ${semantic} for ${count} vertices.`,
        )
      }
      return readFloats(accessor, 3, geometry.source)
    }
    const still = () => new Float32Array(geometry.points.length)
    const offsets = read('POSITION') ?? still()
    // Primitives without normals are flat-shaded, also when deformed.
    const normals = isFlat ? flatOffsets(geometry, offsets) : (read('NORMAL') ?? still())
    const vertices = movedVertices(offsets, normals)
    const shape = {
      ...own,
      vertices,
      offsets: bake.offsets(pickVectors(offsets, vertices)),
      normalOffsets: bake.normalOffsets(pickVectors(normals, vertices), pickVectors(geometry.normals, vertices)),
    }
    made.set(position, (made.get(position) ?? new Map()).set(normal, shape))
    return [shape]
  })
}

/** UsdSkel blends positions and normals; viewers derive tangents. */
function noteOtherAttributes(target: PrimitiveTarget, notes: Notes): void {
  for (const semantic of target.listSemantics()) {
    if (/^(POSITION|NORMAL|TANGENT)$/.test(semantic)) continue
    notes.leftOut('morph_attribute', `Changes of ${semantic} by animated morph targets are left out.`)
  }
}

function flatOffsets(geometry: Geometry, offsets: Float32Array): Float32Array {
  const moved = flatNormals(geometry.points.map((value, k) => value + offsets[k]!))
  return moved.map((value, k) => value - geometry.normals[k]!)
}

/** Returns the vertices a target moves, at least one: UsdSkel reads an empty list as all vertices. */
function movedVertices(offsets: Float32Array, normals: Float32Array): Int32Array {
  const moved: number[] = []
  for (let vertex = 0; vertex < offsets.length / 3; vertex++) {
    let sum = 0
    for (let k = vertex * 3; k < vertex * 3 + 3; k++) sum += Math.abs(offsets[k]!) + Math.abs(normals[k]!)
    if (!Number.isFinite(sum))
      throw malformed(`A morph target moves vertex ${vertex} by a value that is not a finite number.`)
    if (sum > 0) moved.push(vertex)
  }
  return Int32Array.from(moved.length > 0 ? moved : [0])
}

function pickVectors(vectors: Float32Array, vertices: ArrayLike<number>): Float32Array {
  const out = new Float32Array(vertices.length * 3)
  for (let to = 0; to < vertices.length; to++) {
    for (let k = 0; k < 3; k++) out[to * 3 + k] = vectors[vertices[to]! * 3 + k]!
  }
  return out
}
