import { type Accessor, Document, type Mesh, type Node, type Primitive } from '@gltf-transform/core'
import { ConversionError } from '../errors.ts'
import { elementLabel, primitiveLabel } from '../read/element-label.ts'

type Property = Accessor | Mesh | Node | Primitive

/** Describes an element for an error message by its index in the file. Only computed when there is an error. */
export const describeAccessor = (accessor: Accessor): string =>
  elementLabel('accessor', indexIn(rootOf(accessor)?.listAccessors(), accessor), accessor.getName())

export const describeNode = (node: Node): string =>
  elementLabel('node', indexIn(rootOf(node)?.listNodes(), node), node.getName())

/** `mesh 3 "Door", primitive 0` */
export function describePrimitive(primitive: Primitive): string {
  const meshes = rootOf(primitive)?.listMeshes() ?? []
  const mesh = meshes.find((candidate) => candidate.listPrimitives().includes(primitive))
  if (!mesh) return 'a primitive of no mesh'
  return primitiveLabel(meshes.indexOf(mesh), mesh.getName(), mesh.listPrimitives().indexOf(primitive))
}

/** Runs a function and prefixes the message of a ConversionError with a label. */
export function withErrorContext<Result>(label: () => string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error
    throw new ConversionError(error.code, `${label()}: ${error.message}`, { cause: error })
  }
}

const rootOf = (property: Property) => Document.fromGraph(property.getGraph())?.getRoot()
const indexIn = (list: readonly Property[] | undefined, item: Property) => list?.indexOf(item) ?? -1
