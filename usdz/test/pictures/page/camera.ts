import { Box3, type Object3D, PerspectiveCamera, Vector3 } from 'three'

/** Azimuth and elevation in degrees: four around, one from above, one from below; none along an axis, so that flat models are visible from all. */
const views = [
  [35, 20],
  [125, 15],
  [215, 20],
  [305, 15],
  [20, 65],
  [-20, -60],
] as const

/** The box around all vertices in the current pose. */
export function boundsOf(object: Object3D): Box3 {
  // Not updateWorldMatrix: skinned meshes need this one.
  object.updateMatrixWorld(true)
  return new Box3().setFromObject(object, true)
}

/** A camera that sees the whole box. */
export function lookAt(box: Box3, view: number): PerspectiveCamera {
  const centre = box.getCenter(new Vector3())
  const radius = Math.max(box.getSize(new Vector3()).length() / 2, 1e-6)
  const [azimuth, elevation] = views[view]!.map((degrees) => (degrees * Math.PI) / 180) as [number, number]
  const distance = radius / Math.sin(Math.PI / 12)
  const camera = new PerspectiveCamera(30, 1, distance - radius * 1.01, distance + radius * 1.01)
  camera.position.set(
    centre.x + distance * Math.cos(elevation) * Math.sin(azimuth),
    centre.y + distance * Math.sin(elevation),
    centre.z + distance * Math.cos(elevation) * Math.cos(azimuth),
  )
  camera.lookAt(centre)
  return camera
}
