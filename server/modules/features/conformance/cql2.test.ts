// @module-tag long
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { textOf } from '../../../test/ogc/cql2-text.ts'
import { createLayers, LAYERS, type Layer } from '../../../test/ogc/layers.ts'
import { type Answer, type Service, startService } from '../../../test/service.ts'
import type { Expression, Operand } from '../cql2/expression.ts'

let service: Service
let ids: Record<Layer, number[]>
/** The queryables of each layer with a value of their type. */
const queryables = {} as Record<Layer, [property: Operand, value: Operand][]>
beforeAll(async () => {
  service = await startService()
  ids = await createLayers(await buildersOn(service).user())
  for (const layer of LAYERS) {
    const { properties } = (await service.anonymous.get(`/ogc/collections/${layer}/queryables`)).body
    queryables[layer] = Object.entries<Answer['body']>(properties).flatMap(([property, { type, format }]) =>
      type === undefined ? [] : [[{ property }, format === 'date-time' ? TIME : VALUES[type]!]],
    )
  }
})
afterAll(() => service.stop())

const TIME = { timestamp: '2022-04-14T14:48:46Z' }
const VALUES: Record<string, Operand> = { string: 'foo', number: 3.14, integer: 1 }
const OPERATORS = ['=', '<>', '<', '>', '<=', '>='] as const
type Operator = (typeof OPERATORS)[number]

const sent = (layer: Layer, filter: string, lang: string) =>
  service.anonymous.get(`/ogc/collections/${layer}/items?${new URLSearchParams({ filter, 'filter-lang': lang })}`)

/** What a filter selects, which is the same in both languages. */
async function selected(layer: Layer, expression: Expression): Promise<number[]> {
  const found = []
  for (const [lang, filter] of [
    ['cql2-text', textOf(expression)],
    ['cql2-json', JSON.stringify(expression)],
  ] as const) {
    const { status, body } = await sent(layer, filter, lang)
    expect([filter, status]).toEqual([filter, 200])
    found.push(body.features.map(({ id }: { id: number }) => id))
  }
  expect(found[0]).toEqual(found[1])
  return found[0]
}

/** What each operator selects between two operands. */
async function compared(layer: Layer, left: Operand, right: Operand): Promise<Record<Operator, number[]>> {
  const all = {} as Record<Operator, number[]>
  for (const op of OPERATORS) all[op] = await selected(layer, { op, args: [left, right] })
  return all
}
const common = (some: number[], others: number[]) => some.filter((id) => others.includes(id))

/** Each pair of a layer and a queryable in turn. */
async function eachQueryable(check: (layer: Layer, property: Operand, value: Operand) => Promise<void>) {
  for (const layer of LAYERS) for (const [property, value] of queryables[layer]) await check(layer, property, value)
}

describe('comparisons in CQL2', () => {
  test('exist for every layer: it has queryables with a type', () => {
    for (const layer of LAYERS) {
      expect(queryables[layer].length).toBeGreaterThan(0)
      for (const [property, value] of queryables[layer]) expect([property, value]).not.toContain(undefined)
    }
  })

  test('of a queryable with a value select nothing twice by an operator and its opposite, on either side', async () => {
    await eachQueryable(async (layer, property, value) => {
      const [right, left] = [await compared(layer, property, value), await compared(layer, value, property)]
      for (const all of [right, left]) {
        expect(common(all['='], all['<>'])).toEqual([])
        expect(common(all['>'], all['<='])).toEqual([])
        expect(common(all['<'], all['>='])).toEqual([])
      }
      expect(left['<']).toEqual(right['>'])
      expect(left['<=']).toEqual(right['>='])
    })
  })

  test('of a queryable with itself select what has a value, or nothing', async () => {
    await eachQueryable(async (layer, property) => {
      const all = await compared(layer, property, property)
      const present = await selected(layer, { op: 'not', args: [{ op: 'isNull', args: [property] }] })
      for (const op of ['=', '<=', '>='] as const) expect(all[op]).toEqual(present)
      for (const op of ['<>', '<', '>'] as const) expect(all[op]).toEqual([])
    })
  })

  test('of a value with itself select all, or nothing', async () => {
    for (const layer of LAYERS)
      for (const value of ['foo', true, 3.14, 1, TIME, { date: '2022-04-14' }]) {
        const all = await compared(layer, value, value)
        for (const op of ['=', '<=', '>='] as const) expect(all[op]).toEqual(ids[layer])
        for (const op of ['<>', '<', '>'] as const) expect(all[op]).toEqual([])
      }
  })

  test('with null divide the features', async () => {
    await eachQueryable(async (layer, property) => {
      const [absent, present] = [
        await selected(layer, { op: 'isNull', args: [property] }),
        await selected(layer, { op: 'not', args: [{ op: 'isNull', args: [property] }] }),
      ]
      expect([...absent, ...present].sort((a, b) => a - b)).toEqual(ids[layer])
      const { property: name } = property as { property: string }
      expect((await sent(layer, `${name} is not null`, 'cql2-text')).body.features.length).toBe(present.length)
    })
  })

  test('are joined: TRUE selects all, FALSE nothing, and NOT, AND and OR of any four hold', async () => {
    for (const layer of LAYERS) {
      expect(await selected(layer, true)).toEqual(ids[layer])
      expect(await selected(layer, false)).toEqual([])
      const predicates: Expression[] = queryables[layer].flatMap(([property, value], i): Expression[] => [
        { op: OPERATORS[i % 6]!, args: [property, value] },
        { op: 'isNull', args: [property] },
      ])
      predicates.push({ op: 's_intersects', args: [{ property: 'geometry' }, { bbox: [5, 52, 6, 53] }] })
      const sets = await Promise.all(predicates.map((predicate) => selected(layer, predicate)))
      for (let i = 0; i < 12; i++) {
        const [a, b, c, d] = [i, i + 3, i + 5, i + 8].map((n) => n % predicates.length) as [
          number,
          number,
          number,
          number,
        ]
        const both: Expression = { op: 'and', args: [predicates[a]!, predicates[b]!] }
        expect(await selected(layer, both)).toEqual(common(sets[a]!, sets[b]!))
        const either: Expression = { op: 'or', args: [predicates[c]!, predicates[d]!] }
        expect(await selected(layer, either)).toEqual(
          ids[layer].filter((id) => sets[c]!.includes(id) || sets[d]!.includes(id)),
        )
        await selected(layer, { op: 'or', args: [{ op: 'not', args: [both] }, { op: 'not', args: [either] }, both] })
      }
    }
  })
})

