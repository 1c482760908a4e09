import { describe, expect, test } from 'vitest'
import { type Scene, sceneOf } from '../../../test/content/tags/seen-tags.ts'
import { inverseOf } from './linear.ts'
import { type Located, located } from './locate.ts'
import { centreOf } from './refine.ts'
import type { SeenTag } from './sighting.ts'
import { difference, dot, length, type Matrix, product, sum, times, transposed, type Vector } from './vectors.ts'

/** The square of the error of the place in units of its covariance. */
function squareOf({ pose, covariance }: Located, centre: Vector): number {
  const error = difference(centreOf(pose), centre)
  const part = covariance.slice(0, 3).map((row) => row.slice(0, 3)) as unknown as Matrix
  const inWorld = product(transposed(pose.rotation), product(part, pose.rotation))
  const inverse = inverseOf(inWorld) as unknown as Matrix
  return dot(error, times(inverse, error))
}

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
      // The quantile of the chi-squared distribution with three degrees of freedom.
      if (candidates.some((candidate) => squareOf(candidate, centre) < 7.815)) inside++
    }
    expect(found).toBeGreaterThan(0.9 * count)
    expect(inside / found).toBeGreaterThan(0.93)
    expect(inside / found).toBeLessThan(0.985)
  })
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
    expect(candidates.some((candidate) => squareOf(candidate, centre) < 30)).toBe(true)
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
