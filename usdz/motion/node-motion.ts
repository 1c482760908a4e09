import type { Node } from '@gltf-transform/core'
import type { NodeMotion } from '../scene/scene.ts'
import { type AnimatedValue, mapValues } from './animation/curve.ts'
import { identityRotation, multiplyQuaternions, type Quaternion } from './math/quaternion.ts'
import { animatedValue, type Motion } from './motion.ts'

/** Half a turn about each axis. */
const halfTurns: readonly Quaternion[] = [
  [1, 0, 0, 0],
  [0, 1, 0, 0],
  [0, 0, 1, 0],
]

/**
 * The transform of an animated node, in the form in which all readers find its parts. Some take the matrix at rest apart:
 * they find at most one negative scale, that of x, and neither rotation nor scale where the scale is zero. Pairs of
 * negative scales are therefore written as half a turn, and what a reader cannot find at rest has a key.
 */
export function nodeMotion(node: Node, motion: Motion): NodeMotion {
  const part = (path: 'translation' | 'rotation' | 'scale') => animatedValue(motion, node, path)
  const { rotation, scale } = withoutNegativePairs(part('rotation'), part('scale'))
  const isFlat = scale.rest.includes(0)
  const turns = rotation.rest.some((value, k) => value !== identityRotation[k])
  return {
    translation: part('translation'),
    rotation: isFlat && turns ? keyed(rotation, true) : rotation,
    scale: isFlat ? keyed(scale, false) : scale,
  }
}

function withoutNegativePairs(rotation: AnimatedValue, scale: AnimatedValue) {
  const negative = scale.rest.map((value) => value < 0)
  // A single negative scale becomes that of x.
  if (negative.filter(Boolean).length % 2 === 1) negative[0] = !negative[0]
  if (!negative.includes(true)) return { rotation, scale }
  const halfTurn = halfTurns[negative.indexOf(false)]!
  return {
    rotation: mapValues(rotation, (value) => multiplyQuaternions(value as Quaternion, halfTurn)),
    scale: mapValues(scale, (values) => values.map((value, k) => (negative[k] ? 0 - value : value))),
  }
}

const keyed = ({ rest, curve }: AnimatedValue, isRotation: boolean): AnimatedValue => ({
  rest,
  curve: curve ?? { times: [0], values: rest, size: rest.length, isRotation },
})
