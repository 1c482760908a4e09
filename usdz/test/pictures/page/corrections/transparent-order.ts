import { Box3, type Material, Mesh, type Object3D, type PerspectiveCamera, Vector3 } from 'three'

/** Distances that differ by less than this part of the model's size are equal. */
const precision = 1e-4

/**
 * Draws transparent meshes by their distance from the camera. three.js takes it from spheres that it computes once, in an
 * earlier pose or around vertices that are not drawn, and draws those at one distance in the order in which they were made.
 * Neither glTF nor USD says which of those is above.
 */
export function orderTransparent(group: Object3D, camera: PerspectiveCamera): void {
  group.updateMatrixWorld(true)
  camera.updateMatrixWorld()
  const step = (camera.far - camera.near) * precision
  const found: { mesh: Mesh; key: number[] }[] = []
  group.traverse((object) => {
    if (!(object instanceof Mesh) || !isTransparent(object)) return
    const box = boxOf(object)
    const { x, y, z } = box.getCenter(new Vector3()).applyMatrix4(camera.matrixWorldInverse)
    const span = box.getSize(new Vector3()).length()
    found.push({ mesh: object, key: [z, -span, x, y].map((value) => Math.round(value / step)) })
  })
  found.sort((one, other) => one.key.map((value, k) => value - other.key[k]!).find((difference) => difference) ?? 0)
  for (const [order, { mesh }] of found.entries()) mesh.renderOrder = order
}

export const isTransparent = ({ material }: Mesh): boolean =>
  [material].flat().some(({ transparent }: Material) => transparent)

/** The box around the vertices that are drawn, in the current pose. */
function boxOf(mesh: Mesh): Box3 {
  const box = new Box3()
  const vertex = new Vector3()
  const { index, attributes } = mesh.geometry
  const count = index?.count ?? attributes.position?.count ?? 0
  for (let i = 0; i < count; i++) {
    box.expandByPoint(mesh.getVertexPosition(index ? index.getX(i) : i, vertex).applyMatrix4(mesh.matrixWorld))
  }
  return box
}
