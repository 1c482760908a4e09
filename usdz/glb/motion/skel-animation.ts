import type { AnimatedValue } from '../../motion/animation/curve.ts'
import type { Notes } from '../../report.ts'
import { areFinite, type UsdPrim, values } from '../../stage/usd-prim.ts'
import { numberBudget } from './stage-time.ts'
import { curveOf } from './transform-curves.ts'

/** How an animation moves a joint. */
export type JointMotion = { translation?: AnimatedValue; rotation?: AnimatedValue; scale?: AnimatedValue }

/** The motion of each joint by its path, and the weights of blend shapes by their names. */
export type SkelAnimation = {
  joints: ReadonlyMap<string, JointMotion>
  /** Returns the weights of some blend shapes; those the animation does not have are 0. */
  weightsOf(shapes: readonly string[]): AnimatedValue
}

const parts = [
  ['translations', 'translation', 3],
  ['rotations', 'rotation', 4],
  ['scales', 'scale', 3],
] as const

/** Reads SkelAnimation prims, each once. */
export function skelAnimationReader(notes: Notes) {
  const known = new Map<string, SkelAnimation>()
  const spend = numberBudget()
  const arraysOf = (prim: UsdPrim, name: string, length: number) => {
    const whole = (list: ArrayLike<number> | undefined) => {
      if (list?.length === length && areFinite(list)) return list
      if (list) notes.leftOut('animation_values', 'Values that do not fit the joints or blend shapes are left out.')
      return undefined
    }
    const samples = values.sampledFloats(prim, name)
    spend((samples?.times.length ?? 0) * Math.max(1, length))
    return {
      rest: whole(values.floats(prim, name)),
      times: samples?.times ?? [],
      arrays: samples?.values.map(whole) ?? [],
    }
  }
  const read = (prim: UsdPrim): SkelAnimation => {
    const names = values.tokens(prim, 'joints')
    const joints = new Map<string, JointMotion>(names.map((name) => [name, {}]))
    for (const [attribute, part, size] of parts) {
      const { rest, times, arrays } = arraysOf(prim, attribute, names.length * size)
      for (const [index, name] of names.entries()) {
        const own = (list: ArrayLike<number>) => Array.prototype.slice.call(list, index * size, (index + 1) * size)
        const curve = curveOf(
          times,
          arrays.map((list) => list && own(list)),
          part === 'rotation',
          prim.path,
        )
        const still = rest ? own(rest) : curve?.values.slice(0, size)
        if (still) joints.get(name)![part] = { rest: still, curve }
      }
    }
    const shapes = values.tokens(prim, 'blendShapes')
    const placeOf = new Map(shapes.map((name, place) => [name, place]))
    const weights = arraysOf(prim, 'blendShapeWeights', shapes.length)
    const knownWeights = new Map<string, AnimatedValue>()
    return {
      joints,
      weightsOf(wanted) {
        const key = JSON.stringify(wanted)
        const found = knownWeights.get(key)
        if (found) return found
        spend(weights.times.length * wanted.length)
        const places = wanted.map((name) => placeOf.get(name) ?? -1)
        const own = (list: ArrayLike<number>) => places.map((place) => list[place] ?? 0)
        const curve = curveOf(
          weights.times,
          weights.arrays.map((list) => list && own(list)),
          false,
          prim.path,
        )
        const rest = weights.rest ? own(weights.rest) : (curve?.values.slice(0, wanted.length) ?? wanted.map(() => 0))
        const value = { rest, curve }
        knownWeights.set(key, value)
        return value
      },
    }
  }
  return (prim: UsdPrim): SkelAnimation => {
    const animation = known.get(prim.path) ?? read(prim)
    known.set(prim.path, animation)
    return animation
  }
}
