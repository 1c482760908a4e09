import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type Service, startService } from '../../test/service.ts'
import { sqlOn } from '../../test/sql.ts'
import { manyGcps } from '../../test/surveying/many-gcps.ts'
import { PAGE_BYTES } from './items.ts'

const SMALL = 1200
const LARGE = 200
const URL_BYTES = 2000

let service: Service
beforeAll(async () => {
  service = await startService()
  await manyGcps(service, SMALL)
})
afterAll(() => service.stop())

const items = async (query: string): Promise<Answer['body'] & { bytes: number }> => {
  const { status, body } = await service.anonymous.get(`/ogc/collections/gcps/items${query}`)
  expect(status).toBe(200)
  return { ...body, bytes: JSON.stringify(body).length }
}
const nextOf = (body: Answer['body']): string | undefined => {
  const link = body.links.find(({ rel }: { rel: string }) => rel === 'next')
  return link && new URL(link.href).search
}
/** All pages from a query on. */
async function pagesFrom(query: string) {
  const pages = []
  for (let next: string | undefined = query; next !== undefined; ) {
    const page: Answer['body'] = await items(next)
    pages.push(page)
    next = nextOf(page)
  }
  return pages
}
const idsOf = (pages: Answer['body'][]) => pages.flatMap(({ features }) => features.map(({ id }: { id: number }) => id))

describe('a page of features', () => {
  test('has 1,000 unless the request says otherwise, and the rest follows by the link next', async () => {
    const pages = await pagesFrom('')
    expect(pages.map(({ numberReturned }) => numberReturned)).toEqual([1000, 200])
    expect(new Set(idsOf(pages)).size).toBe(SMALL)
  })

  test('says how many there are in all of the GCPs, of a zone’s GCPs and of the zones, however many', async () => {
    const matched = async (path: string) =>
      (await service.anonymous.get(`/ogc/collections/${path}${path.includes('?') ? '&' : '?'}limit=1`)).body
        .numberMatched
    expect(await matched('gcps/items')).toBe(SMALL)
    const sql = sqlOn(service)
    const [{ id }] = (await sql<{ id: number }>(`insert into zones (title) values ('Z') returning id`)) as [
      { id: number },
    ]
    await sql(`update gcps set zone_id = $1 where id % 2 = 0`, [id])
    expect(await matched(`gcps/items?zoneId=${id}`)).toBe(SMALL / 2)
    expect(await matched('zones/items')).toBe(1)
    expect(await matched('gcps/items?zoneId=999999')).toBe(0)
    await sql(
      `insert into gcps (title, title_key, gcp_type) select 'bare', 'bare', 'SINGLE' from generate_series(1, 5001)`,
    )
    expect(await matched('gcps/items')).toBe(SMALL + 5001)
    await sql(`delete from gcps where title = 'bare'`)
  })

  test('has as many as limit says, to the last, and no next where there are no more', async () => {
    for (const limit of [1, 250, 251, 999, 1199, 1200, 1201, 10_000]) {
      const page = await items(`?limit=${limit}`)
      expect([limit, page.numberReturned]).toEqual([limit, Math.min(limit, SMALL)])
      expect([limit, nextOf(page) !== undefined]).toEqual([limit, limit < SMALL])
    }
  })

  test('of large features ends before its limit, and the pages together have each feature once', {
    tags: ['long'],
  }, async () => {
    await manyGcps(service, LARGE, `array_fill('https://a.example/' || repeat('x', ${URL_BYTES}), array[100])`)
    const pages = await pagesFrom('?limit=10000')
    expect(pages.length).toBeGreaterThan(1)
    // A batch that is being read when the page is full is still sent.
    for (const { bytes } of pages) expect(bytes).toBeLessThan(1.3 * PAGE_BYTES)
    const ids = idsOf(pages)
    expect(ids).toHaveLength(SMALL + LARGE)
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b))
    expect(pages.at(-1).features.at(-1).properties.photoUrls).toHaveLength(100)
  })
})
