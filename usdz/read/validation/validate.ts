import { malformed, tooLarge, unsupported } from '../../errors.ts'
import { meshoptOf } from '../buffers/meshopt-extension.ts'
import { elementLabel } from '../element-label.ts'
import { isCount, isObject, type JsonObject, topLevelLists, type ValidatedGltf } from '../json.ts'
import { validateAccessors } from './accessors.ts'
import { validateBufferViews } from './buffer-views.ts'
import { validateCounts } from './count-limits.ts'
import { validateInstances } from './instances.ts'
import { validatePropertyTypes } from './property-types.ts'
import { validateReferences } from './references.ts'

const maxDepth = 1000

/**
 * Validates what could make a reader crash, hang or exhaust memory: wrong lists, data outside the file, excessive
 * counts, node graphs that are not trees. It is not a full validator; other wrong values are reported when they are
 * read.
 */
export function validateGltf(json: JsonObject, binary: Uint8Array | undefined): ValidatedGltf {
  for (const name of topLevelLists) {
    const list = json[name]
    if (list === undefined) continue
    if (!Array.isArray(list) || !list.every(isObject)) throw malformed(`"${name}" in the GLB is not a list of objects.`)
  }
  const guarded = { ...Object.fromEntries(topLevelLists.map((name) => [name, []])), ...json } as ValidatedGltf
  validateCounts(guarded)
  validateMembers(guarded)
  validateBuffers(guarded, binary)
  validateAccessors(guarded, validateBufferViews(guarded))
  validatePropertyTypes(guarded)
  validateReferences(guarded)
  validateNodeTree(guarded.nodes)
  validateInstances(guarded)
  return guarded
}

/** Validates the members common to all items. */
function validateMembers(json: ValidatedGltf): void {
  for (const list of topLevelLists) {
    for (const [index, { name, extensions }] of json[list].entries()) {
      if (name !== undefined && typeof name !== 'string') throw malformed(`${list} ${index}: its name is not text.`)
      if (extensions !== undefined && !isObject(extensions)) {
        throw malformed(`${list} ${index}: its extensions are not an object.`)
      }
    }
  }
  const variants = (json as { extensions?: Record<string, { variants?: unknown } | null> }).extensions
    ?.KHR_materials_variants?.variants
  if (!Array.isArray(variants)) return
  for (const [index, variant] of variants.entries()) {
    if (!isObject(variant) || (variant.name !== undefined && typeof variant.name !== 'string')) {
      throw malformed(`material variant ${index}: its name is not text.`)
    }
  }
}

function validateBuffers(json: ValidatedGltf, binary: Uint8Array | undefined): void {
  // The buffers of views with meshopt compression are fallbacks for other readers, and may have no bytes.
  const read = new Set(json.bufferViews.map((view) => (meshoptOf(view) ?? view).buffer))
  for (const [index, buffer] of json.buffers.entries()) {
    const { uri, byteLength } = buffer
    if (!isCount(byteLength)) throw malformed(`buffer ${index}: it has no valid byteLength.`)
    if (uri === undefined && !read.has(index)) continue
    if (typeof uri === 'string') {
      if (!/^data:/i.test(uri)) {
        throw unsupported(
          `buffer ${index}: its data is in another file, "${uri.slice(0, 100)}". Pack them into the GLB.`,
        )
      }
    } else if (byteLength > (binary?.length ?? 0)) {
      throw malformed(`buffer ${index}: it needs ${byteLength} bytes, the binary chunk has ${binary?.length ?? 0}.`)
    }
  }
}

function validateNodeTree(nodes: readonly JsonObject[]): void {
  const parents = new Map<number, number>()
  const place = (index: number) => elementLabel('node', index, nodes[index]?.name)
  for (const [index, node] of nodes.entries()) {
    const children = node.children ?? []
    if (!Array.isArray(children)) throw malformed(`${place(index)}: its children are not a list.`)
    for (const child of children) {
      if (!isCount(child) || child >= nodes.length) {
        throw malformed(`${place(index)}: its child, node ${JSON.stringify(child)}, does not exist.`)
      }
      if (parents.has(child)) throw malformed(`${place(child)}: it is the child of more than one node.`)
      parents.set(child, index)
    }
  }
  const depths = new Map<number, number>()
  for (const start of nodes.keys()) {
    const path: number[] = []
    let at: number | undefined = start
    while (at !== undefined && !depths.has(at)) {
      path.push(at)
      if (path.length > nodes.length) throw malformed(`${place(start)}: it is its own ancestor.`)
      at = parents.get(at)
    }
    let depth = at === undefined ? 0 : depths.get(at)!
    for (const node of path.reverse()) depths.set(node, ++depth)
    if (depth > maxDepth) throw tooLarge(`The nodes of the GLB are nested more than ${maxDepth} deep.`)
  }
}
