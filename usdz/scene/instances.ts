import type { Node } from '@gltf-transform/core'
import type { InstancedMesh } from '@gltf-transform/extensions'
import { malformed } from '../errors.ts'
import { floats } from './attributes.ts'
import { compose, type Matrix } from './matrix.ts'

/** Where EXT_mesh_gpu_instancing puts the mesh of a node, one matrix an instance; undefined for a plain node. */
export function instanceMatrices(node: Node): Matrix[] | undefined {
  const instancing = node.getExtension<InstancedMesh>('EXT_mesh_gpu_instancing')
  if (!instancing) return undefined
  const count = instancing.listAttributes()[0]?.getCount() ?? 0
  const values = (semantic: string, size: number) => {
    const accessor = instancing.getAttribute(semantic)
    if (accessor && accessor.getCount() !== count)
      throw malformed('The attributes of an instanced mesh differ in count.')
    const array = accessor && floats(accessor, size)
    return (index: number) => (array ? [...array.subarray(index * size, (index + 1) * size)] : [])
  }
  const translation = values('TRANSLATION', 3)
  const rotation = values('ROTATION', 4)
  const scale = values('SCALE', 3)
  return Array.from({ length: count }, (_, index) => compose(translation(index), rotation(index), scale(index)))
}
