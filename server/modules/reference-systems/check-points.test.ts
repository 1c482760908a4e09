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

/** The position of a point in a system, and the operation. */
function locate(crs: Crs, x: number, y: number): Located {
  const located = crs.toWgs84(x, y)
  if (!located) throw new Error(`${crs.name} has no position for ${x}, ${y}`)
  return located
}

/** The distance between the positions by the projected system and by its geographic base, in metres. */
async function projectionError({ geographic, projected, ...point }: ProjectionPoint): Promise<number> {
  const [below, above] = [await systemOf(geographic), await systemOf(projected)]
  return distance(locate(above, point.easting, point.northing), locate(below, point.longitude, point.latitude))
}

type PointError = { name: string; metres: number; stated: number | null }

/** The error of each published point, and the stated accuracy. */
async function datumErrors(code: number, points: DatumPoint[]): Promise<PointError[]> {
  const crs = await systemOf(code)
  return points.map((point) => {
    const located = locate(crs, point.easting, point.northing)
    return { name: point.name, metres: distance(located, point), stated: located.operation.accuracy }
  })
}

/** Points whose error exceeds a limit, or the stated accuracy. */
const beyond = (errors: PointError[], limit?: number) =>
  errors.filter(({ metres, stated }) => metres > (limit ?? stated ?? 0))

describe('map projections', () => {
  test.each(WORKED_EXAMPLES)('EPSG:$projected matches its published worked example to 3 cm', async (point) => {
    expect(await projectionError(point)).toBeLessThan(0.03)
  })

  test('refuses EPSG:31300, whose method PROJ computes differently, and names EPSG:31370', async () => {
    expect((await loadCrsTable()).find(`EPSG:${LAMBERT_BELGIUM.projected}`)).toMatch(/EPSG:31370/)
    expect(await projectionError({ ...LAMBERT_BELGIUM, projected: 31370 })).toBeLessThan(0.1)
  })

  test('computes spherical methods on the sphere with the area of the ellipsoid', async () => {
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

  test('refuses EPSG:32662, whose method PROJ computes on the ellipsoid', async () => {
    expect((await loadCrsTable()).find('EPSG:32662')).toMatch(/25 km/)
  })

  test('refuses the grids of Namibia, because a file does not say on which side of 22° S it counts', async () => {
    expect((await loadCrsTable()).find('EPSG:29375')).toMatch(/22° S/)
  })

  test('UTM with the zone as a prefix (EPSG:4647) gives the position of UTM', async () => {
    const [plain, prefixed] = [await systemOf(25832), await systemOf(4647)]
    expect(distance(locate(plain, 500_000, 5_800_000), locate(prefixed, 32_500_000, 5_800_000))).toBeLessThan(0.001)
  })

  test('converts realizations of ETRS89 to WGS 84 (EPSG:9067)', async () => {
    expect(locate(await systemOf(9067), 10, 50).operation).toMatchObject({ isBallpark: false })
  })

  test("refuses Kosovo's operation of MGI 1901, which contradicts all others by 1.6 km", async () => {
    const crs = await systemOf(3906)
    expect(crs.refusal(locate(crs, 20.9, 42.6).operation)).toMatch(/hundreds of metres/)
  })

  test.each(GIGS_POINTS)('EPSG:$projected matches its GIGS point at $latitude, $longitude to 5 cm', async (point) => {
    expect(await projectionError(point)).toBeLessThan(0.05)
  })
})

describe('datum transformations without grids', () => {
  test.each([
    ['RDNAPTRANS2018', 28992, RDNAPTRANS2018_POINTS],
    ['RDNAPTRANS2008', 28992, RDNAPTRANS2008_POINTS],
    ['Lands Department of Hong Kong', 2326, HONG_KONG_POINTS],
  ])('%s: published points match within the stated accuracy', async (_, code, points) => {
    expect(beyond(await datumErrors(code, points))).toEqual([])
  })

  test('RD New matches within a quarter of a metre', async () => {
    const errors = await datumErrors(28992, [...RDNAPTRANS2018_POINTS, ...RDNAPTRANS2008_POINTS])
    expect(beyond(errors, 0.25)).toEqual([])
  })

  test('British National Grid matches within 5 m: the 2 m of EPSG are typical, not the worst case', async () => {
    const errors = await datumErrors(27700, OSTN15_POINTS)
    expect(errors.map(({ stated }) => stated)).toEqual(OSTN15_POINTS.map(() => 2))
    expect(beyond(errors, 5)).toEqual([])
  })

  test('Belgian Lambert 72 agrees with Lambert 2008 within the stated accuracies', async () => {
    const older = locate(await systemOf(31370), ...BELGIAN_POINT.lambert72)
    const newer = locate(await systemOf(3812), ...BELGIAN_POINT.lambert2008)
    expect(distance(older, newer)).toBeLessThan(older.operation.accuracy! + newer.operation.accuracy!)
  })
})
