import {
  BufferAttribute,
  BufferGeometry,
  type Group,
  InstancedMesh,
  type Material,
  Matrix3,
  Matrix4,
  Mesh,
  type MeshPhysicalMaterial,
  type Object3D,
  SkinnedMesh,
  Vector3,
} from 'three'
import { isTransparent } from './transparent-order.ts'

/** The loader turns the normal maps of instances without tangents twice, once as those of meshes: back upside down. */
export function turnInstancedNormalMaps(group: Group): void {
  group.traverse((object) => {
    if (!(object instanceof InstancedMesh) || object.geometry.hasAttribute('tangent')) return
    for (const material of [object.material].flat() as Partial<MeshPhysicalMaterial>[]) {
      for (const scale of [material.normalScale, material.clearcoatNormalScale]) scale?.setY(-scale.x)
    }
  })
}

/**
 * Draws instances that are mirrored, flat or transparent as meshes of their own: three winds all instances of a mesh in the
 * same way, divides by the squares of their scales, and draws them in the order of the file.
 */
export function drawInstancesApart(group: Group): void {
  group.updateMatrixWorld(true)
  group.traverse((object) => {
    if (!(object instanceof InstancedMesh)) return
    const matrices = Array.from({ length: object.count }, (_, i) => {
      const matrix = new Matrix4()
      object.getMatrixAt(i, matrix)
      return matrix
    })
    const isUpright = matrices.every((matrix) => matrix.determinant() > 0)
    if (isUpright && !isTransparent(object) && !isSingular(object.matrixWorld)) return
    for (const [i, matrix] of matrices.entries()) {
      const copy = new Mesh(object.geometry, tinted(object, i))
      copy.matrixAutoUpdate = false
      copy.matrix.copy(matrix)
      object.add(copy)
    }
    object.count = 0
  })
}

function tinted({ material, instanceColor }: InstancedMesh, index: number): Material | Material[] {
  if (!instanceColor) return material
  const copies = [material].flat().map((one) => one.clone())
  for (const copy of copies as (Material & { color?: { multiply(by: object): void } })[]) {
    copy.color?.multiply({
      r: instanceColor.getX(index),
      g: instanceColor.getY(index),
      b: instanceColor.getZ(index),
    })
  }
  return Array.isArray(material) ? copies : copies[0]!
}

/**
 * Gives meshes that their transform flattens in the present pose the vertices and normals that are seen: three divides
 * by the determinant, which is zero but for rounding, for normals and for the side that is the front.
 * @returns what draws them as before.
 */
export function flattenSingular(group: Object3D): () => void {
  group.updateMatrixWorld(true)
  const flat: Mesh[] = []
  group.traverseVisible((object) => {
    const isPlain = object instanceof Mesh && !(object instanceof SkinnedMesh) && !(object instanceof InstancedMesh)
    if (isPlain && isSingular(object.matrixWorld)) flat.push(object)
  })
  const fromWorld = group.matrixWorld.clone().invert()
  const undo = flat.map((mesh) => {
    const { geometry } = mesh
    const seen = new Mesh(flattened(mesh), mesh.material)
    seen.frustumCulled = false
    seen.matrixAutoUpdate = false
    seen.matrix.copy(fromWorld)
    group.add(seen)
    mesh.geometry = new BufferGeometry()
    return () => {
      seen.removeFromParent()
      seen.geometry.dispose()
      mesh.geometry = geometry
    }
  })
  return () => {
    for (const step of undo) step()
  }
}

/** Determinants of flat transforms that are products of others are rounding errors. */
function isSingular(matrix: Matrix4): boolean {
  const { x, y, z } = new Vector3().setFromMatrixScale(matrix)
  return Math.abs(matrix.determinant()) <= 1e-9 * Math.abs(x * y * z)
}

/** Normals that a matrix shortens to less than this part of its size are errors of rounding. */
const rounding = 1e-6

function flattened(mesh: Mesh): BufferGeometry {
  const geometry = mesh.geometry.clone()
  const [points, normals] = ['position', 'normal'].map((name) => asFloats(geometry, name))
  const cofactors = cofactorsOf(mesh.matrixWorld)
  const least = Math.hypot(...cofactors.elements) * rounding
  const vector = new Vector3()
  for (let i = 0; i < (points?.count ?? 0); i++) {
    mesh.getVertexPosition(i, vector).applyMatrix4(mesh.matrixWorld)
    points!.setXYZ(i, vector.x, vector.y, vector.z)
    if (!normals) continue
    vector.fromBufferAttribute(normals, i).applyMatrix3(cofactors)
    if (vector.length() > least) vector.normalize()
    else vector.set(0, 0, 0)
    normals.setXYZ(i, vector.x, vector.y, vector.z)
  }
  geometry.morphAttributes = {}
  const corners = geometry.index ? geometry.toNonIndexed() : geometry
  if (normals) completeNormals(corners.getAttribute('normal') as BufferAttribute)
  return corners
}

/** Corners that are seen edge-on have no normal: they have that of the others, as triangles of both sides meet there. */
function completeNormals(normals: BufferAttribute): void {
  for (let i = 0; i < normals.count; i += 3) {
    const corners = [i, i + 1, i + 2].map((corner) => new Vector3().fromBufferAttribute(normals, corner))
    const sum = corners.reduce((total, normal) => total.add(normal), new Vector3()).normalize()
    for (const [k, normal] of corners.entries()) {
      if (normal.lengthSq() === 0) normals.setXYZ(i + k, sum.x, sum.y, sum.z)
    }
  }
}

/** Quantized values have no room for others. */
function asFloats(geometry: BufferGeometry, name: string): BufferAttribute | undefined {
  if (!geometry.hasAttribute(name)) return undefined
  const given = geometry.getAttribute(name)
  const floats = new BufferAttribute(new Float32Array(given.count * 3), 3)
  for (let i = 0; i < given.count; i++) floats.setXYZ(i, given.getX(i), given.getY(i), given.getZ(i))
  geometry.setAttribute(name, floats)
  return floats
}

type Columns = [Vector3, Vector3, Vector3]

/** The inverse transpose, but for its length. */
function cofactorsOf(matrix: Matrix4): Matrix3 {
  // Not extractBasis: of a flat matrix it has the axes.
  const [x, y, z] = [0, 1, 2].map((column) => new Vector3().setFromMatrixColumn(matrix, column)) as Columns
  const [yz, zx, xy] = [y.clone().cross(z), z.clone().cross(x), x.clone().cross(y)]
  return new Matrix3().set(yz.x, zx.x, xy.x, yz.y, zx.y, xy.y, yz.z, zx.z, xy.z)
}
