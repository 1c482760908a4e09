import { convert, convertToGlb, type Profile } from '../index.ts'
import { matched } from './reference/compare.ts'
import { drawsOf } from './reference/draws.ts'
import { openGlb } from './reference/gltf.ts'
import { openPlain } from './reference/plain.ts'
import { durationOf, poseAt } from './reference/pose.ts'

/** When each animation is compared, as a share of its length: between keys rather than at them. */
const moments = [0.01, 0.13, 0.37, 0.61, 0.83, 1]

/**
 * Converts a GLB to USDZ and back.
 * @returns the GLB, and the largest distance of a corner of a triangle from its place in the source, relative to the
 * model's diagonal, at rest or at several times of all animations.
 */
export async function roundTrip(source: Uint8Array, profile: Profile): Promise<{ glb: Uint8Array; worst: number }> {
  const { usdz, report } = await convert(source, { profile })
  const { glb } = await convertToGlb(usdz)
  const [before, after] = [await openPlain(source), openGlb(glb)]
  // Quick Look moves a vertex by four joints.
  const [given, found] = [drawsOf(before, profile === 'spec' ? Infinity : 4), drawsOf(after)]
  const [expected, read] = [given.map((): Float64Array[] => []), found.map((): Float64Array[] => [])]
  const compareAt = (clips: readonly number[] | undefined, time: number, at: number) => {
    const [pose, other] = [poseAt(before, clips, time), poseAt(after, clips && [0], at)]
    for (const [i, draw] of given.entries()) expected[i]!.push(draw.cornersIn(pose))
    for (const [i, draw] of found.entries()) read[i]!.push(draw.cornersIn(other))
  }
  if (report.clips.length === 0) compareAt(undefined, 0, 0)
  for (const { index, start } of report.clips) {
    const clips = report.clips.filter((clip) => clip.start === start).map((clip) => clip.index)
    const length = durationOf(before, index)
    for (const share of moments) compareAt(clips, share * length, start + share * length)
  }
  return { glb, worst: matched(expected, read).worst }
}
