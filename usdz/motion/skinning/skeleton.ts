import type { Node } from '@gltf-transform/core'
import type { Notes } from '../../report.ts'
import { type Matrix, multiply } from '../../scene/matrix.ts'
import type { NodeTransforms } from '../../scene/node-transforms.ts'
import type { UniqueNames } from '../../scene/prim-names.ts'
import { affineMatrix, inverse, isIdentityWithin, linearPart } from '../math/affine.ts'
import { identityRotation } from '../math/quaternion.ts'
import type { Motion } from '../motion.ts'
import type { Influences } from './joint-influences.ts'
import { type Frame, isSingular, jointBuilder, poseJoints } from './joints.ts'

/** A joint of a skin and the matrix from the stored vertices to the joint's node. */
type SkinJoint = { joint: Node; bind: Matrix }

/** Bind transforms that differ by less than this part of the model's size are considered equal. */
const bindTolerance = 1e-6

/**
 * Builds one skeleton for all skins. Where two skins bind a joint differently, the joint gets a static child joint,
 * since UsdSkel stores one bind transform for each joint.
 */
export function skeletonBuilder(
  transforms: NodeTransforms,
  motion: Motion,
  isJoint: ReadonlySet<Node>,
  uniqueName: UniqueNames,
  notes: Notes,
) {
  const maker = jointBuilder(isJoint, transforms, motion, uniqueName, notes)
  const { joints } = maker
  const bound = new Map<number, Matrix>()
  const twins = new Map<number, number[]>()

  /** Returns the joint whose bind transform places vertices at `frame` · `bind`. */
  const jointFor = (name: string, given: Frame, bind: Matrix, size: number): number => {
    let frame: Frame = given
    let matrix = multiply(frame.residual, bind)
    if (isSingular(linearPart(matrix))) {
      frame = maker.flat(`${name}_flat`, { joint: frame.joint, residual: matrix })
      matrix = frame.residual
    }
    const all = [frame.joint, ...(twins.get(frame.joint) ?? [])]
    for (const joint of all) {
      const known = bound.get(joint)
      if (known && !isSame(known, matrix, size)) continue
      if (!known) bound.set(joint, matrix)
      return joint
    }
    const twin = maker.add(
      `${name}_bind`,
      frame.joint,
      { rest: [0, 0, 0] },
      { rest: identityRotation },
      { rest: [1, 1, 1] },
    )
    twins.set(frame.joint, [...all.slice(1), twin])
    bound.set(twin, matrix)
    return twin
  }

  // Adds every joint of every skin, parents first.
  for (const node of isJoint) maker.frameOf(node, (other) => isJoint.has(other))
  return {
    joints,
    /** Renumbers influences from skin joints to skeleton joints. */
    bind({ indices, weights }: Influences, followed: readonly SkinJoint[], size: number): void {
      const numbers = new Map<number, number>()
      for (let at = 0; at < indices.length; at++) {
        if (!(weights[at]! > 0)) {
          indices[at] = 0
          continue
        }
        const index = indices[at]!
        let number = numbers.get(index)
        if (number === undefined) {
          const { joint, bind } = followed[index]!
          number = jointFor(
            joint.getName(),
            maker.frameOf(joint, (other) => isJoint.has(other)),
            bind,
            size,
          )
          numbers.set(index, number)
        }
        indices[at] = number
      }
    },
    /** Returns the inverse bind matrix of each joint; joints without vertices are bound at rest. */
    bindInverses(): Matrix[] {
      const worlds = poseJoints(joints)
      return joints.map(
        (_, index) => bound.get(index) ?? inverse(worlds[index]!) ?? affineMatrix([1, 0, 0, 0, 1, 0, 0, 0, 1]),
      )
    },
  }
}

function isSame(a: Matrix, b: Matrix, size: number): boolean {
  const back = inverse(a)
  return back !== undefined && isIdentityWithin(multiply(back, b), bindTolerance, bindTolerance * size)
}
