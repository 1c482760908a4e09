import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ConversionReport } from '../index.ts'
import { judge } from './judges/judge.ts'
import { askMoments, readMoments } from './judges/moments.ts'
import { matched } from './reference/compare.ts'
import { drawsOf } from './reference/draws.ts'
import type { GltfFile } from './reference/gltf.ts'
import { openPlain } from './reference/plain.ts'
import { durationOf, jumpsOf, poseAt } from './reference/pose.ts'

export type Moved = { name: string; glb: Uint8Array; usdz: Uint8Array; report: ConversionReport }
export type Movement = {
  name: string
  /** The largest distance of a vertex from its glTF position, relative to the model's diagonal, for each judge. */
  errors: Record<string, number>
  /** Its location, for each judge: the node, the clip and the time in it. */
  places: Record<string, string>
  complaints: string[]
}

/** Tolerance of a vertex position, relative to the model's diagonal. */
export const tolerance = 1e-4
const timesPerClip = 20

/**
 * Compares the positions of every vertex of every package by OpenUSD and three.js at twenty times of each clip (without clips:
 * at rest) with those of glTF 2.0. three.js supports no blend shapes and skips such meshes.
 * @param influences maximum number of joints a vertex in the packages.
 */
export async function judgeMovement(models: readonly Moved[], influences = Infinity): Promise<Movement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'usdz-moved-'))
  try {
    const files = models.map((_, index) => join(folder, `${index}.usdz`))
    const gltfs: GltfFile[] = []
    for (const { glb } of models) gltfs.push(await openPlain(glb))
    const moments = models.map(({ report }, index) => momentsIn(gltfs[index]!, report))
    for (const [index, { usdz }] of models.entries()) {
      await writeFile(files[index]!, usdz)
      await askMoments(
        files[index]!,
        moments[index]!.map(({ at }) => at),
      )
    }
    const movements = models.map(({ name }): Movement => ({ name, errors: {}, places: {}, complaints: [] }))
    for (const reader of ['openusd', 'three'] as const) {
      const verdicts = await judge(reader, files)
      for (const [index, movement] of movements.entries()) {
        const verdict = verdicts[index]!
        if (!verdict.ok) movement.complaints.push(`${reader} cannot read it: ${verdict.error}`)
        else await compare(movement, reader, files[index]!, gltfs[index]!, moments[index]!, influences)
      }
    }
    return movements
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function compare(
  movement: Movement,
  reader: 'openusd' | 'three',
  path: string,
  file: GltfFile,
  moments: readonly Moment[],
  influences: number,
): Promise<void> {
  // three.js uses the four largest weights of a vertex, whatever the file has.
  const draws = drawsOf(file, reader === 'three' ? Math.min(influences, 4) : influences)
  const seen = reader === 'openusd' ? draws : draws.filter(({ primitive }) => !primitive.targets?.length)
  const expected = seen.map((): Float64Array[] => [])
  for (const { clip, time } of moments) {
    const pose = poseAt(file, clip, time)
    for (const [i, draw] of seen.entries()) expected[i]!.push(draw.cornersIn(pose))
  }
  const found = await readMoments(path, reader)
  const { worst, mesh, moment } = matched(expected, found, seen.length < draws.length)
  movement.errors[reader] = worst
  if (mesh < 0) return
  const { clip, time } = moments[moment] ?? moments[0]!
  const where = `"${seen[mesh]!.name}", clip ${clip ?? '-'}, ${time.toFixed(4)} s`
  movement.places[reader] = where
  if (!(worst <= tolerance)) movement.complaints.push(`${reader} is off by ${worst.toExponential(2)} at ${where}`)
}

/** A time of the clips that play together, and its time on the stage's timeline, in seconds. */
type Moment = { clip: readonly number[] | undefined; time: number; at: number }

function momentsIn(file: GltfFile, report: ConversionReport): Moment[] {
  const moments = report.clips.flatMap(({ index, start }) => {
    const clip = report.clips.filter((other) => other.start === start).map((other) => other.index)
    return timesOf(file, index, start === 0).map((time): Moment => ({ clip, time, at: start + time }))
  })
  return moments.length > 0 ? moments : [{ clip: undefined, time: 0, at: 0 }]
}

/** Minimum distance from a step in seconds: three.js stores keys as floats. */
const jumpWidth = 2e-4

/**
 * Both ends of a clip, uneven times between them, and those just before its first steps; none at a step. If another clip ends
 * there, the first is slightly after the start, but not too close: OpenUSD computes the angle of a float quaternion from the
 * cosine of its half (GfRotation::SetQuat), which does not distinguish angles below 0.04 degrees.
 */
function timesOf(file: GltfFile, clip: number, isFirst: boolean): number[] {
  const duration = durationOf(file, clip)
  // A pose, which holds until the next clip begins.
  if (duration === 0) return [isFirst ? 0 : 2 * jumpWidth]
  const jumps = jumpsOf(file, clip).filter((jump) => jump > 0)
  const justBefore = jumps.slice(0, timesPerClip).map((jump) => jump - 2 * jumpWidth)
  const spread = Array.from({ length: timesPerClip }, (_, i) => {
    if (i === 0) return isFirst ? 0 : Math.max(2 * jumpWidth, duration / 100)
    const part = i === timesPerClip - 1 ? i : i + 0.31 * Math.sin(i * i)
    const time = (part / (timesPerClip - 1)) * duration
    if (!jumps.some((jump) => Math.abs(time - jump) < jumpWidth)) return time
    // After the end of the clip, the next one begins.
    return time + 2 * jumpWidth < duration ? time + 2 * jumpWidth : time - 2 * jumpWidth
  })
  return [...spread, ...justBefore.filter((time) => time > 0)]
}
