import { describe, expect, test } from 'vitest'
import {
  BELGIAN_POINT,
  type DatumPoint,
  GIGS_POINTS,
  HONG_KONG_POINTS,
  LAMBERT_BELGIUM,
  OSTN15_POINTS,
  type ProjectionPoint,
  RDNAPTRANS2008_POINTS,
  RDNAPTRANS2018_POINTS,
  WORKED_EXAMPLES,
} from '../../test/surveying/check-points.ts'
import { distance } from '../places/geodesy.ts'
import { type Crs, type Located, loadCrsTable } from './crs.ts'

async function systemOf(code: number): Promise<Crs> {
  const crs = (await loadCrsTable()).find(`EPSG:${code}`)
  if (typeof crs === 'string') throw new Error(crs)
  return crs
}

/** Where a system puts a point, and by which operation. */
function locate(crs: Crs, x: number, y: number): Located {
  const located = crs.toWgs84(x, y)
  if (!located) throw new Error(`${crs.name} leads nowhere from ${x}, ${y}`)
  return located
}

/** How far the position by the projected system lies from the one by the geographic system below it, in metres. */
async function projectionError({ geographic, projected, ...point }: ProjectionPoint): Promise<number> {
  const [below, above] = [await systemOf(geographic), await systemOf(projected)]
  return distance(locate(above, point.easting, point.northing), locate(below, point.longitude, point.latitude))
}

type PointError = { name: string; metres: number; stated: number | null }

/** How far each published point comes out from its position, and the accuracy that is stated with it. */
async function datumErrors(code: number, points: DatumPoint[]): Promise<PointError[]> {
  const crs = await systemOf(code)
  return points.map((point) => {
    const located = locate(crs, point.easting, point.northing)
    return { name: point.name, metres: distance(located, point), stated: located.operation.accuracy }
  })
}

/** Those that come out farther away than a limit, or than the accuracy that is stated. */
const beyond = (errors: PointError[], limit?: number) =>
  errors.filter(({ metres, stated }) => metres > (limit ?? stated ?? 0))

describe('map projections', () => {
  test.each(WORKED_EXAMPLES)('EPSG:$projected gives its published worked example to 3 cm', async (point) => {
    expect(await projectionError(point)).toBeLessThan(0.03)
  })

  test('EPSG:31300, whose method PROJ computes otherwise than published, is refused and EPSG:31370 named', async () => {
    expect((await loadCrsTable()).find(`EPSG:${LAMBERT_BELGIUM.projected}`)).toMatch(/EPSG:31370/)
    expect(await projectionError({ ...LAMBERT_BELGIUM, projected: 31370 })).toBeLessThan(0.1)
  })

  test('methods of a sphere are computed on the sphere that has the area of the ellipsoid', async () => {
    const [a, e] = [6_378_137, 0.0818191908426215]
    // Snyder, Map Projections: A Working Manual (1987), equation 3-12, at the pole, and 24-2 and 10-1 for the sphere.
    const radius = a * Math.sqrt((1 - ((1 - e * e) / (2 * e)) * Math.log((1 - e) / (1 + e))) / 2)
    const radians = Math.PI / 180
    const [latitude, longitude] = [60, 30]
    const polar = (await systemOf(3973)).fromWgs84(longitude, latitude)!
    const distanceFromPole = 2 * radius * Math.sin(((90 - latitude) / 2) * radians)
    expect(polar.x).toBeCloseTo(distanceFromPole * Math.sin(longitude * radians), 2)
    expect(polar.y).toBeCloseTo(-distanceFromPole * Math.cos(longitude * radians), 2)
    const cylinder = (await systemOf(3975)).fromWgs84(longitude, latitude)!
    expect(cylinder.x).toBeCloseTo(radius * longitude * radians * Math.cos(30 * radians), 2)
    expect(cylinder.y).toBeCloseTo((radius * Math.sin(latitude * radians)) / Math.cos(30 * radians), 2)
  })

  test('EPSG:32662, whose method PROJ computes on the ellipsoid, is refused', async () => {
    expect((await loadCrsTable()).find('EPSG:32662')).toMatch(/25 km/)
  })

  test('the grids of Namibia are refused: a file does not say to which side of 22° S it counts', async () => {
    expect((await loadCrsTable()).find('EPSG:29375')).toMatch(/22° S/)
  })

  test('UTM with the zone as a prefix (EPSG:4647) leads where UTM does', async () => {
    const [plain, prefixed] = [await systemOf(25832), await systemOf(4647)]
    expect(distance(locate(plain, 500_000, 5_800_000), locate(prefixed, 32_500_000, 5_800_000))).toBeLessThan(0.001)
  })

  test('frames of ETRS89 lead to WGS 84 (EPSG:9067)', async () => {
    expect(locate(await systemOf(9067), 10, 50).operation).toMatchObject({ isBallpark: false })
  })

  test("Kosovo's operation of MGI 1901, which contradicts every other by 1.6 km, is refused", async () => {
    const crs = await systemOf(3906)
    expect(crs.refusal(locate(crs, 20.9, 42.6).operation)).toMatch(/hundreds of metres/)
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
    expect(beyond(await datumErrors(code, points))).toEqual([])
  })

  test('RD New comes out within a quarter of a metre', async () => {
    const errors = await datumErrors(28992, [...RDNAPTRANS2018_POINTS, ...RDNAPTRANS2008_POINTS])
    expect(beyond(errors, 0.25)).toEqual([])
  })

  test('British National Grid comes out within 5 m: the 2 m that EPSG states are usual, not the worst', async () => {
    const errors = await datumErrors(27700, OSTN15_POINTS)
    expect(errors.map(({ stated }) => stated)).toEqual(OSTN15_POINTS.map(() => 2))
    expect(beyond(errors, 5)).toEqual([])
  })

  test('Belgian Lambert 72 agrees with Lambert 2008 within the accuracies that are stated', async () => {
    const older = locate(await systemOf(31370), ...BELGIAN_POINT.lambert72)
    const newer = locate(await systemOf(3812), ...BELGIAN_POINT.lambert2008)
    expect(distance(older, newer)).toBeLessThan(older.operation.accuracy! + newer.operation.accuracy!)
  })
})
