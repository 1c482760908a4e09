import { malformed, tooLarge, unsupported } from '../errors.ts'
import { guardAccessors } from './guard-accessors.ts'
import { guardInstances } from './guard-instances.ts'
import { guardValues } from './guard-values.ts'
import { type GuardedJson, isCount, isObject, type JsonObject, lists } from './json.ts'
import { useEarlierMeshoptName } from './meshopt-alias.ts'

const maxDepth = 1000

/**
 * Checks what would make a reader crash, hang or fill the memory: lists that are none, data outside the file, counts
 * far beyond it, node graphs that are no trees. It is not a validator; a wrong value elsewhere shows when it is read.
 */
export function guard(json: JsonObject, binary: Uint8Array | undefined): GuardedJson {
  for (const name of lists) {
    const list = json[name]
    if (list === undefined) continue
    if (!Array.isArray(list) || !list.every(isObject)) throw malformed(`"${name}" in the GLB is not a list of objects.`)
  }
  const guarded = { ...Object.fromEntries(lists.map((name) => [name, []])), ...json } as GuardedJson
  useEarlierMeshoptName(guarded)
  guardBuffers(guarded, binary)
  guardAccessors(guarded)
  guardValues(guarded)
  guardNodes(guarded.nodes)
  guardInstances(guarded)
  return guarded
}

function guardBuffers(json: GuardedJson, binary: Uint8Array | undefined): void {
  for (const [index, buffer] of json.buffers.entries()) {
    const { uri, byteLength } = buffer
    if (!isCount(byteLength)) throw malformed(`Buffer ${index} has no valid byteLength.`)
    if (typeof uri === 'string') {
      if (!uri.startsWith('data:')) {
        throw unsupported(`The GLB refers to another file, "${uri.slice(0, 100)}": pack its buffers into the GLB.`)
      }
    } else if (!isFallback(buffer) && byteLength > (binary?.length ?? 0)) {
      throw malformed(`Buffer ${index} needs ${byteLength} bytes, the binary chunk has ${binary?.length ?? 0}.`)
    }
  }
}

/** A buffer that stands only for what meshopt-compressed views decode to holds no bytes of its own. */
function isFallback(buffer: JsonObject): boolean {
  const extensions = isObject(buffer.extensions) ? buffer.extensions : {}
  return isObject(extensions.EXT_meshopt_compression) && extensions.EXT_meshopt_compression.fallback === true
}

function guardNodes(nodes: readonly JsonObject[]): void {
  const parents = new Map<number, number>()
  for (const [index, node] of nodes.entries()) {
    const children = node.children ?? []
    if (!Array.isArray(children)) throw malformed(`The children of node ${index} are not a list.`)
    for (const child of children) {
      if (!isCount(child) || child >= nodes.length) throw malformed(`Node ${index} has a child that does not exist.`)
      if (parents.has(child)) throw malformed(`Node ${child} is the child of more than one node.`)
      parents.set(child, index)
    }
  }
  const depths = new Map<number, number>()
  for (const start of nodes.keys()) {
    const path: number[] = []
    let at: number | undefined = start
    while (at !== undefined && !depths.has(at)) {
      path.push(at)
      if (path.length > nodes.length) throw malformed(`Node ${start} is its own ancestor.`)
      at = parents.get(at)
    }
    let depth = at === undefined ? 0 : depths.get(at)!
    for (const node of path.reverse()) depths.set(node, ++depth)
    if (depth > maxDepth) throw tooLarge(`The nodes of the GLB are nested more than ${maxDepth} deep.`)
  }
}
