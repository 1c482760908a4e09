import { describe, expect, test } from 'vitest'
import {
  BELGIAN_POINT,
  type DatumPoint,
  GIGS_POINTS,
  HONG_KONG_POINTS,
  OSTN15_POINTS,
  type ProjectionPoint,
  RDNAPTRANS2008_POINTS,
  RDNAPTRANS2018_POINTS,
  WORKED_EXAMPLES,
} from '../../test/check-points.ts'
import { distance } from '../places/geodesy.ts'
import { type Crs, loadCrsTable } from './crs.ts'

async function systemOf(code: number): Promise<Crs> {
  const crs = (await loadCrsTable()).find(`EPSG:${code}`)
  if (typeof crs === 'string') throw new Error(crs)
  return crs
}

const positionOf = (crs: Crs, x: number, y: number) => {
  const [longitude, latitude] = crs.toWgs84(x, y)
  return { latitude, longitude }
}

/** How far the position by the projected system lies from the one by the geographic system below it, in metres. */
async function projectionError({ geographic, projected, ...point }: ProjectionPoint): Promise<number> {
  const [below, above] = [await systemOf(geographic), await systemOf(projected)]
  return distance(positionOf(above, point.easting, point.northing), positionOf(below, point.longitude, point.latitude))
}

/** The greatest distance of positions by a system from the published ones, in metres. */
async function datumError(code: number, points: DatumPoint[]): Promise<number> {
  const crs = await systemOf(code)
  return Math.max(...points.map((point) => distance(positionOf(crs, point.easting, point.northing), point)))
}

describe('map projections', () => {
  test.each(WORKED_EXAMPLES)('EPSG:$projected gives its published worked example to 3 cm', async (point) => {
    expect(await projectionError(point)).toBeLessThan(0.03)
  })

  test.each(GIGS_POINTS)('EPSG:$projected gives its GIGS point at $latitude, $longitude to 5 cm', async (point) => {
    expect(await projectionError(point)).toBeLessThan(0.05)
  })
})

describe('changes of datum, without grids', () => {
  test.each([
    ['RDNAPTRANS2018', 28992, RDNAPTRANS2018_POINTS],
    ['RDNAPTRANS2008', 28992, RDNAPTRANS2008_POINTS],
    ['Lands Department of Hong Kong', 2326, HONG_KONG_POINTS],
  ])('%s: published points come out within the accuracy that is stated', async (_, code, points) => {
    const { accuracy } = await systemOf(code)
    expect(accuracy).toBeGreaterThan(0)
    expect(await datumError(code, points)).toBeLessThan(accuracy!)
  })

  test('RD New comes out within a quarter of a metre', async () => {
    expect(await datumError(28992, [...RDNAPTRANS2018_POINTS, ...RDNAPTRANS2008_POINTS])).toBeLessThan(0.25)
  })

  test("British National Grid comes out within 5 m of OSTN15: EPSG's 2 m are usual, not the worst", async () => {
    expect((await systemOf(27700)).accuracy).toBe(2)
    expect(await datumError(27700, OSTN15_POINTS)).toBeLessThan(5)
  })

  test('Belgian Lambert 72 agrees with Lambert 2008 within the accuracy that is stated', async () => {
    const [older, newer] = [await systemOf(31370), await systemOf(3812)]
    const apart = distance(
      positionOf(older, ...BELGIAN_POINT.lambert72),
      positionOf(newer, ...BELGIAN_POINT.lambert2008),
    )
    expect(apart).toBeLessThan(older.accuracy! + (newer.accuracy ?? 0))
  })
})
