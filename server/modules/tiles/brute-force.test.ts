// @module-tag long
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Service, startService } from '../../test/service.ts'
import { type Sql, sqlOn } from '../../test/sql.ts'
import { type Decoded, readTile, tileAt, unitsIn } from '../../test/tiles/decode.ts'

let service: Service
let sql: Sql
beforeAll(async () => {
  service = await startService()
  sql = sqlOn(service)
})
beforeEach(async () => {
  await sql('delete from pins')
  await sql('delete from zones')
  await service.app.pinIndex.caughtUp()
})
afterAll(() => service.stop())

type Degrees = [longitude: number, latitude: number]
type Pin = { id: number; longitude: number; latitude: number }
const keyOf = ({ z, x, y }: { z: number; x: number; y: number }) => `${z}/${x}/${y}`

/** Writes pins by SQL, as many statements at once would. */
async function place(places: Degrees[]): Promise<Pin[]> {
  const rows = await sql<Pin>(
    `insert into pins (title, content_type, longitude, latitude)
     select 'P', 'GLB', * from unnest($1::float8[], $2::float8[]) returning id, longitude, latitude`,
    [places.map(([longitude]) => longitude), places.map(([, latitude]) => latitude)],
  )
  await service.app.pinIndex.caughtUp()
  return rows
}

const near = (middle: number, reach: number) => fc.double({ min: middle - reach, max: middle + reach, noNaN: true })
const degrees = fc.oneof(
  fc.tuple(near(0, 180), near(0, 85)),
  // Close to each other, on both sides of the edge between many tiles.
  fc.tuple(near(0, 0.001), near(0, 0.001)),
  fc.constantFrom<Degrees>([180, 0], [-180, 0], [0, 0], [11.25, 0], [90, 85.05], [-90, -85.05]),
)

describe('pins', () => {
  test('at any zoom level each is in exactly the tile that its degrees say: alone, or counted in a cluster', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(degrees, { minLength: 1, maxLength: 25 }),
        fc.integer({ min: 0, max: 22 }),
        async (places, z) => {
          await sql('delete from pins')
          const pins = await place(places)
          const expected = Map.groupBy(pins, ({ longitude, latitude }) => keyOf(tileAt(z, [longitude, latitude])))
          for (const [key, inside] of expected) {
            const [, x, y] = key.split('/').map(Number) as [number, number, number]
            const { features } = await readTile(service.url, 'pins', { z, x, y })
            expect(counted(features)).toBe(inside.length)
            for (const { id, properties, geometry } of features) {
              if (properties.cluster) continue
              const { longitude, latitude } = inside.find((one) => one.id === id)!
              const unit = unitsIn({ z, x, y }, [longitude, latitude])
              expect(Math.abs(geometry[0]![0]!.x - unit.x)).toBeLessThanOrEqual(1.01)
              expect(Math.abs(geometry[0]![0]!.y - unit.y)).toBeLessThanOrEqual(1.01)
            }
            if (z >= 15) expect(features.map(({ id }) => id).sort()).toEqual(inside.map(({ id }) => id).sort())
          }
          // The tiles beside have no pin of these.
          const [first] = expected.keys()
          const [, x, y] = first!.split('/').map(Number) as [number, number, number]
          const beside = { z, x: (x + 1) % 2 ** z, y }
          const { features } = await readTile(service.url, 'pins', beside)
          expect(counted(features)).toBe(expected.get(keyOf(beside))?.length ?? 0)
        },
      ),
      { numRuns: 40 },
    )
  })

  test('many at one place make a tile of a few clusters at any zoom level', async () => {
    await place(Array.from({ length: 5000 }, (_, i): Degrees => [40 + (i % 50) * 1e-7, 50 + Math.floor(i / 50) * 1e-7]))
    for (let z = 0; z <= 22; z++) {
      const { features, bytes } = await readTile(service.url, 'pins', tileAt(z, [40, 50]))
      expect(features.length).toBeLessThanOrEqual(2000)
      if (z < 15) expect(features.length).toBeLessThanOrEqual(64)
      expect(bytes).toBeLessThan(200_000)
    }
    const world = await readTile(service.url, 'pins', { z: 0, x: 0, y: 0 })
    expect(world.features).toMatchObject([
      { properties: { cluster: true, point_count: 5000, point_count_abbreviated: '5k' } },
    ])
  })
})

