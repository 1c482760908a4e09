import { describe, expect, test } from 'vitest'
import { QUANTILE_95, squareOf } from '../../../test/content/tags/ellipsoid.ts'
import { type Scene, sceneOf } from '../../../test/content/tags/seen-tags.ts'
import { directionOf, pixelOf } from './camera.ts'
import { type Located, located } from './locate.ts'
import { centreOf } from './refine.ts'
import type { SeenTag } from './sighting.ts'
import { centreOfSquare } from './square.ts'
import { difference, length, sum, times, type Vector } from './vectors.ts'

/** The square of the error of the place in units of its covariance. */
const squareAt = ({ pose, covariance }: Located, centre: Vector): number =>
  squareOf(times(pose.rotation, difference(centreOf(pose), centre)), covariance)

describe('95 % of true places lie inside the ellipsoid of 95 %, for many scenes', { tags: ['long'] }, () => {
  test.each<[string, number, Scene]>([
    ['one tag', 1000, {}],
    ['one large tag', 1000, { size: 0.8, distance: [3, 12] }],
    ['one tag, and two of which only the centre is known or also the corners', 300, { tags: 3 }],
    ['one tag, and the centre of another', 300, { tags: 2 }],
  ])('of %s', (_what, count, scene) => {
    let [inside, found] = [0, 0]
    for (let seed = 0; seed < count; seed++) {
      const { tags, centre } = sceneOf(seed, scene)
      const candidates = located(tags)
      if (typeof candidates === 'string') continue
      found++
      if (candidates.some((candidate) => squareAt(candidate, centre) < QUANTILE_95)) inside++
    }
    expect(found).toBeGreaterThan(0.9 * count)
    expect(inside / found).toBeGreaterThan(0.93)
    expect(inside / found).toBeLessThan(0.985)
  })
})

test('behind a lens, the centre of a tag is where its diagonals meet without distortion', () => {
  const camera = { fx: 600, fy: 600, cx: 320, cy: 240, distortion: [-0.25, 0.06, 0, 0, 0] }
  const corners = [
    [0.5, 0.6, 2],
    [0.9, 0.6, 2.2],
    [0.9, 0.2, 2.2],
    [0.5, 0.2, 2],
  ] as const
  const [x, y] = centreOfSquare(corners.map((corner) => directionOf(camera, pixelOf(camera, corner))!))!.at
  expect(Math.hypot(x - 0.7 / 2.1, y - 0.4 / 2.1)).toBeLessThan(1e-9)
  const distorted = centreOfSquare(corners.map((corner) => pixelOf(camera, corner)))!.at
  const [u, v] = pixelOf(camera, [0.7, 0.4, 2.1])
  expect(Math.hypot(distorted[0] - u, distorted[1] - v), 'in the image they meet elsewhere').toBeGreaterThan(0.2)
})

test('one tag without errors has the true pose, alone if it is near and tilted', () => {
  for (let seed = 0; seed < 100; seed++) {
    const { tags, centre } = sceneOf(seed, { pixel: 0, survey: 0, size: 0.5, distance: [1.5, 2] })
    const candidates = located(tags) as Located[]
    expect(length(difference(centreOf(candidates[0]!.pose), centre))).toBeLessThan(1e-5)
  }
})

test('a small tag has two poses, of which one is true: its tilt may be either way', () => {
  let both = 0
  for (let seed = 0; seed < 100; seed++) {
    const { tags, centre } = sceneOf(seed, { size: 0.1, distance: [9, 10] })
    const candidates = located(tags)
    if (typeof candidates === 'string') continue
    if (candidates.length > 1) both++
    expect(candidates.some((candidate) => squareAt(candidate, centre) < 30)).toBe(true)
  }
  expect(both).toBeGreaterThan(30)
})

test('of two tags with corners that contradict each other there is no pose; a third one says which is wrong', () => {
  const { tags, centre } = sceneOf(5, { tags: 5 })
  const squares = tags.filter(({ sightings: [sighting] }) => sighting!.square)
  const [first, ...others] = squares as [SeenTag, SeenTag, SeenTag]
  const sighting = first.sightings[0]!
  const wrong = { ...first, sightings: [{ ...sighting, point: sum(sighting.point, [0, 0.7, 0.5]) }] }
  expect(located([wrong, others[0]])).toBe('contradiction')
  const candidates = located([wrong, ...others]) as Located[]
  expect(candidates[0]!.used[0]).toBeUndefined()
  expect(length(difference(centreOf(candidates[0]!.pose), centre))).toBeLessThan(0.2)
})
