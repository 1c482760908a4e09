import type { Node } from '@gltf-transform/core'
import type { Notes } from '../../report.ts'
import { compose, type Matrix, multiply } from '../../scene/matrix.ts'
import type { NodeTransforms } from '../../scene/node-transforms.ts'
import type { UniqueNames } from '../../scene/prim-names.ts'
import { type AnimatedValue, evaluate, mapValues, maxMagnitudes } from '../animation/curve.ts'
import {
  affineMatrix,
  type Linear,
  linearDeterminant,
  linearPart,
  transform,
  translationPart,
  uniformScaleAndRotation,
} from '../math/affine.ts'
import { identityRotation, multiplyQuaternions } from '../math/quaternion.ts'
import { singularValues } from '../math/singular-values.ts'
import { animatedValue, type Motion } from '../motion.ts'
import { scaleSplitter } from './joint-scales.ts'

/**
 * A joint of the skeleton: its transform in its parent's space. `parent` is the parent's index, or -1 for the root.
 * Parents come first.
 */
export type Joint = {
  name: string
  parent: number
  translation: AnimatedValue
  rotation: AnimatedValue
  scale: AnimatedValue
}

/** The frame of a node: a joint, followed by a constant matrix. */
export type Frame = { joint: number; residual: Matrix }

const unitScale: AnimatedValue = { rest: [1, 1, 1] }
/** The root joint. Readers expect exactly one. */
const originFrame: Frame = { joint: 0, residual: affineMatrix([1, 0, 0, 0, 1, 0, 0, 0, 1]) }

/**
 * Builds joints from nodes. UsdSkel stores joint scales as half-precision floats, which are too coarse for a model.
 * Constant transforms are therefore not written as scales: they are passed down to the children and finally to the bind
 * transforms, which are doubles. A uniform scale commutes with rotations; a non-uniform scale above a rotating node
 * becomes a joint.
 * @param nodes those of all joints: each time of a key has the scales of all joints.
 */
