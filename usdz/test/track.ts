import type { Node } from '@gltf-transform/core'
import type { Interpolation, Path, Track } from '../motion/animation/track.ts'

const node = {} as Node

/** A track of a node, from plain numbers. @param times in seconds @param size numbers in a value */
export const trackOf = (
  path: Path,
  interpolation: Interpolation,
  times: number[],
  values: number[],
  size: number,
): Track => ({
  node,
  path,
  interpolation,
  times: Float32Array.from(times),
  values: Float32Array.from(values),
  size,
})