const counted = (features: Decoded[]): number =>
  features.reduce((sum, { properties }) => sum + Number(properties.point_count ?? 1), 0)

describe('zones', () => {
  /** A star around a place, with a hole in its middle. */
  const star = ([longitude, latitude]: Degrees, radii: number[]): Degrees[][] => {
    const ring = (share: number) => {
      const corners = radii.map((radius, i): Degrees => {
        const angle = (2 * Math.PI * i) / radii.length
        return [longitude + share * radius * Math.cos(angle), latitude + share * radius * Math.sin(angle)]
      })
      return [...corners, corners[0]!]
    }
    return [ring(1), ring(0.4)]
  }

  test('a place is inside the zone of a tile exactly if it is inside its boundary, but for what cannot be seen', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(near(10, 5), near(50, 5)),
        fc.array(fc.double({ min: 0.2, max: 1, noNaN: true }), { minLength: 5, maxLength: 12 }),
        fc.integer({ min: 4, max: 11 }),
        fc.array(fc.tuple(near(0, 1), near(0, 1)), { minLength: 20, maxLength: 20 }),
        async (middle, radii, z, samples) => {
          await sql('delete from zones')
          const rings = star(middle, radii)
          await sql('insert into zones (title, boundary) values ($1, $2)', [
            'Star',
            JSON.stringify({ type: 'Polygon', coordinates: rings }),
          ])
          await service.app.pinIndex.caughtUp()
          for (const [east, north] of samples) {
            const at: Degrees = [middle[0] + east, middle[1] + north]
            const tile = tileAt(z, at)
            const { features } = await readTile(service.url, 'zones', tile)
            const point = unitsIn(tile, at)
            const source = rings.map((ring) => ring.map((corner) => unitsIn(tile, corner)))
            if (source.some((ring) => distanceTo(ring, point) < 8)) continue
            expect(features.some(({ geometry }) => isInside(geometry, point))).toBe(isInside(source, point))
          }
        },
      ),
      { numRuns: 30 },
    )
  })

  test('zones too small to be seen are boxes, and a tile has the 1,000 largest', async () => {
    await sql(`
      insert into zones (title, boundary)
      select 'Z ' || n, json_build_object('type', 'Polygon', 'coordinates', json_build_array(json_build_array(
               json_build_array(lon, 50), json_build_array(lon + size, 50), json_build_array(lon + size, 50 + size), json_build_array(lon, 50 + size), json_build_array(lon, 50))))
        from (select n, 10 + n * 1e-4 as lon, 1e-5 * (1 + n / 1200.0) as size from generate_series(1, 1200) as n) as made`)
    await service.app.pinIndex.caughtUp()
    const { features } = await readTile(service.url, 'zones', tileAt(5, [10, 50]))
    expect(features).toHaveLength(1000)
    expect(features.map(({ properties }) => properties.title)).not.toContain('Z 1')
    expect(features.map(({ properties }) => properties.title)).toContain('Z 1200')
  })
})

type Unit = { x: number; y: number }

/** Whether a point is inside rings, by the even-odd rule. */
function isInside(rings: Unit[][], { x, y }: Unit): boolean {
  let isIn = false
  for (const ring of rings)
    for (const [i, a] of ring.entries()) {
      const b = ring[(i + 1) % ring.length]!
      if (a.y > y !== b.y > y && x < a.x + ((y - a.y) / (b.y - a.y)) * (b.x - a.x)) isIn = !isIn
    }
  return isIn
}

function distanceTo(ring: Unit[], point: Unit): number {
  return Math.min(
    ...ring.slice(1).map((b, i) => {
      const a = ring[i]!
      const [dx, dy] = [b.x - a.x, b.y - a.y]
      const length = dx * dx + dy * dy
      const share = length === 0 ? 0 : Math.max(0, Math.min(1, ((point.x - a.x) * dx + (point.y - a.y) * dy) / length))
      return Math.hypot(point.x - a.x - share * dx, point.y - a.y - share * dy)
    }),
  )
}
