import { describe, expect, test } from 'vitest'
import { randomOf } from '../../../test/attack/random.ts'
import { QUANTILE_95, squareOf } from '../../../test/content/tags/ellipsoid.ts'
import { toEcef } from '../../places/geodesy.ts'
import { directionOf, pixelOf } from './camera.ts'
import { placeOf } from './frames.ts'
import { type Located, located } from './locate.ts'
import { centreOf } from './refine.ts'
import type { SeenTag } from './sighting.ts'
import { posesOfThree } from './three-points.ts'
import { cross, difference, length, type Matrix, sum, times, unit, type Vector } from './vectors.ts'

const PIXEL = 0.2 / 3000
const [HORIZONTAL, VERTICAL] = [0.01, 0.02]

/** Tags around the origin, surveyed and seen with errors, and the camera that faces them. */
function sceneOf(seed: number, count: number) {
  const { fraction, normal } = randomOf(seed)
  const [distance, azimuth, elevation] = [6 + fraction() * 12, fraction() * 2 * Math.PI, 0.3 + fraction()]
  const flat = distance * Math.cos(elevation)
  const centre: Vector = [flat * Math.cos(azimuth), flat * Math.sin(azimuth), distance * Math.sin(elevation)]
  const forward = unit(difference([0, 0, 0], centre))
  const right = unit(cross(forward, [0, 0, 1]))
  const rotation: Matrix = [right, cross(forward, right), forward]
  const tags = Array.from({ length: count }, (): SeenTag => {
    const at: Vector = [(fraction() - 0.5) * 8, (fraction() - 0.5) * 8, fraction() * 3]
    const [x, y, z] = times(rotation, difference(at, centre))
    const seen = [x / z + normal() * PIXEL, y / z + normal() * PIXEL] as const
    const point = sum(at, [normal() * HORIZONTAL, normal() * HORIZONTAL, normal() * VERTICAL])
    const accuracy = { horizontal: HORIZONTAL, vertical: VERTICAL, angular: PIXEL }
    return { side: 0.3 / z, sightings: [{ point, seen, ...accuracy }] }
  })
  return { tags, centre, rotation }
}

/** The square of the error of the place in units of its covariance. */
const squareAt = ({ pose, covariance }: Located, centre: Vector): number =>
  squareOf(times(pose.rotation, difference(centreOf(pose), centre)), covariance)

test('95 % of true places lie inside the ellipsoid of 95 %, for 1,000 scenes of four to eight tags', {
  tags: ['long'],
}, () => {
  let [inside, found] = [0, 0]
  for (let seed = 0; seed < 1000; seed++) {
    const { tags, centre } = sceneOf(seed, 4 + (seed % 5))
    const candidates = located(tags)
    if (typeof candidates === 'string') continue
    found++
    if (candidates.some((candidate) => squareAt(candidate, centre) < QUANTILE_95)) inside++
  }
  expect(found).toBeGreaterThan(900)
  expect(inside / found).toBeGreaterThan(0.93)
  expect(inside / found).toBeLessThan(0.985)
})

test('three points without errors have the true pose among at most four', () => {
  for (let seed = 0; seed < 200; seed++) {
    const { rotation, centre } = sceneOf(seed, 0)
    const points = [
      [2, 1, 0],
      [-2, 0.5, 1],
      [0.3, -2, 0.4],
    ] as const
    const [a, b, c] = points.map((point) => times(rotation, difference(point, centre))) as [Vector, Vector, Vector]
    const poses = posesOfThree(points, [a, b, c])
    expect(poses.length).toBeLessThanOrEqual(4)
    expect(Math.min(...poses.map((pose) => length(difference(centreOf(pose), centre))))).toBeLessThan(1e-3)
  }
})

test('a tag that is used in several places counts where it fits', () => {
  const { tags, centre } = sceneOf(7, 6)
  const [first, ...others] = tags as [SeenTag, ...SeenTag[]]
  const elsewhere = { ...first.sightings[0]!, point: sum(first.sightings[0]!.point, [3, -2, 0]) }
  const candidates = located([{ ...first, sightings: [elsewhere, ...first.sightings] }, ...others])
  expect(candidates).toHaveLength(1)
  const [candidate] = candidates as [Located]
  expect(candidate.used[0]).toBe(first.sightings[0])
  expect(length(difference(centreOf(candidate.pose), centre))).toBeLessThan(0.3)
})

describe('there is no pose', () => {
  const along = (x: number): SeenTag => ({
    side: 0.1,
    sightings: [{ point: [x, 5, 0], seen: [x / 5, 0], horizontal: 0.01, vertical: 0.01, angular: PIXEL }],
  })

  test('for tags in a line', () => {
    expect(located([along(-1), along(0), along(1), along(2)])).toBe('in line')
  })

  test('for four tags of which one is wrong: nothing says which', () => {
    const { tags } = sceneOf(3, 4)
    const [first, ...others] = tags as [SeenTag, ...SeenTag[]]
    const [sighting] = first.sightings
    const wrong = { ...first, sightings: [{ ...sighting!, point: sum(sighting!.point, [0, 3, 2]) }] }
    expect(located([wrong, ...others])).toBe('contradiction')
  })
})

test('a pixel leads to the direction that leads back to it, through the distortion of a lens', () => {
  const camera = { fx: 3000, fy: 2990, cx: 2000, cy: 1500, distortion: [-0.28, 0.1, 0.001, -0.0007, -0.02] }
  for (const pixel of [
    [10, 20],
    [3900, 2900],
    [2000, 1500],
    [100, 2800],
  ] as const) {
    const [x, y] = directionOf(camera, pixel)!
    const back = pixelOf(camera, [3 * x, 3 * y, 3])
    expect(Math.hypot(back[0] - pixel[0], back[1] - pixel[1])).toBeLessThan(1e-5)
  }
})

test('a pixel of a lens that bends outwards leads to its direction as well', () => {
  const camera = { fx: 3000, fy: 3000, cx: 2000, cy: 1500, distortion: [0.35, 0.02, 0.001, -0.0007, 0.05] }
  for (const [x, y] of [
    [0.72, 0.54],
    [-0.8, 0.6],
    [0.1, -0.9],
  ] as const) {
    const [u, v] = directionOf(camera, pixelOf(camera, [2 * x, 2 * y, 2]))!
    expect(Math.hypot(u - x, v - y)).toBeLessThan(1e-9)
  }
})

test('a pixel that no direction leads to has none: the lens bends everything farther inwards', () => {
  const camera = { fx: 3000, fy: 3000, cx: 2000, cy: 1500, distortion: [-0.3] }
  expect(directionOf(camera, [2000 + 3000 * 0.75, 1500])).toBeUndefined()
})

test.each([
  [90, 0, 10],
  [-90, 0, -5],
  [0, 180, 3],
  [47.3, -12.7, 1234.5],
  [89.9999, 33, 9],
])('the place of a point in space is the one that it was made from: %d, %d, %d', (lat, lon, h) => {
  const place = placeOf(toEcef(lat, lon, h))
  expect(Math.abs(place.lat - lat)).toBeLessThan(1e-11)
  expect(Math.abs(place.h - h)).toBeLessThan(1e-6)
  if (Math.abs(lat) < 90) expect(Math.abs(place.lon - lon)).toBeLessThan(1e-9)
})
