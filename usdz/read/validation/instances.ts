import { malformed } from '../../errors.ts'
import { isCount, isObject, type ValidatedGltf } from '../json.ts'

/** Validates the accessors of EXT_mesh_gpu_instancing: glTF-Transform ignores missing ones. */
export function validateInstances(json: ValidatedGltf): void {
  for (const [index, { extensions }] of json.nodes.entries()) {
    const instancing = isObject(extensions) ? extensions.EXT_mesh_gpu_instancing : undefined
    if (instancing === undefined) continue
    const attributes = isObject(instancing) ? instancing.attributes : undefined
    if (!isObject(attributes)) throw malformed(`The instances of node ${index} have no attributes.`)
    for (const [semantic, accessor] of Object.entries(attributes)) {
      if (!isCount(accessor) || accessor >= json.accessors.length)
        throw malformed(`The ${semantic} of the instances of node ${index} names an accessor that does not exist.`)
    }
  }
}
