import type { Node } from '@gltf-transform/core'
import type { Notes } from '../../report.ts'
import type { NodeTransforms } from '../../scene/node-transforms.ts'
import { type AnimatedValue, unionOfTimes } from '../animation/curve.ts'
import { animatedValue, type Motion } from '../motion.ts'
import { fitsHalfs, splitIntoHalfs, withChanges } from './half-float-scales.ts'

/**
 * The largest number of values of scales, of all nodes at all times, that are written as two factors. Beyond it,
 * half-precision numbers may be off between the keys of a node.
 */
const maxExactScales = 30_000

/**
 * Returns what splits the scale of a joint into half-precision factors. Each time at which a joint, or a node above one,
 * has a key has the scales of all joints. Notes scales that are rounded because there are too many.
 * @param nodes those of all joints.
 */
export function scaleSplitter(nodes: Iterable<Node>, transforms: NodeTransforms, motion: Motion, notes: Notes) {
  const seen = new Set<Node>()
  for (const node of nodes) {
    for (let at: Node | null = node; at && !seen.has(at); at = transforms.parentOf(at)) seen.add(at)
  }
  const scales = [...seen].map((node) => animatedValue(motion, node, 'scale')).filter(({ curve }) => curve)
  const all = unionOfTimes(scales.map(({ curve }) => curve))
  const areFew = all.length * scales.length <= maxExactScales
  const rounded = areFew ? [] : scales.filter(({ curve }) => curve!.times.length < all.length)
  if (rounded.length > 0) notes.changed('joint_scales', roundedNote, rounded.length)

  const timesOf = ({ curve }: AnimatedValue) => (areFew ? all : (curve?.times ?? []))
  const changes = scales.some((scale) => !fitsHalfs(scale, timesOf(scale)))
  const allChanges = withChanges(areFew ? all : [])
  const exactTimesOf = (times: readonly number[]) => (times === all ? allChanges : withChanges(times))
  return (scale: AnimatedValue) => {
    const times = timesOf(scale)
    return splitIntoHalfs(scale, times, changes ? exactTimesOf(times) : times)
  }
}

const roundedNote =
  'Scales of joints are rounded by up to 0.05 % between their keys: there are too many to be written exactly.'
