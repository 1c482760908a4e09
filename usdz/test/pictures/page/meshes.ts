import { BufferAttribute, type Material, Mesh, type Object3D } from 'three'
import type { Stage } from './stage.ts'

/** A mesh of the stage and its object. */
export type StageMesh = {
  path: string
  object: Mesh
  material: Material
  indices: ArrayLike<number>
  points: ArrayLike<number>
  normals: ArrayLike<number> | undefined
}

/**
 * The meshes created by USDLoader, by path. Skinned ones are replaced by plain meshes, which are posed here.
 * @throws if the loader's triangles differ from the stage.
 */
export function meshesOf(group: Object3D, stage: Stage): StageMesh[] {
  const found: { path: string; object: Mesh }[] = []
  const visit = (object: Object3D, path: string) => {
    for (const child of [...object.children]) {
      const below = `${path}/${child.name}`
      if (child instanceof Mesh && stage.typeOf(below) === 'Mesh') found.push({ path: below, object: plain(child) })
      visit(child, below)
    }
  }
  visit(group, '')
  const expected = stage.paths.filter((path) => stage.typeOf(path) === 'Mesh').length
  if (found.length !== expected) throw new Error(`USDLoader shows ${found.length} meshes of ${expected}`)
  return found.map(({ path, object }) => {
    const indices = stage.value<ArrayLike<number>>(`${path}.faceVertexIndices`)!
    const points = stage.value<ArrayLike<number>>(`${path}.points`)!
    const normals = stage.value<ArrayLike<number>>(`${path}.normals`)
    const shown = object.geometry.getAttribute('position')
    if (shown.count !== indices.length) throw new Error(`USDLoader shows ${shown.count} corners of ${indices.length}`)
    return { path, object, material: object.material as Material, indices, points, normals }
  })
}

/** Bones below a skinned mesh are removed with it. */
function plain(mesh: Mesh): Mesh {
  if (!('skeleton' in mesh)) return mesh
  const made = new Mesh(mesh.geometry, mesh.material)
  made.name = mesh.name
  made.matrixAutoUpdate = false
  made.matrix.copy(mesh.matrix)
  mesh.parent!.add(made)
  mesh.removeFromParent()
  return made
}

/** Expands values per vertex, per corner or constant to one for each triangle corner. */
export function spread(values: ArrayLike<number>, size: number, mesh: StageMesh): BufferAttribute {
  const { indices, points } = mesh
  const [vertices, corners] = [points.length / 3, indices.length]
  const count = values.length / size
  const from = count === vertices ? (i: number) => indices[i]! : count === corners ? (i: number) => i : () => 0
  const out = new Float32Array(corners * size)
  for (let i = 0; i < corners; i++) for (let k = 0; k < size; k++) out[i * size + k] = values[from(i) * size + k]!
  return new BufferAttribute(out, size)
}
