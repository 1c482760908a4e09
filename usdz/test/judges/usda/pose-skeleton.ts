import { cornersOf } from '../../reference/draws.ts'
import { identity, inverseOf, type Matrix, placed, slerp, times, unit } from '../../reference/matrices.ts'
import type { UsdPrim, UsdValue } from './parse-usda.ts'

/**
 * Poses meshes as OpenUSD's documentation of UsdSkel describes ("Skinning a point", "Blend shapes", "Skel animation"), which
 * the build of OpenUSD in use lacks. All values are those that OpenUSD composed.
 */
export function posing(prims: ReadonlyMap<string, UsdPrim>) {
  const memory = new Map<string, Matrix[]>()

  const world = (path: string, time: number): Matrix => {
    const prim = prims.get(path)
    return prim ? times(world(prim.parent, time), localOf(prim, time)) : identity
  }

  /** The joint matrices of a skeleton at a time: from the bind position of a point to the skeleton's space. */
  const jointsOf = (skeleton: UsdPrim, animation: UsdPrim | undefined, time: number): Matrix[] => {
    const key = `${skeleton.path} ${time}`
    const known = memory.get(key)
    if (known) return known
    const joints = wordsOf(skeleton, 'joints')
    const binds = matricesOf(skeleton, 'bindTransforms')
    const rests = matricesOf(skeleton, 'restTransforms')
    const moved = animation ? wordsOf(animation, 'joints') : []
    const now = (name: string) => (animation ? (valueAt(animation, name, time) as number[][]) : [])
    const [places, turns, sizes] = [now('translations'), now('rotations'), now('scales')]
    const locals = joints.map((joint, i) => {
      const at = moved.indexOf(joint)
      if (at < 0) return rests[i]!
      const [w, x, y, z] = turns[at]! as [number, number, number, number]
      return placed(places[at]!, [x, y, z, w], sizes[at]!)
    })
    const inSkeleton: Matrix[] = []
    for (const [i, joint] of joints.entries()) {
      const parent = joints.indexOf(joint.slice(0, Math.max(0, joint.lastIndexOf('/'))))
      if (parent >= i) throw new Error(`The joint "${joint}" of ${skeleton.path} comes before its parent.`)
      inSkeleton.push(parent < 0 ? locals[i]! : times(inSkeleton[parent]!, locals[i]!))
    }
    const found = inSkeleton.map((matrix, i) => times(matrix, inverseOf(binds[i]!)))
    memory.set(key, found)
    return found
  }

  const morphed = (mesh: UsdPrim, points: number[], animation: UsdPrim | undefined, time: number): number[] => {
    const targets = mesh.targets.get('skel:blendShapeTargets') ?? []
    if (targets.length === 0 || !animation) return points
    const names = wordsOf(mesh, 'skel:blendShapes')
    const channels = wordsOf(animation, 'blendShapes')
    const weights = (valueAt(animation, 'blendShapeWeights', time) ?? []) as number[]
    const out = [...points]
    for (const [i, target] of targets.entries()) {
      const shape = prims.get(target)
      if (!shape) throw new Error(`${mesh.path} names the blend shape ${target}, which does not exist.`)
      const weight = weights[channels.indexOf(names[i]!)] ?? 0
      const offsets = shape.attributes.get('offsets')!.value as number[][]
      const places = shape.attributes.get('pointIndices')?.value as number[] | undefined
      for (const [k, offset] of offsets.entries()) {
        const start = (places?.[k] ?? k) * 3
        for (let axis = 0; axis < 3; axis++) out[start + axis]! += weight * offset[axis]!
      }
    }
    return out
  }

  return {
    /** Whether a mesh is bound to a skeleton, by itself or by an ancestor. */
    isBound: (path: string): boolean => inherited(prims, path, 'skel:skeleton') !== undefined,

    /** The positions of the corners of a bound mesh in world space at a time code. */
    cornersAt(path: string, time: number): Float64Array {
      const mesh = prims.get(path)!
      const skeleton = prims.get(inherited(prims, path, 'skel:skeleton')!)!
      const source = inherited(prims, skeleton.path, 'skel:animationSource')
      const animation = source === undefined ? undefined : prims.get(source)
      const flat = (name: string) => ((mesh.attributes.get(name)?.value ?? []) as UsdValue[]).flat() as number[]
      const points = morphed(mesh, flat('points'), animation, time)
      const corners = flat('faceVertexIndices')
      const indices = mesh.attributes.get('primvars:skel:jointIndices')
      if (!indices) return cornersOf(corners, points, () => world(path, time))

      const joints = jointsOf(skeleton, animation, time)
      const own = mesh.attributes.has('skel:joints') ? wordsOf(mesh, 'skel:joints') : undefined
      const names = wordsOf(skeleton, 'joints')
      const size = (indices.metadata.elementSize as number | undefined) ?? 1
      const [which, weights] = [flat('primvars:skel:jointIndices'), flat('primvars:skel:jointWeights')]
      const bind = matricesOf(mesh, 'primvars:skel:geomBindTransform')[0] ?? identity
      const place = world(skeleton.path, time)
      const isRigid = indices.metadata.interpolation === 'constant'
      return cornersOf(corners, points, (vertex) => {
        const sum = new Array<number>(16).fill(0)
        const start = isRigid ? 0 : vertex * size
        for (let k = start; k < start + size; k++) {
          const joint = own ? names.indexOf(own[which[k]!]!) : which[k]!
          for (let i = 0; i < 16; i++) sum[i]! += weights[k]! * joints[joint]![i]!
        }
        return times(times(place, sum), bind)
      })
    },
  }
}

