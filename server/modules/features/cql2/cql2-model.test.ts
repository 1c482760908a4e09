// @module-tag long
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { holds, type Seen } from '../../../test/gis-filter.ts'
import { textOf } from '../../../test/ogc/cql2-text.ts'
import { type Service, startService } from '../../../test/service.ts'
import type { Expression, GeometryLiteral, Operand } from './expression.ts'

let service: Service
const seen: Record<string, (Seen & { id: number })[]> = {}
const TEXTS = ['a', 'B', 'ab', "it's 50 %", 'é_x', 'a\nb', '"q"', 'c\\']
const NUMBERS = [-2.5, 0, 1, 7, 12.25]

/** A number that looks random and is the same in every run. */
const pick = <Item>(items: Item[], n: number): Item => items[(n * 7919 + (n >> 2)) % items.length]!

beforeAll(async () => {
  service = await startService()
  const user = await buildersOn(service).user()
  for (let n = 0; n < 60; n++) {
    const at = n % 5 !== 0 && {
      position: { lat: n % 7, lon: (n * 3) % 8, h: 1 },
      angles: { yaw: 0, pitch: 0, roll: 0 },
    }
    await user.post('/api/gcp', {
      title: pick(TEXTS, n),
      gcpType: n % 3 === 0 ? 'MULTI' : 'SINGLE',
      description: n % 4 === 0 ? null : pick(TEXTS, n + 3),
      altitude: n % 6 === 0 ? null : pick(NUMBERS, n),
      ...(at && { geoPose: at }),
    })
    const [west, south, size] = [n % 6, (n * 5) % 7, 1 + (n % 2)]
    const ring = [
      [west, south],
      [west + size, south],
      [west + size, south + size],
      [west, south + size],
      [west, south],
    ]
    await user.post('/api/zones', {
      title: pick(TEXTS, n),
      description: n % 4 === 0 ? null : pick(TEXTS, n + 1),
      boundary: n % 5 === 0 ? null : { type: 'Polygon', coordinates: [ring] },
    })
  }
  for (const id of ['gcps', 'zones'])
    seen[id] = (await service.anonymous.get(`/ogc/collections/${id}/items?limit=1000`)).body.features
})
afterAll(() => service.stop())

const TYPES: Record<string, Record<'text' | 'number' | 'instant', string[]>> = {
  gcps: { text: ['title', 'description', 'gcpType'], number: ['altitude'], instant: ['createdAt', 'updatedAt'] },
  zones: { text: ['title', 'description'], number: [], instant: ['createdAt', 'updatedAt'] },
}

function expressionsOn(collection: string): fc.Arbitrary<Expression> {
  const names = TYPES[collection]!
  const times = seen[collection]!.map(({ properties }) => ({ timestamp: properties.createdAt as string }))
  const kinds = [
    [names.text, fc.constantFrom<Operand[]>(...TEXTS, 'SINGLE', 'z')],
    [names.number, fc.constantFrom<Operand[]>(...NUMBERS, 3)],
    [names.instant, fc.constantFrom<Operand[]>(...times)],
  ].filter(([of]) => (of as string[]).length > 0) as [string[], fc.Arbitrary<Operand>][]
  const propertyOf = (of: string[]) => fc.constantFrom(...of).map((property) => ({ property }))

  const comparisons = kinds.flatMap(([of, literal]) => {
    const property = propertyOf(of)
    const other = fc.oneof(
      { weight: 4, arbitrary: literal },
      { weight: 1, arbitrary: property as fc.Arbitrary<Operand> },
    )
    const op = fc.constantFrom('=', '<>', '<', '>', '<=', '>=')
    return [
      fc.record({ op, args: fc.tuple(property, other) }),
      fc.record({ op: fc.constant('in'), args: fc.tuple(property, fc.array(literal, { minLength: 1, maxLength: 4 })) }),
      fc.record({ op: fc.constant('between'), args: fc.tuple(property, literal, literal) }),
    ] as fc.Arbitrary<Expression>[]
  })
  const pattern = fc
    .array(fc.constantFrom('%', '_', 'a', 'b', 'B', "'", '\\%', 'é', ' '), { maxLength: 4 })
    .map((parts) => parts.join(''))
  const like = fc.record({ op: fc.constant('like'), args: fc.tuple(propertyOf(names.text), pattern) })
  const isNull = fc.record({
    op: fc.constant('isNull'),
    args: fc.tuple(propertyOf([...names.text, ...names.number, 'geometry'])),
  })
  const spatial = fc.tuple(geometryOn(collection), fc.boolean()).map(([geometry, isFirst]) => {
    const property = { property: 'geometry' }
    return { op: 's_intersects', args: isFirst ? [geometry, property] : [property, geometry] }
  })
  const leaf = fc.oneof(...comparisons, like, isNull, spatial, fc.boolean()) as fc.Arbitrary<Expression>
  const { tree } = fc.letrec<{ tree: Expression }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      leaf,
      fc.record({ op: fc.constantFrom('and', 'or'), args: fc.array(tie('tree'), { minLength: 2, maxLength: 3 }) }),
      fc.record({ op: fc.constant('not'), args: fc.tuple(tie('tree')) }),
    ) as fc.Arbitrary<Expression>,
  }))
  return tree.filter((expression) => collection === 'gcps' || JSON.stringify(expression).split('s_inters').length < 6)
}

function geometryOn(collection: string): fc.Arbitrary<GeometryLiteral> {
  const whole = fc.integer({ min: 0, max: 8 })
  const point = fc.tuple(whole, whole).map((coordinates) => ({ type: 'Point' as const, coordinates }))
  const box = fc
    .tuple(whole, whole, whole, whole)
    .map(([a, b, c, d]) => ({ bbox: [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)] }))
  const triangle = fc
    .tuple(whole, whole, whole, whole, whole, whole)
    .filter(([a, b, c, d, e, f]) => (c - a) * (f - b) !== (e - a) * (d - b))
    .map(([a, b, c, d, e, f]) => ({
      type: 'Polygon' as const,
      coordinates: [
        [
          [a, b],
          [c, d],
          [e, f],
          [a, b],
        ],
      ],
    }))
  return collection === 'zones' ? fc.oneof(point, box) : fc.oneof(point, box, triangle)
}

test.each(['gcps', 'zones'])(
  'a filter of %s selects what the rules of CQL2 say, in both languages',
  async (collection) => {
    await fc.assert(
      fc.asyncProperty(expressionsOn(collection), async (expression) => {
        const expected = seen[collection]!.filter((feature) => holds(expression, feature) === true).map(({ id }) => id)
        for (const [lang, filter] of [
          ['cql2-text', textOf(expression)],
          ['cql2-json', JSON.stringify(expression)],
        ] as const) {
          const query = new URLSearchParams({ limit: '1000', filter, 'filter-lang': lang })
          const { status, body } = await service.anonymous.get(`/ogc/collections/${collection}/items?${query}`)
          expect({ status, error: body.error, filter }).toEqual({ status: 200, error: undefined, filter })
          expect({ filter, ids: body.features.map(({ id }: { id: number }) => id) }).toEqual({ filter, ids: expected })
        }
      }),
      { numRuns: Number(process.env.CAIRN_TEST_ROUNDS ?? 250) },
    )
  },
)
