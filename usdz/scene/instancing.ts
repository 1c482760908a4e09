import type { Node } from '@gltf-transform/core'
import type { InstancedMesh } from '@gltf-transform/extensions'
import { malformed, tooLarge } from '../errors.ts'
import { at, nodePlace } from './error-context.ts'
import { floats } from './geometry/accessor-floats.ts'
import { compose, type Matrix } from './matrix.ts'

/** Each instance becomes prims of its own, and viewers slow down long before this. */
const most = 25_000

/**
 * Where EXT_mesh_gpu_instancing puts the mesh of a node, one matrix an instance; undefined for a plain node.
 * @throws ConversionError naming the node, when there are too many or their attributes do not fit.
 */
export function instanceMatrices(node: Node): Matrix[] | undefined {
  const instancing = node.getExtension<InstancedMesh>('EXT_mesh_gpu_instancing')
  if (!instancing) return undefined
  const count = instancing.listAttributes()[0]?.getCount() ?? 0
  if (count > most) throw tooLarge(`${nodePlace(node)}: it has ${count} instances, at most ${most} are written.`)
  const values = (semantic: string, size: number) => {
    const accessor = instancing.getAttribute(semantic)
    if (accessor && accessor.getCount() !== count) {
      throw malformed(`${nodePlace(node)}: it has ${accessor.getCount()} values of ${semantic} for ${count} instances.`)
    }
    const array =
      accessor &&
      at(
        () => nodePlace(node),
        () => floats(accessor, size),
      )
    return (index: number) => (array ? [...array.subarray(index * size, (index + 1) * size)] : [])
  }
  const translation = values('TRANSLATION', 3)
  const rotation = values('ROTATION', 4)
  const scale = values('SCALE', 3)
  return Array.from({ length: count }, (_, index) => compose(translation(index), rotation(index), scale(index)))
}
