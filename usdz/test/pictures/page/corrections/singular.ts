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
  group.traverse((object) => {
    if (!(object instanceof InstancedMesh)) return
    const matrices = Array.from({ length: object.count }, (_, i) => {
      const matrix = new Matrix4()
      object.getMatrixAt(i, matrix)
      return matrix
    })
    if (matrices.every((matrix) => matrix.determinant() > 0) && !isTransparent(object)) return
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
 * Gives still meshes that their transform flattens the vertices and normals that are seen: three inverts the matrix for
 * normals, which has no inverse.
 */
export function flattenSingular(group: Group): void {
  group.updateMatrixWorld(true)
  const flat: Mesh[] = []
  group.traverse((object) => {
    const isStill = object instanceof Mesh && !(object instanceof SkinnedMesh) && !(object instanceof InstancedMesh)
    if (isStill && object.matrixWorld.determinant() === 0) flat.push(object)
  })
  for (const mesh of flat) {
    if (Object.keys(mesh.geometry.morphAttributes).length > 0) continue
    const geometry = mesh.geometry.clone()
    const [points, normals] = ['position', 'normal'].map((name) => asFloats(geometry, name))
    const cofactors = cofactorsOf(mesh.matrixWorld)
    const normal = new Vector3()
    for (let i = 0; normals && i < normals.count; i++) {
      normal.fromBufferAttribute(normals, i).applyMatrix3(cofactors).normalize()
      normals.setXYZ(i, normal.x, normal.y, normal.z)
    }
    points?.applyMatrix4(mesh.matrixWorld)
    const seen = new Mesh(geometry, mesh.material)
    seen.frustumCulled = false
    group.add(seen)
    mesh.geometry = new BufferGeometry()
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

/** The inverse transpose, but for its length. */
function cofactorsOf(matrix: Matrix4): Matrix3 {
  const [x, y, z] = [new Vector3(), new Vector3(), new Vector3()]
  matrix.extractBasis(x, y, z)
  const [yz, zx, xy] = [y.clone().cross(z), z.clone().cross(x), x.clone().cross(y)]
  return new Matrix3().set(yz.x, zx.x, xy.x, yz.y, zx.y, xy.y, yz.z, zx.z, xy.z)
}
