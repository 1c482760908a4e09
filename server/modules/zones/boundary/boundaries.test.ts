import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { type Caller, type Service, startService } from '../../../test/service.ts'

let service: Service
let user: Caller
beforeAll(async () => {
  service = await startService()
  user = await buildersOn(service).user()
})
afterAll(() => service.stop())

type Position = [number, number]
type Ring = Position[]
const rectangle = (west: number, south: number, east: number, north: number): Ring => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
]
const closed = (...positions: Position[]): Ring => [...positions, positions[0]!]
const polygon = (...coordinates: Ring[]) => ({ type: 'Polygon', coordinates })
const multi = (...coordinates: Ring[][]) => ({ type: 'MultiPolygon', coordinates })
const yard = rectangle(0, 0, 10, 10)

/** @returns 201, or the place in the coordinates and the sentence of what is wrong. */
async function sent(boundary: unknown): Promise<201 | [path: unknown[], message: string]> {
  const { status, body } = await user.post('/api/zones', { title: 'Zone', boundary })
  if (status === 201) {
    expect(body.boundary).toEqual(boundary)
    return 201
  }
  expect([status, body.error.length, body.error[0].path.slice(0, 2)]).toEqual([400, 1, ['boundary', 'coordinates']])
  return [body.error[0].path.slice(2), body.error[0].message]
}