function inherited(prims: ReadonlyMap<string, UsdPrim>, path: string, name: string): string | undefined {
  for (let prim = prims.get(path); prim; prim = prims.get(prim.parent)) {
    const target = prim.targets.get(name)?.[0]
    if (target !== undefined) return target
  }
  return undefined
}

const wordsOf = (prim: UsdPrim, name: string): string[] => (prim.attributes.get(name)?.value ?? []) as string[]

/** Matrices as OpenUSD prints them, in row order for row vectors: the same numbers as columns for column vectors. */
function matricesOf(prim: UsdPrim, name: string): Matrix[] {
  const value = (prim.attributes.get(name)?.value ?? []) as UsdValue[]
  const numbers = value.flat(2) as number[]
  return Array.from({ length: numbers.length / 16 }, (_, i) => numbers.slice(i * 16, i * 16 + 16))
}

function localOf(prim: UsdPrim, time: number): Matrix {
  return wordsOf(prim, 'xformOpOrder').reduce<Matrix>((sum, op) => {
    const value = valueAt(prim, op, time) as number[]
    if (op === 'xformOp:transform') return times(sum, (value as unknown as number[][]).flat())
    if (op === 'xformOp:translate') return times(sum, placed(value, [0, 0, 0, 1], [1, 1, 1]))
    if (op === 'xformOp:scale') return times(sum, placed([0, 0, 0], [0, 0, 0, 1], value))
    const [w, x, y, z] = value as [number, number, number, number]
    if (op === 'xformOp:orient') return times(sum, placed([0, 0, 0], [x, y, z, w], [1, 1, 1]))
    throw new Error(`The transform ${op} of ${prim.path} is not known here.`)
  }, identity)
}

/** The attributes with quaternion values, single or one for each joint. */
const turning = new Set(['rotations', 'xformOp:orient'])

/** An attribute's value at a time code: linear between samples, slerp for quaternions, the nearest outside. */
function valueAt(prim: UsdPrim, name: string, time: number): UsdValue | undefined {
  const attribute = prim.attributes.get(name)
  if (!attribute?.samples) return attribute?.value
  const { times: keys, values } = attribute.samples
  let next = keys.findIndex((key) => key > time)
  if (next < 0) next = keys.length
  if (next === 0) return values[0]
  if (next === keys.length) return values.at(-1)
  const part = (time - keys[next - 1]!) / (keys[next]! - keys[next - 1]!)
  return between(values[next - 1]!, values[next]!, part, turning.has(name))
}

function between(from: UsdValue, to: UsdValue, part: number, turns: boolean): UsdValue {
  if (typeof from === 'number') return from + ((to as number) - from) * part
  if (!Array.isArray(from)) return from
  const others = to as UsdValue[]
  if (turns && typeof from[0] === 'number') {
    return slerp(unit(from as number[]), unit(others as number[]), part)
  }
  return from.map((value, i) => between(value, others[i]!, part, turns))
}
