import type { Node } from '@gltf-transform/core'
import { compose, type Matrix, multiply } from '../../scene/matrix.ts'
import type { Placements } from '../../scene/node-transforms.ts'
import type { NameGiver } from '../../scene/prim-names.ts'
import { largestSizes, type Moving, mapped, valueAt } from '../animation/curve.ts'
import { affine, apply, determinantOf, evenly, type Linear, linearOf, translationOf } from '../math/affine.ts'
import { compound, still } from '../math/quaternion.ts'
import { singularValues } from '../math/singular-values.ts'
import { type Motion, moving } from '../motion.ts'
import { asHalfs } from './half-float-scales.ts'

/** A joint of the skeleton: its place in its parent's space. `parent` is its index, -1 at the top; parents come first. */
export type Joint = { name: string; parent: number; translation: Moving; rotation: Moving; scale: Moving }

/** Where a node is: in the space of a joint, and from there on by a matrix that never changes. */
export type Frame = { joint: number; residual: Matrix }

const rigid: Moving = { rest: [1, 1, 1] }
/** The joint above all others: readers want one, and one only, at the top. */
const origin: Frame = { joint: 0, residual: affine([1, 0, 0, 0, 1, 0, 0, 0, 1]) }

/**
 * Builds joints out of nodes. Joints have a translation, a rotation and a scale, like nodes; but UsdSkel keeps scales as
 * halfs, too coarse for a model. So what never changes is not written as a scale but taken along into what hangs below,
 * in the end into the bind transforms, which are doubles: an even scale passes rotations as it is; an uneven one above
 * something that rotates becomes a joint of its own.
 */
