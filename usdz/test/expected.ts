import { Logger, type Node, NodeIO, type Primitive } from '@gltf-transform/core'
import { ALL_EXTENSIONS, type InstancedMesh } from '@gltf-transform/extensions'
import draco3d from 'draco3dgltf'
import { MeshoptDecoder } from 'meshoptimizer'

/** What a reader must find in a converted model, taken from the GLB by other means than the converter's. */
export type Expected = {
  triangles: number
  /** Smallest x y z, largest x y z in world space; undefined where vertices move with joints, targets or instances. */
  bounds: number[] | undefined
}

export async function expectedOf(glb: Uint8Array): Promise<Expected> {
  await MeshoptDecoder.ready
  const io = new NodeIO()
    .setLogger(new Logger(Logger.Verbosity.SILENT))
    .registerExtensions(ALL_EXTENSIONS)
    .registerDependencies({ 'draco3d.decoder': await draco3d.createDecoderModule(), 'meshopt.decoder': MeshoptDecoder })
  const root = (await io.readBinary(glb)).getRoot()
  const scene = root.getDefaultScene() ?? root.listScenes()[0]
  const tops = scene ? scene.listChildren() : root.listNodes().filter((node) => !node.getParentNode())

  let triangles = 0
  let bounds: number[] | undefined = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]
  const visit = (node: Node) => {
    const instances = node.getExtension<InstancedMesh>('EXT_mesh_gpu_instancing')?.listAttributes()[0]?.getCount() ?? 1
    for (const primitive of node.getMesh()?.listPrimitives() ?? []) {
      const count = trianglesOf(primitive)
      triangles += count * instances
      const moves = node.getSkin() || primitive.listTargets().length > 0 || instances > 1
      if (moves) bounds = undefined
      else if (bounds && count > 0) grow(bounds, primitive, node.getWorldMatrix())
    }
    node.listChildren().forEach(visit)
  }
  tops.forEach(visit)
  return { triangles, bounds }
}

function trianglesOf(primitive: Primitive): number {
  const corners = primitive.getIndices()?.getCount() ?? primitive.getAttribute('POSITION')?.getCount() ?? 0
  if (primitive.getMode() === 4) return Math.floor(corners / 3)
  return primitive.getMode() > 4 ? Math.max(0, corners - 2) : 0
}

function grow(bounds: number[], primitive: Primitive, matrix: number[]): void {
  const position = primitive.getAttribute('POSITION')!
  const point: number[] = []
  for (let i = 0; i < position.getCount(); i++) {
    const [x, y, z] = position.getElement(i, point) as [number, number, number]
    for (let axis = 0; axis < 3; axis++) {
      const value = matrix[axis]! * x + matrix[axis + 4]! * y + matrix[axis + 8]! * z + matrix[axis + 12]!
      bounds[axis] = Math.min(bounds[axis]!, value)
      bounds[axis + 3] = Math.max(bounds[axis + 3]!, value)
    }
  }
}

/** Whether two boxes agree to a ten-thousandth of the diagonal of the first. */
export function isSameBox(one: readonly number[], other: readonly number[]): boolean {
  const diagonal = Math.hypot(one[3]! - one[0]!, one[4]! - one[1]!, one[5]! - one[2]!)
  return one.every((value, i) => Math.abs(value - other[i]!) <= 1e-4 * Math.max(diagonal, 1e-6))
}
