import { malformed } from '../../errors.ts'
import { elementLabel } from '../element-label.ts'
import { isCount, isObject, type topLevelLists, type ValidatedGltf } from '../json.ts'

type List = (typeof topLevelLists)[number]

/** The references by index in a glTF. `*` stands for every item of a list or member of an object. */
const references: readonly { from: List; path: string; to: List }[] = [
  { from: 'images', path: 'bufferView', to: 'bufferViews' },
  { from: 'textures', path: 'sampler', to: 'samplers' },
  { from: 'meshes', path: 'primitives.*.attributes.*', to: 'accessors' },
  { from: 'meshes', path: 'primitives.*.indices', to: 'accessors' },
  { from: 'meshes', path: 'primitives.*.material', to: 'materials' },
  { from: 'meshes', path: 'primitives.*.extensions.KHR_materials_variants.mappings.*.material', to: 'materials' },
  { from: 'meshes', path: 'primitives.*.targets.*.*', to: 'accessors' },
  { from: 'nodes', path: 'mesh', to: 'meshes' },
  { from: 'nodes', path: 'skin', to: 'skins' },
  { from: 'nodes', path: 'camera', to: 'cameras' },
  { from: 'skins', path: 'joints.*', to: 'nodes' },
  { from: 'skins', path: 'skeleton', to: 'nodes' },
  { from: 'skins', path: 'inverseBindMatrices', to: 'accessors' },
  { from: 'animations', path: 'samplers.*.input', to: 'accessors' },
  { from: 'animations', path: 'samplers.*.output', to: 'accessors' },
  { from: 'animations', path: 'channels.*.target.node', to: 'nodes' },
  { from: 'scenes', path: 'nodes.*', to: 'nodes' },
]

/** Required list members. */
const required: readonly { from: List; member: string }[] = [
  { from: 'meshes', member: 'primitives' },
  { from: 'skins', member: 'joints' },
  { from: 'animations', member: 'samplers' },
  { from: 'animations', member: 'channels' },
]

/**
 * Validates that all referenced items exist.
 * @throws ConversionError naming the referrer.
 */
export function validateReferences(json: ValidatedGltf): void {
  for (const { from, member } of required) {
    for (const [index, item] of json[from].entries()) {
      if (!Array.isArray(item[member])) throw malformed(`${label(from, index, item.name)}: it has no ${member}.`)
    }
  }
  for (const { from, path, to } of references) {
    for (const [index, item] of json[from].entries()) {
      const check = (value: unknown, where: string) => {
        if (isCount(value) && value < json[to].length) return
        throw malformed(`${label(from, index, item.name)}${where}: ${missing(to, value)}`)
      }
      follow(item, path.split('.'), '', check, () => label(from, index, item.name))
    }
  }
  validateChannels(json)
  validateTextures(json)
  if (json.scene !== undefined && !(isCount(json.scene) && json.scene < json.scenes.length)) {
    throw malformed(`The default scene: ${missing('scenes', json.scene)}`)
  }
}

/** Calls `check` for each value at a path; absent members are skipped. */
function follow(
  value: unknown,
  path: readonly string[],
  where: string,
  check: (value: unknown, where: string) => void,
  who: () => string,
): void {
  const [step, ...rest] = path
  if (step === undefined) {
    check(value, where)
    return
  }
  if (typeof value !== 'object' || value === null) throw malformed(`${who()}${where}: it has the wrong type.`)
  if (step === '*') {
    for (const [key, inner] of Object.entries(value)) follow(inner, rest, `${where} ${key}`, check, who)
    return
  }
  const inner = (value as Record<string, unknown>)[step]
  if (inner !== undefined) follow(inner, rest, `${where}, ${itemNames.get(step) ?? step}`, check, who)
}

/** Validates that each channel references a sampler of its animation. */
function validateChannels(json: ValidatedGltf): void {
  for (const [index, { name, channels, samplers }] of json.animations.entries()) {
    for (const [number, channel] of (channels as unknown[]).entries()) {
      const who = `${label('animations', index, name)}, channel ${number}`
      if (!isObject(channel) || !isObject(channel.target)) throw malformed(`${who}: it has no target.`)
      const { sampler } = channel
      if (isCount(sampler) && sampler < (samplers as unknown[]).length) continue
      throw malformed(`${who}: ${missing('samplers', sampler)}`)
    }
    for (const [number, sampler] of (samplers as unknown[]).entries()) {
      if (isObject(sampler) && isCount(sampler.input) && isCount(sampler.output)) continue
      throw malformed(`${label('animations', index, name)}, sampler ${number}: it has no input and output.`)
    }
  }
}

/** Validates texture references: all members of materials and their extensions named `…Texture`. */
function validateTextures(json: ValidatedGltf): void {
  const search = (value: unknown, who: string) => {
    if (!isObject(value)) return
    for (const [name, inner] of Object.entries(value)) {
      if (!isObject(inner)) continue
      if (name.endsWith('Texture') && !(isCount(inner.index) && inner.index < json.textures.length)) {
        throw malformed(`${who}, ${name}: ${missing('textures', inner.index)}`)
      }
      if (name !== 'extras') search(inner, who)
    }
  }
  for (const [index, material] of json.materials.entries()) search(material, label('materials', index, material.name))
}

/** The singular of each list name, for messages. */
const itemNames = new Map([
  ['accessors', 'accessor'],
  ['animations', 'animation'],
  ['attributes', 'attribute'],
  ['buffers', 'buffer'],
  ['bufferViews', 'buffer view'],
  ['cameras', 'camera'],
  ['channels', 'channel'],
  ['images', 'image'],
  ['joints', 'joint'],
  ['materials', 'material'],
  ['meshes', 'mesh'],
  ['nodes', 'node'],
  ['primitives', 'primitive'],
  ['samplers', 'sampler'],
  ['scenes', 'scene'],
  ['skins', 'skin'],
  ['targets', 'target'],
  ['textures', 'texture'],
])
const label = (list: List, index: number, name: unknown) => elementLabel(itemNames.get(list)!, index, name)
const missing = (list: List, index: unknown) =>
  index === undefined
    ? `it names no ${itemNames.get(list)}.`
    : `there is no ${itemNames.get(list)} ${JSON.stringify(index).slice(0, 40)}.`
