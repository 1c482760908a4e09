import type { Accessor, Node } from '@gltf-transform/core'
import { malformed } from '../../errors.ts'
import { isCount, isObject, type JsonObject } from '../../read/json.ts'
import type { Model } from '../../read/read-glb.ts'
import type { Notes } from '../../report.ts'
import { readFloats } from '../../scene/geometry/accessor-floats.ts'
import { readSampler } from './read-sampler.ts'
import type { Path, Track } from './track.ts'

/** One animation of the GLB and its `index`. It begins at zero seconds and ends with its last key. */
export type Clip = { name: string; index: number; tracks: Track[] }

const paths: readonly unknown[] = ['translation', 'rotation', 'scale', 'weights'] satisfies Path[]

/**
 * Reads the animations of a model, in file order. KHR_animation_pointer is supported for node transforms and weights;
 * other pointers are noted.
 * @throws ConversionError naming the animation and the channel that cannot be read.
 */
export function readClips(model: Model, notes: Notes): Clip[] {
  const root = model.document.getRoot()
  const [nodes, accessors] = [root.listNodes(), root.listAccessors()]
  return model.json.animations.map((animation, index) => {
    const name = typeof animation.name === 'string' ? animation.name : ''
    const label = `animation ${index}${name && ` "${name}"`}`
    const samplers = listOf(animation.samplers, label, 'samplers')
    const tracks = new Map<string, Track>()
    for (const [number, channel] of listOf(animation.channels, label, 'channels').entries()) {
      const where = `${label}, channel ${number}`
      const target = targetOf(channel, nodes, where, notes)
      if (!target) continue
      const sampler = isCount(channel.sampler) ? samplers[channel.sampler] : undefined
      if (!sampler) throw malformed(`${where}: its sampler does not exist.`)
      const size = sizeOf(target.node, target.path)
      if (size === 0) {
        // Blender writes them where its exporter is to leave out shape keys.
        notes.leftOut('animation_values', 'Animated weights of nodes without morph targets are left out.')
        continue
      }
      const track = readSampler(sampler, accessorOf(accessors, where), target.path, size, where, notes)
      const key = `${nodes.indexOf(target.node)} ${target.path}`
      if (tracks.has(key))
        notes.changed('animation_channels', 'Where two channels animate the same property, the last one is used.')
      tracks.set(key, { ...target, ...track })
    }
    return { name, index, tracks: [...tracks.values()] }
  })
}

function listOf(list: unknown, where: string, what: string): JsonObject[] {
  if (!Array.isArray(list) || !list.every(isObject)) throw malformed(`${where}: it has no list of ${what}.`)
  return list
}

/** Returns the node and property of a channel; undefined, with a note, for targets that are not node properties. */
function targetOf(
  channel: JsonObject,
  nodes: readonly Node[],
  where: string,
  notes: Notes,
): { node: Node; path: Path } | undefined {
  const { node, path, extensions } = isObject(channel.target) ? channel.target : ({} as JsonObject)
  const extension = isObject(extensions) ? extensions.KHR_animation_pointer : undefined
  // Tools without support for the extension keep the channel and drop its pointer.
  if (path === 'pointer' && extension === undefined) {
    notes.leftOut('animation_pointer', 'KHR_animation_pointer channels without a pointer are left out.')
    return undefined
  }
  if (path === 'pointer') {
    const pointer = isObject(extension) ? extension.pointer : undefined
    if (typeof pointer !== 'string') throw malformed(`${where}: it has no pointer.`)
    const [, number, property] = /^\/nodes\/(\d+)\/(translation|rotation|scale|weights)$/.exec(pointer) ?? []
    const pointed = number === undefined ? undefined : nodes[Number(number)]
    if (pointed) return { node: pointed, path: property as Path }
    const what = pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*').slice(0, 200)
    notes.leftOut(
      'animation_pointer',
      `The animation of ${what} is left out: only node transforms and morph target weights are supported.`,
    )
    return undefined
  }
  // glTF reserves channels without a node for extensions.
  if (node === undefined) return undefined
  const target = isCount(node) ? nodes[node] : undefined
  if (!target) throw malformed(`${where}: it moves a node that does not exist.`)
  if (!paths.includes(path)) throw malformed(`${where}: its path is ${JSON.stringify(path)}.`)
  return { node: target, path: path as Path }
}

const accessorOf = (accessors: readonly Accessor[], where: string) => (index: unknown, what: string, size: number) => {
  const accessor = isCount(index) ? accessors[index] : undefined
  if (!accessor) throw malformed(`${where}: its ${what} names an accessor that does not exist.`)
  if (accessor.getElementSize() !== size)
    throw malformed(`${where}: its ${what}, accessor ${index}, has the wrong type.`)
  return readFloats(accessor, size)
}

/** Returns the number of components of a property. */
function sizeOf(node: Node, path: Path): number {
  if (path === 'weights') return targetCount(node)
  return path === 'rotation' ? 4 : 3
}

const targetCount = (node: Node) =>
  Math.max(0, ...(node.getMesh()?.listPrimitives() ?? []).map((primitive) => primitive.listTargets().length))