export function jointMaker(place: Placements, motion: Motion, giveName: NameGiver) {
  const top = { translation: { rest: [0, 0, 0] }, rotation: { rest: still }, scale: rigid }
  const joints: Joint[] = [{ name: giveName('Origin', 'Joint'), parent: -1, ...top }]
  const frames = new Map<Node, Frame>()
  const stretched = new Map<Frame, Frame>()

  /** Adds a joint; one whose scale takes two halfs is two. @returns the index of the (inner) joint. */
  const add = (name: string, parent: number, translation: Moving, rotation: Moving, scale: Moving): number => {
    const { first, second } = asHalfs(scale)
    let index = joints.push({ name: giveName(name, 'Joint'), parent, translation, rotation, scale: first }) - 1
    if (second) {
      const inner = { translation: { rest: [0, 0, 0] }, rotation: { rest: still }, scale: second }
      index = joints.push({ name: giveName(`${name}_scale`, 'Joint'), parent: index, ...inner }) - 1
    }
    return index
  }

  /** A joint that takes a matrix upon itself, apart from a rotation (and, where it flattens nothing, a scale). */
  const stretch = (name: string, frame: Frame): Frame => {
    const known = stretched.get(frame)
    if (known) return known
    const { outer, scale, inner } = singularValues(linearOf(frame.residual))
    const translation = { rest: translationOf(frame.residual) }
    const size = 2 ** Math.round(Math.log2(Math.max(...scale.map(Math.abs)) || 1))
    const joint = add(name, frame.joint, translation, { rest: outer }, { rest: scale.map((value) => value / size) })
    const made = { joint, residual: affine(inner.map((value) => value * size)) }
    stretched.set(frame, made)
    return made
  }

  /** A joint for what never changes: it stands and turns with the matrix; the scale in it is taken along. */
  const fixed = (name: string, { joint, residual }: Frame): Frame => {
    const l = linearOf(residual)
    if (isFlat(l)) return flat(name, { joint, residual })
    const even = evenly(l)
    const index = add(name, joint, { rest: translationOf(residual) }, { rest: even?.rotation ?? still }, rigid)
    return { joint: index, residual: affine(even ? scaling(even.scale) : l) }
  }

  /** A matrix without an inverse cannot be a bind transform: the axes that it flattens are scaled to nothing here. */
  const flat = (name: string, { joint, residual }: Frame): Frame => {
    const { outer, scale, inner } = singularValues(linearOf(residual))
    const least = Math.max(...scale.map(Math.abs)) * 1e-9
    const kept = scale.map((value) => (Math.abs(value) > least ? 1 : 0))
    const taken = scale.map((value) => (Math.abs(value) > least ? value : 1))
    const index = add(name, joint, { rest: translationOf(residual) }, { rest: outer }, { rest: kept })
    return { joint: index, residual: multiply(affine(diagonal(taken)), affine(inner)) }
  }

  const animated = (node: Node, parent: Frame): Frame => {
    const name = node.getName()
    const [t, r, s] = [
      moving(motion, node, 'translation'),
      moving(motion, node, 'rotation'),
      moving(motion, node, 'scale'),
    ]
    const standing = (frame: Frame) => mapped(t, (value) => apply(frame.residual, value, 1))
    if (!r.curve && !s.curve) {
      const l = linearOf(multiply(parent.residual, compose([0, 0, 0], r.rest, s.rest)))
      if (!isFlat(l)) {
        const even = evenly(l)
        const joint = add(name, parent.joint, standing(parent), { rest: even?.rotation ?? still }, rigid)
        return { joint, residual: affine(even ? scaling(even.scale) : l) }
      }
    }
    let frame = parent
    let even = evenly(linearOf(frame.residual))
    if (!even) {
      frame = stretch(`${name}_stretch`, parent)
      even = evenly(linearOf(frame.residual))!
    }
    const { scale, rotation } = even
    const turned = mapped(r, (value) => compound(rotation, value))
    const isStill = !s.curve && s.rest.every((value) => value !== 0)
    if (isStill) {
      const joint = add(name, frame.joint, standing(frame), turned, rigid)
      return { joint, residual: affine(diagonal(s.rest.map((value) => value * scale))) }
    }
    // Halfs are finest around one; a power of two is taken along.
    const size = 2 ** Math.round(Math.log2(Math.max(...largestSizes(s)) || 1))
    const joint = add(
      name,
      frame.joint,
      standing(frame),
      turned,
      mapped(s, (value) => value.map((number) => number / size)),
    )
    return { joint, residual: affine(scaling(scale * size)) }
  }

  const frameOf = (node: Node, isJoint: (node: Node) => boolean): Frame => {
    const known = frames.get(node)
    if (known) return known
    const parentNode = place.parentOf(node)
    const parent = parentNode ? frameOf(parentNode, isJoint) : origin
    const here = () => ({ joint: parent.joint, residual: multiply(parent.residual, place.localOf(node)) })
    const frame = motion.isMoved(node) ? animated(node, parent) : isJoint(node) ? fixed(node.getName(), here()) : here()
    frames.set(node, frame)
    return frame
  }
  return { joints, frameOf, fixed, flat, add }
}

const diagonal = ([x, y, z]: readonly number[]): Linear => [x!, 0, 0, 0, y!, 0, 0, 0, z!]
const scaling = (scale: number) => diagonal([scale, scale, scale])

export function isFlat(l: Linear): boolean {
  const size = [0, 3, 6].reduce((product, k) => product * Math.hypot(l[k]!, l[k + 1]!, l[k + 2]!), 1)
  return !(Math.abs(determinantOf(l)) > 1e-9 * size)
}

/** Where each joint is in the skeleton's space at a time code; at rest without one. */
export function posed(joints: readonly Joint[], time?: number): Matrix[] {
  const worlds: Matrix[] = []
  const at = (value: Moving) => (time === undefined ? value.rest : valueAt(value, time))
  for (const { parent, translation, rotation, scale } of joints) {
    const local = compose(at(translation), at(rotation), at(scale))
    worlds.push(parent < 0 ? local : multiply(worlds[parent]!, local))
  }
  return worlds
}
