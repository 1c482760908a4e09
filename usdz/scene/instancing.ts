import type { Node } from '@gltf-transform/core'
import type { InstancedMesh } from '@gltf-transform/extensions'
import { malformed, tooLarge } from '../errors.ts'
import type { Notes } from '../report.ts'
import { describeNode, withErrorContext } from './error-context.ts'
import { readFloats } from './geometry/accessor-floats.ts'
import type { Color } from './materials/material.ts'
import { compose, type Matrix } from './matrix.ts'

/** Each instance becomes prims; viewers slow down long before this number. */
const maxInstances = 25_000

/** An instance of a mesh: its matrix, and its linear colour if instances have one (`_COLOR_0`). */
export type Instance = { matrix: Matrix; color?: Color }

/**
 * Returns the instances of a node with their colours, and notes their other attributes; undefined for a node without
 * EXT_mesh_gpu_instancing.
 * @throws ConversionError as `instanceMatrices`.
 */
export function readInstances(node: Node, notes: Notes): Instance[] | undefined {
  const matrices = instanceMatrices(node)
  const instancing = node.getExtension<InstancedMesh>('EXT_mesh_gpu_instancing')
  if (!matrices || !instancing) return undefined
  for (const semantic of instancing.listSemantics()) {
    if (/^(TRANSLATION|ROTATION|SCALE|_COLOR_0)$/.test(semantic)) continue
    notes.leftOut('instance_attribute', `The attribute ${semantic} of instances is left out.`)
  }
  const accessor = instancing.getAttribute('_COLOR_0')
  const isColor = accessor?.getCount() === matrices.length && accessor.getElementSize() >= 3
  if (!accessor || !isColor) return matrices.map((matrix) => ({ matrix }))
  const colors = readFloats(accessor, 3)
  return matrices.map((matrix, index) => ({
    matrix,
    color: [0, 1, 2].map((k) => Math.max(0, colors[index * 3 + k]! || 0)) as unknown as Color,
  }))
}

/**
 * Returns the matrices of EXT_mesh_gpu_instancing, one for each instance; undefined for a node without it.
 * @throws ConversionError naming the node when there are too many instances or their attributes are inconsistent.
 */
export function instanceMatrices(node: Node): Matrix[] | undefined {
  const instancing = node.getExtension<InstancedMesh>('EXT_mesh_gpu_instancing')
  if (!instancing) return undefined
  const count = instancing.listAttributes()[0]?.getCount() ?? 0
  if (count > maxInstances)
    throw tooLarge(`${describeNode(node)}: it has ${count} instances, at most ${maxInstances} are written.`)
  const values = (semantic: string, size: number) => {
    const accessor = instancing.getAttribute(semantic)
    if (accessor && accessor.getCount() !== count) {
      throw malformed(
        `${describeNode(node)}: it has ${accessor.getCount()} values of ${semantic} for ${count} instances.`,
      )
    }
    const array =
      accessor &&
      withErrorContext(
        () => describeNode(node),
        () => readFloats(accessor, size),
      )
    return (index: number) => (array ? [...array.subarray(index * size, (index + 1) * size)] : [])
  }
  const translation = values('TRANSLATION', 3)
  const rotation = values('ROTATION', 4)
  const scale = values('SCALE', 3)
  return Array.from({ length: count }, (_, index) => compose(translation(index), rotation(index), scale(index)))
}
