import { type BufferAttribute, Matrix4, type Object3D, Quaternion, Vector3 } from 'three'
import { deformer } from './deform.ts'
import type { StageMesh } from './meshes.ts'
import type { Stage } from './stage.ts'

/** Poses the completed side: animated transforms (UsdGeomXformable), then skins and blend shapes. */
export function poser(group: Object3D, stage: Stage, meshes: readonly StageMesh[]) {
  const moving = stage.paths.filter(
    (path) => !path.includes('.') && stage.typeOf(path) !== undefined && isMoving(path, stage),
  )
  const objects = moving.map((path) => ({ path, object: objectAt(group, path) }))
  for (const { object } of objects) object.matrixAutoUpdate = false
  const deformed = meshes.map((mesh) => ({ mesh, deform: deformer(mesh, stage) }))

  const pose = (timeCode: number | undefined) => {
    for (const { path, object } of objects) {
      object.matrix.copy(localMatrix(path, stage, timeCode))
      object.matrixWorldNeedsUpdate = true
    }
    for (const { mesh, deform } of deformed) {
      const found = deform?.(timeCode)
      if (!found) continue
      const { geometry } = mesh.object
      fill(geometry.getAttribute('position') as BufferAttribute, found.points, mesh)
      if (found.normals) fill(geometry.getAttribute('normal') as BufferAttribute, found.normals, mesh)
    }
  }
  pose(undefined)
  return pose
}

function fill(attribute: BufferAttribute, values: ArrayLike<number>, { indices }: StageMesh): void {
  for (let i = 0; i < indices.length; i++) {
    const from = indices[i]! * 3
    attribute.setXYZ(i, values[from]!, values[from + 1]!, values[from + 2]!)
  }
  attribute.needsUpdate = true
}

const isMoving = (path: string, stage: Stage) =>
  (stage.value<string[]>(`${path}.xformOpOrder`) ?? []).some((op) => stage.isAnimated(`${path}.${op}`))

function objectAt(group: Object3D, path: string): Object3D {
  let object = group
  for (const name of path.split('/').slice(1)) {
    const below = object.children.find((child) => child.name === name)
    if (!below) throw new Error(`USDLoader does not show ${path}`)
    object = below
  }
  return object
}

/** The product of a prim's ops at a time, in order. */
function localMatrix(path: string, stage: Stage, timeCode: number | undefined): Matrix4 {
  const matrix = new Matrix4()
  for (const op of stage.value<string[]>(`${path}.xformOpOrder`) ?? []) {
    const value = stage.value<ArrayLike<number>>(`${path}.${op}`, timeCode)!
    const [x, y, z, w] = Array.from(value) as [number, number, number, number]
    const kind = op.split(':')[1]
    if (kind === 'translate') matrix.multiply(new Matrix4().makeTranslation(x, y, z))
    else if (kind === 'scale') matrix.scale(new Vector3(x, y, z))
    else if (kind === 'orient') matrix.multiply(new Matrix4().makeRotationFromQuaternion(new Quaternion(x, y, z, w)))
    else if (kind === 'transform') matrix.multiply(new Matrix4().fromArray(Array.from(value)))
    else throw new Error(`The op ${op} of ${path} is not read here`)
  }
  return matrix
}
