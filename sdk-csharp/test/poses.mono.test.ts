import { afterAll, beforeAll, expect, test } from 'vitest'
import { compileForMono } from './mono-program.ts'

let program: ReturnType<typeof compileForMono>
beforeAll(() => {
  program = compileForMono()
})
afterAll(() => program?.remove())

const run = (name: string, numbers: number[]) => program.run([name, JSON.stringify(numbers)], {})

/** The sine of 45°. */
const eighth = Math.round(Math.SQRT1_2 * 1e8) / 1e8

/** The table of docs/places.md; then values of SciPy 1.x, `Rotation.from_euler('ZYX', …)` with its matrix in the axes east, up, north. */
test.each([
  [
    [0, 0, 0],
    [0, 0, 0, 1],
  ],
  [
    [90, 0, 0],
    [0, -eighth, 0, eighth],
  ],
  [
    [0, 30, 0],
    [0, 0, -0.25881905, 0.96592583],
  ],
  [
    [0, 0, 45],
    [-0.38268343, 0, 0, 0.92387953],
  ],
  [
    [30, 20, 10],
    [-0.03813458, -0.23929834, -0.18930786, 0.95154852],
  ],
  [
    [-135, -20, 170],
    [-0.36145311, 0.0130987, 0.91217319, 0.19266586],
  ],
  [
    [179, 89, -45],
    [-0.64991297, 0.66127309, -0.26728782, 0.26246573],
  ],
])('a GeoPose of %j is %j in Unity, and back', async (angles, quaternion) => {
  expect(await run('pose', angles)).toEqual({ quaternion, angles })
})

test('a GeoPose that looks straight up or turns more than once has its rotation in Unity', async () => {
  expect(await run('pose', [10, 90, 0])).toMatchObject({
    quaternion: [0.06162842, -0.06162842, -0.70441603, 0.70441603],
  })
  expect(await run('pose', [725, -5, 3])).toMatchObject({ angles: [5, -5, 3] })
})

/** East, up and north in metres, by PROJ's `+proj=topocentric` behind `+proj=cart`, at four places: one of them across 180°, one across the pole. */
test.each([
  ['in Munich', [48.1374, 11.5755, 520, 48.138, 11.5761, 523], [44.659, 2.999, 66.721]],
  ['in Sydney', [-33.8568, 151.2153, 4, -33.86, 151.21, 30], [-490.443, 25.971, -354.958]],
  ['across 180°', [10, 179.9995, 0, 10.0005, -179.9995, 12], [109.639, 11.999, 55.304]],
  ['across the pole', [89.9995, 45, 100, 89.9995, -135, 100], [0, -0.001, 111.696]],
])('an offset %s is the one of PROJ', async (_where, places, offset) => {
  expect(await run('offset', places)).toEqual(offset)
})
