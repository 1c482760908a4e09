import { Matrix3, Matrix4, Quaternion, Vector3 } from 'three'
import type { StageMesh } from './meshes.ts'
import type { Stage } from './stage.ts'

type Numbers = ArrayLike<number>
type Deformed = { points: Float32Array; normals: Float32Array | undefined }

/**
 * Deforms the skins and blend shapes of a mesh by the UsdSkel documentation ("Skinning a point", "Blend shapes"): offsets
 * first, then linear blend skinning with the joint transforms in the skeleton's space. Undefined for a mesh without either.
 */
export function deformer(mesh: StageMesh, stage: Stage): ((timeCode: number | undefined) => Deformed) | undefined {
  const at = <T>(name: string) => stage.value<T>(`${mesh.path}.${name}`)
  const [skeleton] = stage.targets(`${mesh.path}.skel:skeleton`)
  const joints = at<Numbers>('primvars:skel:jointIndices')
  const shapes = stage.targets(`${mesh.path}.skel:blendShapeTargets`)
  if (!skeleton || (!joints && shapes.length === 0)) return undefined
  const [animation] = stage.targets(`${skeleton}.skel:animationSource`)

  return (timeCode) => {
    const points = Float32Array.from(mesh.points)
    const normals = mesh.normals && Float32Array.from(mesh.normals)
    if (animation && shapes.length > 0) blend(points, normals, timeCode)
    if (joints) skin(points, normals, timeCode)
    return { points, normals }
  }

  function blend(points: Float32Array, normals: Float32Array | undefined, timeCode: number | undefined): void {
    const names = stage.value<string[]>(`${animation}.blendShapes`) ?? []
    const weights = stage.value<Numbers>(`${animation}.blendShapeWeights`, timeCode)
    for (const [k, name] of (at<string[]>('skel:blendShapes') ?? []).entries()) {
      const weight = weights?.[names.indexOf(name)] ?? 0
      if (weight === 0) continue
      const shape = shapes[k]!
      const which = stage.value<Numbers>(`${shape}.pointIndices`)
      add(points, stage.value<Numbers>(`${shape}.offsets`), which, weight)
      if (normals) add(normals, stage.value<Numbers>(`${shape}.normalOffsets`), which, weight)
    }
  }

  function skin(points: Float32Array, normals: Float32Array | undefined, timeCode: number | undefined): void {
    const weights = at<Numbers>('primvars:skel:jointWeights')!
    const size = stage.field<number>(`${mesh.path}.primvars:skel:jointIndices`, 'elementSize') ?? 1
    const rigid = joints!.length === size
    const own = at<string[]>('skel:joints')
    const all = stage.value<string[]>(`${skeleton}.joints`)!
    const matrices = skinningMatrices(stage, skeleton!, animation, timeCode)
    const bind = matrixFrom(at<Numbers>('primvars:skel:geomBindTransform') ?? new Matrix4().elements, 0)
    const sum = new Matrix4()
    const [point, normal] = [new Vector3(), new Vector3()]
    for (let vertex = 0; vertex < points.length / 3; vertex++) {
      sum.elements.fill(0)
      for (let k = 0; k < size; k++) {
        const from = (rigid ? 0 : vertex * size) + k
        const joint = own ? all.indexOf(own[joints![from]!]!) : joints![from]!
        const { elements } = matrices[joint]!
        for (let i = 0; i < 16; i++) sum.elements[i]! += weights[from]! * elements[i]!
      }
      const whole = sum.clone().multiply(bind)
      point
        .fromArray(points, vertex * 3)
        .applyMatrix4(whole)
        .toArray(points, vertex * 3)
      if (!normals) continue
      normal.fromArray(normals, vertex * 3).applyMatrix3(new Matrix3().getNormalMatrix(whole))
      normal.normalize().toArray(normals, vertex * 3)
    }
  }
}

function add(to: Float32Array, offsets: Numbers | undefined, which: Numbers | undefined, weight: number): void {
  for (let i = 0; i < (offsets?.length ?? 0); i++) {
    const at = which ? which[Math.floor(i / 3)]! * 3 + (i % 3) : i
    to[at]! += weight * offsets![i]!
  }
}

/** For each joint of the skeleton: its transform times the inverse bind transform. */
function skinningMatrices(stage: Stage, skeleton: string, animation: string | undefined, timeCode?: number): Matrix4[] {
  const joints = stage.value<string[]>(`${skeleton}.joints`)!
  const rest = stage.value<Numbers>(`${skeleton}.restTransforms`)!
  const bound = stage.value<Numbers>(`${skeleton}.bindTransforms`)!
  const animated = animation ? (stage.value<string[]>(`${animation}.joints`) ?? []) : []
  const value = (name: string) => stage.value<Numbers>(`${animation}.${name}`, timeCode)!
  const [translations, rotations, scales] =
    animated.length > 0 ? ['translations', 'rotations', 'scales'].map(value) : []
  const whole = new Map<string, Matrix4>()
  return joints.map((joint, index) => {
    const k = animated.indexOf(joint)
    const local = k < 0 ? matrixFrom(rest, index) : composed(translations!, rotations!, scales!, k)
    const parent = whole.get(joint.slice(0, Math.max(0, joint.lastIndexOf('/'))))
    const matrix = parent ? parent.clone().multiply(local) : local
    whole.set(joint, matrix)
    return matrix.clone().multiply(matrixFrom(bound, index).invert())
  })
}

const composed = (translations: Numbers, rotations: Numbers, scales: Numbers, k: number) =>
  new Matrix4().compose(
    new Vector3().fromArray(translations as number[], k * 3),
    new Quaternion().fromArray(rotations as number[], k * 4),
    new Vector3().fromArray(scales as number[], k * 3),
  )

/** USD's rows are the columns of glTF and three. */
const matrixFrom = (values: Numbers, index: number) => new Matrix4().fromArray(values as number[], index * 16)
