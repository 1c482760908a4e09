import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codeOf, codesIn, degreesOf, MAX_LATITUDE, placeOf, type TileAt, tileOf } from './mercator.ts'
import { pointSet } from './point-set.ts'
import { type Point, sortPoints } from './sorted-points.ts'

const MAX_ZOOM = 22
const coordinate = fc.oneof(
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.constantFrom(0, 1, 0.5, 0.25, 1 / 3, 1 - Number.EPSILON),
  // Close to each other.
  fc.double({ min: 0.4999, max: 0.5001, noNaN: true }),
)
const place = fc.record({ x: coordinate, y: coordinate })
const zoom = fc.integer({ min: 0, max: MAX_ZOOM })

test('a place is in the tile that its degrees say, by the formula of Web Mercator', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -MAX_LATITUDE, max: MAX_LATITUDE, noNaN: true }),
      fc.double({ min: -180, max: 180, noNaN: true }),
      zoom,
      (latitude, longitude, z) => {
        const at = placeOf(latitude, longitude)!
        const radians = (latitude * Math.PI) / 180
        const row = (2 ** z * (1 - Math.log(Math.tan(radians) + 1 / Math.cos(radians)) / Math.PI)) / 2
        const tile = tileOf(at, z)
        expect(Math.abs(tile.x + 0.5 - ((longitude + 180) / 360) * 2 ** z)).toBeLessThanOrEqual(0.5 + 1e-6)
        expect(Math.abs(tile.y + 0.5 - row)).toBeLessThanOrEqual(0.5 + 1e-6)
        const back = degreesOf(at)
        expect(back.latitude).toBeCloseTo(latitude, 9)
        expect(back.longitude).toBeCloseTo(longitude, 9)
      },
    ),
  )
})

test('beyond the square of Web Mercator there is no place', () => {
  expect(placeOf(85.06, 0)).toBeUndefined()
  expect(placeOf(-90, 0)).toBeUndefined()
  expect(placeOf(MAX_LATITUDE, 0)!.y).toBeCloseTo(0, 9)
})

test('the codes of a tile are those of its places, and of no other tile', () => {
  fc.assert(
    fc.property(place, place, zoom, (one, other, z) => {
      const [from, to] = codesIn(tileOf(one, z))
      const isSame = tileOf(one, z).x === tileOf(other, z).x && tileOf(one, z).y === tileOf(other, z).y
      const code = codeOf(other)
      expect(code >= from && code < to).toBe(isSame)
    }),
  )
})

/** A set of points and the same in a map, after some changes. */
const changes = fc.array(
  fc.record({ key: fc.integer({ min: 1, max: 40 }), place: fc.option(place, { nil: undefined }) }),
  { maxLength: 60 },
)
const points = fc.array(place, { maxLength: 30 })

async function made(
  initial: { x: number; y: number }[],
  later: { key: number; place: Point | { x: number; y: number } | undefined }[],
) {
  const all = initial.map((at, i): Point => ({ key: i + 1, ...at }))
  const set = pointSet(await sortPoints(all, all.length))
  const known = new Map(all.map((point) => [point.key, point]))
  for (const { key, place: at } of later) {
    const before = set.put(key, at && { key, x: at.x, y: at.y })
    const expected = known.get(key)
    expect(before && { x: before.x, y: before.y }).toEqual(expected && { x: expected.x, y: expected.y })
    if (at) known.set(key, { key, x: at.x, y: at.y })
    else known.delete(key)
  }
  return { set, known: [...known.values()] }
}
const inTile = (point: Point, { z, x, y }: TileAt) => tileOf(point, z).x === x && tileOf(point, z).y === y
const byKey = (a: Point, b: Point) => a.key - b.key

test('the points of a tile are those that lie in it, after any changes', async () => {
  await fc.assert(
    fc.asyncProperty(points, changes, place, zoom, async (initial, later, at, z) => {
      const { set, known } = await made(initial, later)
      const tile = tileOf(at, z)
      const expected = known.filter((point) => inTile(point, tile)).sort(byKey)
      const found = set.pointsIn(tile, 1000)!.map(({ key, x, y }) => ({ key, x, y }))
      expect(found.sort(byKey)).toEqual(expected)
      expect(set.count).toBe(known.length)
      if (expected.length > 0) expect(set.pointsIn(tile, expected.length - 1)).toBeUndefined()
    }),
  )
})

test('each cell of a tile counts the points that lie in it, and is drawn at one of them', async () => {
  await fc.assert(
    fc.asyncProperty(points, changes, place, fc.integer({ min: 0, max: 18 }), async (initial, later, at, z) => {
      const { set, known } = await made(initial, later)
      const tile = tileOf(at, z)
      const cells = set.cellsIn(tile, 3)
      const counted = new Map<string, number>()
      const cellOf = (point: { x: number; y: number }) => JSON.stringify(tileOf(point, z + 3))
      for (const point of known)
        if (inTile(point, tile)) counted.set(cellOf(point), (counted.get(cellOf(point)) ?? 0) + 1)
      expect(new Map(cells.map(({ count, middle }) => [cellOf(middle), count]))).toEqual(counted)
      for (const { middle } of cells) expect(known).toContainEqual({ key: middle.key, x: middle.x, y: middle.y })
    }),
  )
})

test('points are the same after many changes, which sort them again', async () => {
  const at = (n: number) => ({ x: (n * 0.618_034) % 1, y: (n * 0.414_214) % 1 })
  const { set, known } = await made(
    Array.from({ length: 9000 }, (_, i) => at(i)),
    Array.from({ length: 9000 }, (_, i) => ({ key: i + 1, place: i % 3 === 0 ? undefined : at(i + 7) })),
  )
  for (let i = 0; i < 200; i++) await new Promise((resolve) => setImmediate(resolve))
  set.put(2, { key: 2, x: 0.1, y: 0.2 })
  const expected = known.map((point) => (point.key === 2 ? { key: 2, x: 0.1, y: 0.2 } : point)).sort(byKey)
  const found = set.pointsIn({ z: 0, x: 0, y: 0 }, 10_000)!.map(({ key, x, y }) => ({ key, x, y }))
  expect(found.sort(byKey)).toEqual(expected)
})
