import { type GuardedJson, isObject, type JsonObject } from './json.ts'

const ratified = 'KHR_meshopt_compression'
const earlier = 'EXT_meshopt_compression'

/**
 * KHR_meshopt_compression is the ratified name of EXT_meshopt_compression: the members are the same, the decoder reads
 * the data of both. Models are brought to the earlier name, which is the one the reader knows.
 */
export function useEarlierMeshoptName(json: GuardedJson): void {
  const used = json.extensionsUsed
  if (!Array.isArray(used) || !used.includes(ratified)) return
  json.extensionsUsed = used.map((name) => (name === ratified ? earlier : name))
  for (const list of [json.buffers, json.bufferViews]) {
    for (const [index, item] of list.entries()) list[index] = renamed(item)
  }
}

function renamed(item: JsonObject): JsonObject {
  const { extensions } = item
  if (!isObject(extensions) || extensions[ratified] === undefined) return item
  const { [ratified]: value, ...others } = extensions
  return { ...item, extensions: { ...others, [earlier]: value } }
}
