import { rowsOf, valuesOf } from './accessors.ts'
import type { GltfChannel, GltfFile, GltfPrimitive } from './gltf.ts'
import { identity, type Matrix, placed, times } from './matrices.ts'
import { curveOf, sampledAt } from './sampler.ts'

/** A model at one moment: the world matrix of every node, and the morph weights of every node with a mesh. */
export type Pose = { worlds: Matrix[]; weights: number[][] }

type Moved = { translation?: number[]; rotation?: number[]; scale?: number[]; weights?: number[] }
const widths = { translation: 3, rotation: 4, scale: 3 }

/** The duration of a clip from time 0 to its last key, in seconds. */
export function durationOf(file: GltfFile, clip: number): number {
  const { samplers } = file.json.animations![clip]!
  return Math.max(0, ...samplers.map((sampler) => curveOf(file, sampler).keys.at(-1) ?? 0))
}

/** The step times of a clip: the keys of its STEP samplers. */
export function jumpsOf(file: GltfFile, clip: number): number[] {
  const steps = file.json.animations![clip]!.samplers.filter(({ interpolation }) => interpolation === 'STEP')
  return steps.flatMap((sampler) => [...curveOf(file, sampler).keys])
}

/** The pose at a time of a clip, or of several at once; at rest without. Properties without a channel are at rest. */
export function poseAt(file: GltfFile, clip: number | readonly number[] | undefined, time: number): Pose {
  const nodes = file.json.nodes ?? []
  const moved = new Map<number, Moved>()
  const morphCount = (node: number) => weightsAtRest(file, node).length
  const animations = [clip ?? []].flat().map((index) => file.json.animations![index]!)
  const channels = animations.flatMap(({ channels, samplers }) => channels.map((channel) => ({ channel, samplers })))
  for (const { channel, samplers } of channels) {
    const target = targetOf(channel)
    if (!target || !nodes[target.node]) continue
    const { node, path } = target
    const width = path === 'weights' ? morphCount(node) : widths[path]
    const value = sampledAt(file, samplers[channel.sampler]!, width, time, path === 'rotation')
    moved.set(node, { ...moved.get(node), [path]: value })
  }

  const worlds: Matrix[] = nodes.map(() => identity)
  const visit = (index: number, above: Matrix) => {
    const node = nodes[index]!
    const now = { ...node, ...moved.get(index) }
    const local =
      node.matrix && !moved.has(index)
        ? node.matrix
        : placed(now.translation ?? [0, 0, 0], now.rotation ?? [0, 0, 0, 1], now.scale ?? [1, 1, 1])
    worlds[index] = times(above, local)
    for (const child of node.children ?? []) visit(child, worlds[index]!)
  }
  const children = new Set(nodes.flatMap((node) => node.children ?? []))
  for (const index of nodes.keys()) if (!children.has(index)) visit(index, identity)
  return { worlds, weights: nodes.map((_, index) => moved.get(index)?.weights ?? weightsAtRest(file, index)) }
}

/** The target of a channel: its own, or that of the KHR_animation_pointer. */
function targetOf({ target }: GltfChannel): { node: number; path: keyof typeof widths | 'weights' } | undefined {
  const pointer = target.extensions?.KHR_animation_pointer?.pointer
  const named = /^\/nodes\/(\d+)\/(translation|rotation|scale|weights)$/.exec(pointer ?? '')
  if (named) return { node: Number(named[1]), path: named[2] as 'translation' }
  if (pointer !== undefined || target.node === undefined) return undefined
  return { node: target.node, path: target.path as 'translation' }
}

/** The weights of the node, otherwise those of its mesh, otherwise 0 (glTF 2.0 §3.7.2.2). */
function weightsAtRest({ json }: GltfFile, index: number): number[] {
  const node = json.nodes![index]!
  const mesh = node.mesh === undefined ? undefined : json.meshes![node.mesh]
  const count = mesh?.primitives[0]?.targets?.length ?? 0
  return node.weights ?? mesh?.weights ?? new Array<number>(count).fill(0)
}

/** The number of morph targets of a node's primitive whose weights an animation changes. */
export function movingTargets(file: GltfFile, node: number, { targets = [] }: GltfPrimitive): number {
  const rest = weightsAtRest(file, node)
  const moving = new Set<number>()
  for (const { channels, samplers } of file.json.animations ?? []) {
    for (const channel of channels) {
      const target = targetOf(channel)
      if (target?.node !== node || target.path !== 'weights') continue
      const { output, interpolation } = samplers[channel.sampler]!
      for (const [at, value] of valuesOf(file, output).entries()) {
        const isTangent = interpolation === 'CUBICSPLINE' && Math.floor(at / rest.length) % 3 !== 1
        if (value !== (isTangent ? 0 : rest[at % rest.length])) moving.add(at % rest.length)
      }
    }
  }
  return targets.filter((_, index) => moving.has(index)).length
}

/** The joint matrices of a skin in a pose: from a vertex of the mesh to world space (§3.7.3.2). */
export function jointMatrices(file: GltfFile, skin: number, { worlds }: Pose): Matrix[] {
  const { joints, inverseBindMatrices } = file.json.skins![skin]!
  const inverses = inverseBindMatrices === undefined ? undefined : rowsOf(file, inverseBindMatrices)
  return joints.map((joint, i) => times(worlds[joint]!, inverses?.[i] ?? identity))
}