describe('a boundary', () => {
  test.each<[string, unknown]>([
    ['is counter-clockwise outside', polygon(yard)],
    ['is clockwise outside too, as files before RFC 7946 have it', polygon(yard.toReversed())],
    ['has holes, in either direction', polygon(yard, rectangle(1, 1, 2, 2), rectangle(3, 3, 4, 4).toReversed())],
    ['has heights', { type: 'Polygon', coordinates: [yard.map((position) => [...position, 30])] }],
    ['says a position twice in a row', polygon(closed([0, 0], [0, 0], [5, 0], [5, 5], [5, 5], [0, 0]))],
    ['has positions along a straight side', polygon(closed([0, 0], [1, 0], [2, 0], [2, 2]))],
    ['has a hole that touches it in a point', polygon(yard, closed([0, 5], [2, 4], [2, 6]))],
    ['has holes that touch each other in a point', polygon(yard, rectangle(1, 1, 2, 2), rectangle(2, 2, 3, 3))],
    ['is of several parts', multi([yard], [rectangle(20, 0, 30, 10)])],
    ['has parts that touch in points', multi([yard], [rectangle(10, 10, 20, 20)])],
    ['has an island in a hole', multi([yard, rectangle(1, 1, 9, 9)], [rectangle(2, 2, 8, 8)])],
    ['fills a hole up to its corners', multi([yard, rectangle(1, 1, 9, 9)], [closed([1, 5], [5, 1], [9, 5], [5, 9])])],
    ['is cut in two at 180 degrees', multi([rectangle(179, 0, 180, 1)], [rectangle(-180, 0, -179, 1)])],
    ['is the whole earth', polygon(rectangle(-180, -90, 180, 90))],
    ['goes the long way round by steps', polygon(closed([-170, 0], [0, 0], [170, 0], [170, 1], [0, 1], [-170, 1]))],
  ])('may be one that %s', async (_, boundary) => {
    expect(await sent(boundary)).toBe(201)
  })

  test.each<[string, unknown, unknown[], RegExp]>([
    ['is open', polygon(yard.slice(0, 4)), [0, 3], /must be closed/],
    ['has three positions', polygon(closed([0, 0], [1, 1])), [0], /at least four positions/],
    ['is a line', polygon(closed([0, 0], [1, 1], [0, 0])), [0], /three different positions/],
    ['is flat', polygon(closed([0, 0], [1, 1], [2, 2])), [0, 0], /straight back/],
    ['has latitude first', polygon(closed([52, 113], [53, 113], [53, 114])), [0, 0, 1], /longitude first/],
    ['is in metres', polygon(rectangle(389_000, 5_819_000, 390_000, 5_820_000)), [0, 0, 1], /are degrees/],
    ['goes beyond 180', polygon(rectangle(179, 0, 181, 1)), [0, 1, 0], /cut the boundary at 180°/],
    ['jumps across 180', polygon(rectangle(179, 0, -179, 1)), [0, 1], /two polygons of a MultiPolygon/],
    [
      'crosses itself',
      polygon(closed([0, 0], [4, 4], [4, 0], [0, 4])),
      [0, 2],
      /line after position 2 and the one after position 0 cross/,
    ],
    ['has a spike', polygon(closed([0, 0], [4, 0], [8, 0], [4, 0], [4, 4])), [0, 2], /straight back/],
    ['touches itself', polygon(closed([0, 0], [4, 0], [4, 4], [2, 0], [0, 4])), [0, 2], /must not touch itself/],
    ['runs through itself', polygon(closed([0, 0], [2, 2], [4, 0], [4, 4], [2, 2], [0, 4])), [0, 3], /touch/],
    ['has a hole across its side', polygon(yard, rectangle(5, 5, 15, 6)), [1, 0], /hole must not leave/],
    ['has a hole along its side', polygon(yard, rectangle(0, 5, 5, 6)), [1, 3], /overlap/],
    ['has a hole outside', polygon(yard, rectangle(20, 0, 21, 1)), [1], /hole must lie inside/],
    ['has its outer ring second', polygon(rectangle(1, 1, 2, 2), yard), [1], /first ring/],
    [
      'has a hole that leaves it at a corner',
      polygon(yard, closed([10, 5], [8, 8], [12, 8], [12, 5.5])),
      [1, 1],
      /cross/,
    ],
    [
      'has a hole that crosses it in corners alone',
      polygon(closed([0, 0], [5, 0], [10, 0], [10, 5], [10, 10], [0, 10]), closed([5, 0], [10, 5], [12, -2])),
      [1],
      /pass through/,
    ],
    ['has a hole in a hole', polygon(yard, rectangle(1, 1, 9, 9), rectangle(2, 2, 3, 3)), [2], /inside another/],
    ['has a hole that cuts it in two', polygon(yard, closed([0, 5], [5, 4], [10, 5], [5, 6])), [1], /into pieces/],
    ['has holes that fence a piece in', polygon(yard, closed([0, 4], [3, 3], [4, 0], [3.5, 3.5])), [1], /into pieces/],
    ['has overlapping parts', multi([yard], [rectangle(5, 5, 15, 15)]), [1, 0, 0], /overlap/],
    ['has a part twice', multi([yard], [yard]), [1, 0, 0], /overlap/],
    ['has a part in a part', multi([yard], [rectangle(1, 1, 2, 2)]), [1], /lies inside polygon 0/],
    ['has parts that share a side', multi([yard], [rectangle(10, 0, 20, 10)]), [1, 0, 3], /merge them/],
    ['has too many positions', polygon(Array.from({ length: 10_001 }, (_, i): Position => [i % 180, 0])), [], /10000/],
  ])('may not be one that %s', async (_, boundary, path, message) => {
    expect(await sent(boundary)).toEqual([path, expect.stringMatching(message)])
  })

  test('of another kind, or with figures that no map has, is refused', async () => {
    const wrong: [unknown, string[]][] = [
      [{ type: 'Point', coordinates: [1, 2] }, ['boundary']],
      [{ type: 'Feature', geometry: polygon(yard) }, ['boundary']],
      [{ type: 'Polygon' }, ['boundary', 'coordinates']],
      ['POLYGON((0 0, 1 0, 1 1, 0 0))', ['boundary']],
    ]
    for (const [boundary, path] of wrong) {
      const { status, body } = await user.post('/api/zones', { title: 'Zone', boundary })
      expect([status, body.error[0].path.slice(0, path.length)]).toEqual([400, path])
    }
    const huge =
      '{"title": "Zone", "boundary": {"type": "Polygon", "coordinates": [[[1e999, 0], [1, 1], [0, 1], [0, 0]]]}}'
    const { status } = await service
      .as({ ...user.headers, 'content-type': 'application/json' })
      .post('/api/zones', huge)
    expect(status).toBe(400)
  })

  test('of ten thousand positions is taken, and one crossing among them found', async () => {
    const round = Array.from({ length: 9_999 }, (_, i): Position => {
      const angle = (2 * Math.PI * i) / 9_999
      return [10 + Math.cos(angle), 50 + Math.sin(angle)]
    })
    expect(await sent(polygon(closed(...round)))).toBe(201)
    const [one, other] = [round[5_000]!, round[5_001]!]
    const crossed = round.with(5_000, other).with(5_001, one)
    expect(await sent(polygon(closed(...crossed)))).toEqual([[0, 5_001], expect.stringContaining('cross')])
  })

  test.each([0, 1, 14, 15, 16, 17, 150, 284, 285, 298, 299])(
    'of which position %i of 300 lies beyond the far side is refused for the lines that cross there',
    async (moved) => {
      const at = (i: number, radius: number): Position => {
        const angle = (2 * Math.PI * i) / 300
        return [10 + radius * Math.cos(angle), 50 + radius * Math.sin(angle)]
      }
      const round = Array.from({ length: 300 }, (_, i) => at(i, i === moved ? -1.5 : 1))
      const [place, message] = (await sent(polygon(closed(...round)))) as [[number, number], string]
      expect(message).toContain('cross')
      // The second of the two lines that cross.
      const crossed = [moved + 299, moved, moved + 149, moved + 150].map((i) => i % 300)
      expect(crossed).toContain(place[1])
    },
  )

  test.each([
    ['is taken', 0, 201],
    [
      'whose last turn crosses the one before is refused',
      1.5,
      [[0, expect.any(Number)], expect.stringContaining('cross')],
    ],
  ])('that winds in a spiral %s', async (_, inwards, expected) => {
    const turns = 150
    /** The corners of a square spiral, from its middle. */
    const side = (half: number): Position[] =>
      Array.from({ length: 4 * turns }, (_, i) => {
        const reach = Math.floor(i / 4) + 1 + half - (i === 4 * turns - 1 ? inwards : 0)
        const [x, y] = [
          [1, -1],
          [1, 1],
          [-1, 1],
          [-1, -1],
        ][i % 4]!
        return [10 + (x! * reach) / 1000, 50 + (y! * (reach + (i % 4 === 3 ? 1 : 0))) / 1000]
      })
    expect(await sent(polygon(closed(...side(0), ...side(0.25).reverse())))).toEqual(expected)
  })

  test('whose lines crowd so that telling them apart would take long is refused; many are taken', {
    tags: ['long'],
  }, async () => {
    /** Triangles around a point that all of them touch. */
    const fan = (count: number) =>
      multi(
        ...Array.from({ length: count }, (_, i) => {
          const corner = (turn: number): Position => [
            Math.cos((turn * Math.PI) / count),
            Math.sin((turn * Math.PI) / count),
          ]
          return [closed([0, 0], corner(2 * i), corner(2 * i + 1))]
        }),
      )
    expect(await sent(fan(400))).toBe(201)
    expect(await sent(fan(2400))).toEqual([
      [expect.any(Number), 0, expect.any(Number)],
      expect.stringContaining('too many'),
    ])
  })

  test('of one ring is taken just when no two of its sides meet but neighbours in their corner', {
    tags: ['long'],
  }, async () => {
    const figure = fc.integer({ min: 0, max: 4 })
    const positions = fc.array(fc.tuple(figure, figure), { minLength: 3, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(positions, async (ring) => {
        const answer = await sent(polygon(closed(...(ring as Position[]))))
        expect(answer === 201).toBe(isSimple(ring as Position[]))
      }),
      { numRuns: 400 },
    )
  })
})

/** The rule by counting: every side of a ring on whole numbers against every other. */
function isSimple(ring: Position[]): boolean {
  const points = ring.filter((point, i) => String(point) !== String(ring.at(i - 1)))
  if (points.length < 3) return false
  const at = (i: number) => points[i % points.length]!
  const turn = (a: Position, b: Position, c: Position) =>
    Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
  const on = (a: Position, b: Position, p: Position) =>
    turn(a, b, p) === 0 && (p[0] - a[0]) * (p[0] - b[0]) <= 0 && (p[1] - a[1]) * (p[1] - b[1]) <= 0
  const meet = (a: Position, b: Position, c: Position, d: Position) =>
    (turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0) ||
    on(a, b, c) ||
    on(a, b, d) ||
    on(c, d, a) ||
    on(c, d, b)
  for (let i = 0; i < points.length; i++) {
    if (on(at(i), at(i + 1), at(i + 2)) || on(at(i + 1), at(i + 2), at(i))) return false
    for (let j = i + 2; j < points.length; j++) {
      const neighbours = (j + 1) % points.length === i
      if (!neighbours && meet(at(i), at(i + 1), at(j), at(j + 1))) return false
    }
  }
  return true
}