describe('the other operators in CQL2', () => {
  test('LIKE: % is any text, _ one character, and an escaped one itself', async () => {
    await eachQueryable(async (layer, property, value) => {
      if (typeof value !== 'string') return
      const like = (pattern: string) => selected(layer, { op: 'like', args: [property, pattern] })
      const [any, one, none, twice] = [await like('%'), await like('_%'), await like(''), await like('%%')]
      expect(common(one, none)).toEqual([])
      expect(twice).toEqual(any)
      expect(await like('\\%\\_')).toEqual([])
    })
  })

  test('BETWEEN takes both ends, and nothing where they are exchanged', async () => {
    await eachQueryable(async (layer, property, value) => {
      if (typeof value !== 'number') return
      const between = (low: number, high: number) => selected(layer, { op: 'between', args: [property, low, high] })
      const within: Expression[] = [
        { op: '>=', args: [property, 0] },
        { op: '<=', args: [property, 100] },
      ]
      expect(await between(0, 100)).toEqual(await selected(layer, { op: 'and', args: within }))
      expect(await between(100, 1)).toEqual([])
    })
  })

  test('IN selects what equals one of its values; times may be texts', async () => {
    await eachQueryable(async (layer, property, value) => {
      const lists: Record<string, Operand[][]> = {
        number: [[1, 2, 3]],
        string: [['foo', 'bar', 'A']],
        object: [['2022-04-14T14:52:56Z', '2022-04-14T15:52:56Z'], [TIME]],
      }
      for (const list of lists[typeof value]!) {
        const found = await selected(layer, { op: 'in', args: [property, list] })
        const each = list.map((one): Expression => ({ op: '=', args: [property, one] }))
        expect(found).toEqual(await selected(layer, each.length > 1 ? { op: 'or', args: each } : each[0]!))
      }
    })
  })

  test('S_INTERSECTS takes points and boxes on either side, and refuses a position that is not on earth', async () => {
    const geometry = { property: 'geometry' }
    for (const layer of LAYERS) {
      const placed = await selected(layer, { op: 'not', args: [{ op: 'isNull', args: [geometry] }] })
      const earth = { bbox: [-180, -90, 180, 90] }
      expect(await selected(layer, { op: 's_intersects', args: [geometry, earth] })).toEqual(placed)
      expect(await selected(layer, { op: 's_intersects', args: [earth, geometry] })).toEqual(placed)
      const point = { type: 'Point' as const, coordinates: [5.1, 52.1] }
      const held = layer === 'gcps' ? [] : [ids[layer][0]]
      expect(await selected(layer, { op: 's_intersects', args: [geometry, point] })).toEqual(held)
      const halves = [
        [-180, -90, -90, 90],
        [90, -90, 180, 90],
      ].map((bbox): Expression => ({ op: 's_intersects', args: [geometry, { bbox }] }))
      expect(await selected(layer, { op: 'and', args: halves })).toEqual([])
      expect((await sent(layer, 'S_INTERSECTS(geometry, POINT(90 180))', 'cql2-text')).status).toBe(400)
    }
  })

  test('a text has quotes and control characters by escaping them', async () => {
    const controls = '\x07\b\t\n\v\f\r'
    const [first] = ids.gcps
    const { body } = await (await buildersOn(service).user()).post('/ogc/collections/gcps/items', {
      type: 'Feature',
      geometry: null,
      properties: { title: 'E', gcpType: 'SINGLE', description: controls },
    })
    expect(body.id).toBeGreaterThan(first!)
    for (const filter of ["'\\a\\b\\t\\n\\v\\f\\r' = description", "description LIKE '\\a\\b\\t%'"])
      expect((await sent('gcps', filter, 'cql2-text')).body.features.map(({ id }: { id: number }) => id)).toEqual([
        body.id,
      ])
    for (const quote of ["''", "\\'"])
      expect((await sent('pins', `title = 'Kiel${quote}s harbour'`, 'cql2-text')).body.features).toHaveLength(1)
  })
})
