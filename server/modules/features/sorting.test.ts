import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'

type Feature = { id: number; properties: Record<string, string | number | null> }

let service: Service
let user: Caller
let features: Feature[]
beforeAll(async () => {
  service = await startService()
  user = await buildersOn(service).user()
  const titles = ['b', 'a', 'B', 'é', 'a', 'Z']
  for (let n = 0; n < 30; n++)
    await user.post('/api/gcp', {
      title: titles[n % titles.length],
      gcpType: n % 2 ? 'MULTI' : 'SINGLE',
      description: n % 3 === 0 ? null : titles[(n * 5) % titles.length],
      altitude: n % 4 === 0 ? null : ((n * 7) % 5) - 2.5,
    })
  features = (await service.anonymous.get('/ogc/collections/gcps/items?limit=100')).body.features
})
afterAll(() => service.stop())

/** The IDs of all pages. */
async function all(collection: string, query: Record<string, string>): Promise<number[]> {
  const ids: number[] = []
  let next = `${service.url}/ogc/collections/${collection}/items?${new URLSearchParams(query)}`
  while (next) {
    const { status, body } = await service.anonymous.get(next)
    expect({ status, error: body.error }).toEqual({ status: 200, error: undefined })
    ids.push(...body.features.map(({ id }: Feature) => id))
    next = body.links.find(({ rel }: { rel: string }) => rel === 'next')?.href
  }
  return ids
}

/** How two features compare by a key: texts by code points, null last. */
function compared(one: Feature, other: Feature, key: string): number {
  const name = key.replace(/^[+-]/, '')
  const [a, b] = [one.properties[name]!, other.properties[name]!]
  if (a === b) return 0
  if (a === null) return 1
  if (b === null) return -1
  return (a < b ? -1 : 1) * (key.startsWith('-') ? -1 : 1)
}

describe('sortby', () => {
  test('sorts as comparing the features does, over pages of any size', { tags: ['long'] }, async () => {
    const name = fc.constantFrom('title', 'description', 'gcpType', 'altitude', 'createdAt')
    const keys = fc
      .uniqueArray(name, { minLength: 1, maxLength: 4 })
      .chain((names) => fc.tuple(...names.map((one) => fc.constantFrom('', '+', '-').map((sign) => sign + one))))
    await fc.assert(
      fc.asyncProperty(keys, fc.constantFrom(1, 4, 7, 100), async (sortby, limit) => {
        const order = features.toSorted(
          (one, other) => sortby.map((key) => compared(one, other, key)).find((n) => n !== 0) ?? one.id - other.id,
        )
        expect(await all('gcps', { sortby: sortby.join(), limit: String(limit) })).toEqual(order.map(({ id }) => id))
      }),
      { numRuns: 25 },
    )
  })

  test('joins a filter, a bbox and the choice of properties', async () => {
    const made: number[] = []
    for (const [title, west] of [
      ['n', 40],
      ['m', 41],
      ['o', 60],
    ] as const) {
      const ring = [
        [west, 0],
        [west + 1, 0],
        [west + 1, 1],
        [west, 0],
      ]
      const boundary = { type: 'Polygon', coordinates: [ring] }
      made.push((await user.post('/api/zones', { title, boundary })).body.id)
    }
    const [n, m, o] = made
    expect(await all('zones', { sortby: 'title' })).toEqual([m, n, o])
    expect(await all('zones', { sortby: '-title', bbox: '39,-1,45,2', limit: '1', properties: 'title' })).toEqual([
      n,
      m,
    ])
    expect(await all('zones', { sortby: '-title', filter: `title <> 'n'` })).toEqual([o, m])
  })

  test('is listed with its properties, and linked', async () => {
    const { body } = await service.anonymous.get('/ogc/collections/gcps')
    const { href } = body.links.find(({ rel }: { rel: string }) => rel.endsWith('/rel/ogc/1.0/sortables'))
    const { body: sortables, headers } = await service.anonymous.get(href)
    expect(headers.get('content-type')).toBe('application/schema+json')
    expect(sortables).toMatchObject({ type: 'object', $id: href, additionalProperties: false })
    for (const name of Object.keys(sortables.properties))
      expect((await service.anonymous.get(`/ogc/collections/gcps/items?sortby=-${name}`)).status, name).toBe(200)
  })

  test.each([
    ['sortby=colour', 'sortby'],
    ['sortby=title,-title', 'sortby'],
    ['sortby=title,description,altitude,createdAt,updatedAt', 'sortby'],
    ['sortby=geometry', 'sortby'],
    [`sortby=title&cursor=${Buffer.from('[5]').toString('base64url')}`, 'cursor'],
    [`sortby=createdAt&cursor=${Buffer.from('[["now"],5]').toString('base64url')}`, 'cursor'],
    [`sortby=altitude&cursor=${Buffer.from('[["1e999"],5]').toString('base64url')}`, 'cursor'],
    [`cursor=${Buffer.from('[["a"],5]').toString('base64url')}`, 'cursor'],
  ])('%s is 400', async (query, path) => {
    const { status, body } = await service.anonymous.get(`/ogc/collections/gcps/items?${query}`)
    expect({ status, path: body.error[0].path }).toEqual({ status: 400, path: [path] })
  })
})