export function jointBuilder(
  nodes: Iterable<Node>,
  transforms: NodeTransforms,
  motion: Motion,
  uniqueName: UniqueNames,
  notes: Notes,
) {
  const split = scaleSplitter(nodes, transforms, motion, notes)
  const top = { translation: { rest: [0, 0, 0] }, rotation: { rest: identityRotation }, scale: unitScale }
  const joints: Joint[] = [{ name: uniqueName('Origin', 'Joint'), parent: -1, ...top }]
  const frames = new Map<Node, Frame>()
  const stretched = new Map<Frame, Frame>()

  /**
   * Adds a joint, or two if its scale needs two half-precision factors.
   * @returns the index of the (inner) joint.
   */
  const add = (
    name: string,
    parent: number,
    translation: AnimatedValue,
    rotation: AnimatedValue,
    scale: AnimatedValue,
  ): number => {
    const { first, second } = split(scale)
    let index = joints.push({ name: uniqueName(name, 'Joint'), parent, translation, rotation, scale: first }) - 1
    if (second) {
      const inner = { translation: { rest: [0, 0, 0] }, rotation: { rest: identityRotation }, scale: second }
      index = joints.push({ name: uniqueName(`${name}_scale`, 'Joint'), parent: index, ...inner }) - 1
    }
    return index
  }

  /**
   * Adds a joint for the non-uniform part of a frame's matrix. The remaining matrix is a rotation with a uniform scale.
   */
  const addStretch = (name: string, frame: Frame): Frame => {
    const known = stretched.get(frame)
    if (known) return known
    const { outer, scale, inner } = singularValues(linearPart(frame.residual))
    const translation = { rest: translationPart(frame.residual) }
    const size = 2 ** Math.round(Math.log2(Math.max(...scale.map(Math.abs)) || 1))
    const joint = add(name, frame.joint, translation, { rest: outer }, { rest: scale.map((value) => value / size) })
    const made = { joint, residual: affineMatrix(inner.map((value) => value * size)) }
    stretched.set(frame, made)
    return made
  }

  /** Adds a joint for a constant transform: it takes the translation and rotation and passes the scale down. */
  const addStatic = (name: string, { joint, residual }: Frame): Frame => {
    const l = linearPart(residual)
    if (isSingular(l)) return addSingular(name, { joint, residual })
    const even = uniformScaleAndRotation(l)
    const index = add(
      name,
      joint,
      { rest: translationPart(residual) },
      { rest: even?.rotation ?? identityRotation },
      unitScale,
    )
    return { joint: index, residual: affineMatrix(even ? scaling(even.scale) : l) }
  }

  /**
   * Adds a joint for a singular matrix, which cannot be a bind transform: the joint scales the flattened axes to zero.
   */
  const addSingular = (name: string, { joint, residual }: Frame): Frame => {
    const { outer, scale, inner } = singularValues(linearPart(residual))
    const least = Math.max(...scale.map(Math.abs)) * 1e-9
    const kept = scale.map((value) => (Math.abs(value) > least ? 1 : 0))
    const taken = scale.map((value) => (Math.abs(value) > least ? value : 1))
    const index = add(name, joint, { rest: translationPart(residual) }, { rest: outer }, { rest: kept })
    return { joint: index, residual: multiply(affineMatrix(diagonal(taken)), affineMatrix(inner)) }
  }

  const addAnimated = (node: Node, parent: Frame): Frame => {
    const name = node.getName()
    const [t, r, s] = [
      animatedValue(motion, node, 'translation'),
      animatedValue(motion, node, 'rotation'),
      animatedValue(motion, node, 'scale'),
    ]
    const standing = (frame: Frame) => mapValues(t, (value) => transform(frame.residual, value, 1))
    if (!r.curve && !s.curve) {
      const l = linearPart(multiply(parent.residual, compose([0, 0, 0], r.rest, s.rest)))
      if (!isSingular(l)) {
        const even = uniformScaleAndRotation(l)
        const joint = add(name, parent.joint, standing(parent), { rest: even?.rotation ?? identityRotation }, unitScale)
        return { joint, residual: affineMatrix(even ? scaling(even.scale) : l) }
      }
    }
    let frame = parent
    let even = uniformScaleAndRotation(linearPart(frame.residual))
    if (!even) {
      frame = addStretch(`${name}_stretch`, parent)
      even = uniformScaleAndRotation(linearPart(frame.residual))!
    }
    const { scale, rotation } = even
    const turned = mapValues(r, (value) => multiplyQuaternions(rotation, value))
    const isStill = !s.curve && s.rest.every((value) => value !== 0)
    if (isStill) {
      const joint = add(name, frame.joint, standing(frame), turned, unitScale)
      return { joint, residual: affineMatrix(diagonal(s.rest.map((value) => value * scale))) }
    }
    // Half-precision numbers are most precise around one, so a power of two is passed down.
    const size = 2 ** Math.round(Math.log2(Math.max(...maxMagnitudes(s)) || 1))
    const joint = add(
      name,
      frame.joint,
      standing(frame),
      turned,
      mapValues(s, (value) => value.map((number) => number / size)),
    )
    return { joint, residual: affineMatrix(scaling(scale * size)) }
  }

  const frameOf = (node: Node, isJoint: (node: Node) => boolean): Frame => {
    const known = frames.get(node)
    if (known) return known
    const parentNode = transforms.parentOf(node)
    const parent = parentNode ? frameOf(parentNode, isJoint) : originFrame
    const here = () => ({ joint: parent.joint, residual: multiply(parent.residual, transforms.localMatrix(node)) })
    const frame = motion.isAnimated(node)
      ? addAnimated(node, parent)
      : isJoint(node)
        ? addStatic(node.getName(), here())
        : here()
    frames.set(node, frame)
    return frame
  }
  return { joints, frameOf, fixed: addStatic, flat: addSingular, add }
}

const diagonal = ([x, y, z]: readonly number[]): Linear => [x!, 0, 0, 0, y!, 0, 0, 0, z!]
const scaling = (scale: number) => diagonal([scale, scale, scale])

export function isSingular(l: Linear): boolean {
  const size = [0, 3, 6].reduce((product, k) => product * Math.hypot(l[k]!, l[k + 1]!, l[k + 2]!), 1)
  return !(Math.abs(linearDeterminant(l)) > 1e-9 * size)
}

/** Computes the matrix of each joint in the skeleton's space at a time code, or at rest without one. */
export function poseJoints(joints: readonly Joint[], time?: number): Matrix[] {
  const worlds: Matrix[] = []
  const at = (value: AnimatedValue) => (time === undefined ? value.rest : evaluate(value, time))
  for (const { parent, translation, rotation, scale } of joints) {
    const local = compose(at(translation), at(rotation), at(scale))
    worlds.push(parent < 0 ? local : multiply(worlds[parent]!, local))
  }
  return worlds
}
