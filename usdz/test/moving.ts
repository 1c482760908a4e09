import { convertToGlb } from '../index.ts'
import { textPackage } from './content/text-package.ts'
import { drawsOf } from './reference/draws.ts'
import { openGlb } from './reference/gltf.ts'
import { poseAt } from './reference/pose.ts'

const timed = (codes: string) => `metersPerUnit = 1\n    upAxis = "Y"\n    ${codes}`

/** Converts a text layer with the contents of its root prim, and plays its animation. */
export async function moving(contents: string, codes = 'timeCodesPerSecond = 10') {
  const { glb, report } = await convertToGlb(textPackage(contents, [], timed(codes)))
  const file = openGlb(glb)
  return {
    glb,
    report,
    codes: report.notes.map(({ code }) => code),
    /** The corners of the first mesh at a time in seconds. */
    at: (seconds: number): number[] =>
      [...drawsOf(file)[0]!.cornersIn(poseAt(file, report.duration === undefined ? undefined : 0, seconds))].map(
        (value) => Number(value.toFixed(4)) + 0,
      ),
  }
}
/** The second corner of corners. */
export const second = (corners: readonly number[]) => corners.slice(3, 6)
