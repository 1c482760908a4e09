// @module-tag long
import { loadOpenCV } from '@opencvjs/node'
import { beforeAll, expect, test } from 'vitest'
import { randomOf } from '../../../test/attack/random.ts'
import { type Scene, sceneOf } from '../../../test/content/tags/seen-tags.ts'
import { drawScene } from '../../../test/content/tags/tag-scene.ts'
import { detectTags, type Pixel } from '../../tags/detector/detector.ts'
import { type Camera, directionOf, pixelOf } from './camera.ts'
import { type Located, located } from './locate.ts'
import { centreOf } from './refine.ts'
import type { SeenTag } from './sighting.ts'
import type { CameraPose } from './three-points.ts'
import { cross, difference, length, type Matrix, scaled, sum, times, unit, type Vector } from './vectors.ts'

let cv: Awaited<ReturnType<typeof loadOpenCV>>
beforeAll(async () => {
  cv = await loadOpenCV()
})
/** `SOLVEPNP_SQPNP` of OpenCV's calib3d.hpp, which the package does not name. */
const SQPNP = 8

/** A point, and the pixel where it is seen. */
type Seen = { at: Vector; pixel: Pixel }

/** At a distance of 1, without a lens. */
const PLAIN: Camera = { fx: 1, fy: 1, cx: 0, cy: 0, distortion: [0, 0, 0, 0, 0] }

/** The pose by OpenCV: the one with the least error, then refined. */
function poseByOpenCv(points: Seen[], { fx, fy, cx, cy, distortion }: Camera = PLAIN): CameraPose {
  const matrix = (rows: number, columns: number, values: readonly number[]) =>
    cv.matFromArray(rows, columns, cv.CV_64F, [...values])
  const positions = points.flatMap(({ at }) => at)
  const pixels = points.flatMap(({ pixel }) => pixel)
  const inputs = [
    matrix(points.length, 3, positions),
    matrix(points.length, 2, pixels),
    matrix(3, 3, [fx, 0, cx, 0, fy, cy, 0, 0, 1]),
    matrix(1, 5, distortion),
  ] as const
  const [turned, moved, rotation] = [new cv.Mat(), new cv.Mat(), new cv.Mat()]
  cv.solvePnP(...inputs, turned, moved, false, SQPNP)
  cv.solvePnPRefineLM(...inputs, turned, moved)
  cv.Rodrigues(turned, rotation)
  const [r, translation] = [[...rotation.data64F], [...moved.data64F] as unknown as Vector]
  for (const mat of [...inputs, turned, moved, rotation]) mat.delete()
  return { rotation: [r.slice(0, 3), r.slice(3, 6), r.slice(6)] as unknown as Matrix, translation }
}

/** Metres between the places of two poses, and about the radians between their rotations. */
function apart(a: CameraPose, b: CameraPose): { metres: number; radians: number } {
  const turns = a.rotation.map((row, axis) => length(difference(row, b.rotation[axis]!)))
  return { metres: length(difference(centreOf(a), centreOf(b))), radians: Math.max(...turns) }
}

test.each<[string, Scene]>([
  ['one tag', { size: 0.5, distance: [1.5, 3] }],
  ['three tags, two of them with corners', { size: 0.4, distance: [2, 5], tags: 3 }],
  ['six tags, three of them with corners', { size: 0.3, distance: [3, 8], tags: 6 }],
])('a pose is the one of OpenCV within 2 mm, if only pixels have errors: %s', (_what, scene) => {
  for (let seed = 0; seed < 100; seed++) {
    const { tags } = sceneOf(seed, { ...scene, survey: 0 })
    const points = tags.flatMap(({ sightings: [sighting] }): Seen[] => {
      const { point, square, seen } = sighting!
      if (!square) return [{ at: point, pixel: [...seen] }]
      return square.offsets.map((offset, at) => ({ at: sum(point, offset), pixel: [...square.seen[at]!] }))
    })
    const [first] = located(tags) as Located[]
    const { metres, radians } = apart(first!.pose, poseByOpenCv(points))
    expect(metres, `scene ${seed}`).toBeLessThan(0.002)
    expect(radians, `scene ${seed}`).toBeLessThan(0.001)
  }
})

/** A lens of a phone, and a picture of 960 by 720. */
const LENS: Camera = { fx: 800, fy: 803, cx: 485, cy: 352, distortion: [-0.21, 0.08, 0.0008, -0.0006, -0.02] }
const SIDE = 0.5

/** Draws a tag as the lens shows it, and detects it. The camera is before it or up to 60° beside it. */
function detectedIn(seed: number) {
  const { fraction } = randomOf(seed)
  const beside = Math.tan((fraction() * Math.PI) / 3)
  const around = fraction() * 2 * Math.PI
  const from = scaled(unit([beside * Math.cos(around), beside * Math.sin(around), 1]), 1.5 + 1.5 * fraction())
  const forward = unit(difference([0.3 * (fraction() - 0.5), 0.3 * (fraction() - 0.5), 0], from))
  const right = unit(cross(forward, [0.2, 1, 0.1]))
  const rotation: Matrix = [right, cross(forward, right), forward]
  const placed = (u: number, v: number): Vector => [u * SIDE, -v * SIDE, 0]
  const project = (u: number, v: number): Pixel => [...pixelOf(LENS, times(rotation, difference(placed(u, v), from)))]
  const { image } = drawScene({ width: 960, height: 720, seed, tags: [{ id: seed, at: [0, 0], side: 1, project }] })
  const corners = [placed(-0.5, 0.5), placed(0.5, 0.5), placed(0.5, -0.5), placed(-0.5, -0.5)]
  return { tags: detectTags(image), corners, from }
}

test('a pose is the one of OpenCV within 5 mm, for drawn and detected tags behind a lens', () => {
  for (let seed = 0; seed < 20; seed++) {
    const { tags, corners, from } = detectedIn(seed)
    expect(tags, `scene ${seed}`).toMatchObject([{ id: seed }])
    const [tag] = tags
    const square = { offsets: corners, seen: tag!.corners.map((at) => directionOf(LENS, at)!), turned: 0, scaled: 0 }
    const sighting = { point: [0, 0, 0] as const, seen: directionOf(LENS, tag!.centre)!, square }
    const accuracy = { horizontal: 0, vertical: 0, angular: 0.2 / LENS.fx }
    const seen: SeenTag = { side: SIDE / length(from), sightings: [{ ...sighting, ...accuracy }] }
    const [first] = located([seen]) as Located[]
    const judged = poseByOpenCv(
      corners.map((at, corner) => ({ at, pixel: tag!.corners[corner]! })),
      LENS,
    )
    const { metres, radians } = apart(first!.pose, judged)
    expect(metres, `scene ${seed}`).toBeLessThan(0.005)
    expect(radians, `scene ${seed}`).toBeLessThan(0.002)
    expect(length(difference(centreOf(judged), from)), `scene ${seed}`).toBeLessThan(0.1)
  }
})
