import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startService } from '../../test/service.ts'
import { sqlOn } from '../../test/sql.ts'

const PINS = 2500
const ZONES = 40

let service: Service
let sql: ReturnType<typeof sqlOn>
beforeAll(async () => {
  service = await startService()
  sql = sqlOn(service)
  await sql(
    `insert into pins (title, content_type, latitude, longitude)
     select 'Größe "' || i || '" 𝄞 \\' || repeat('ß', i % 99), 'GLB', 46 + i * 1e-4, 6 + i * 0.02 from generate_series(1, ${PINS}) i
      where i % 3 > 0 or i < 2000`,
  )
  // Each of 60 KB as GeoJSON: a batch of them is cut.
  await sql(
    `insert into zones (title, boundary)
     select 'Zone ' || i, jsonb_build_object('type', 'Polygon', 'coordinates', jsonb_build_array(
              (select jsonb_agg(jsonb_build_array(10 + cos(n % 1500 * pi() / 750), 50 + sin(n % 1500 * pi() / 750)) order by n)
                 from generate_series(0, 1500) n)))
       from generate_series(1, ${ZONES}) i`,
  )
})
afterAll(() => service.stop())

type Page = { features: string; returned: number; next: string | undefined }

/** A page of features, whose JSON stays as it was sent. */
async function pageOf(path: string): Promise<Page> {
  const response = await fetch(service.url + path)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/geo+json')
  const text = await response.text()
  const [, features] = /^\{"type":"FeatureCollection","features":\[(.*)\],"numberReturned":/s.exec(text)!
  const body = JSON.parse(text)
  const next = body.links.find(({ rel }: { rel: string }) => rel === 'next')?.href
  return {
    features: features!,
    returned: body.numberReturned,
    next: next && new URL(next).pathname + new URL(next).search,
  }
}

async function pagesFrom(path: string): Promise<Page[]> {
  const pages: Page[] = []
  for (let next: string | undefined = path; next !== undefined; next = pages.at(-1)!.next)
    pages.push(await pageOf(next))
  return pages
}

/** When the thread of large reads began its last statement; null if it has no connection. */
const lastOfThread = async () =>
  (
    await sql<{ last: string | null }>(
      `select max(query_start)::text as last from pg_stat_activity
        where application_name = 'cairn-bulk' and datname = current_database()`,
    )
  )[0]!.last

test.each([
  ['pins/items?', 200, 10_000],
  ['pins/items?', 200, 2000],
  ['pins/items?properties=title&bbox=6,46,60,47&', 200, 1200],
  ['zones/items?', 5, 100],
  ['zones/items?bbox=9,49,11,51&', 5, 100],
])(
  'a long page of %s is read in the thread, and has the bytes of short pages, read without it',
  async (list, few, many) => {
    const path = `/ogc/collections/${list}limit=`
    // The first search loads the boundaries that it tests, which is in the thread too.
    await pageOf(path + many)
    const before = await lastOfThread()
    const short = await pagesFrom(path + few)
    expect([before, null]).toContain(await lastOfThread())
    const long = await pagesFrom(path + many)
    expect([before, null]).not.toContain(await lastOfThread())
    expect(long.length).toBeLessThan(short.length / 3)
    expect(long.map(({ features }) => features).join(',')).toBe(short.map(({ features }) => features).join(','))
    const returned = (pages: Page[]) => pages.reduce((sum, page) => sum + page.returned, 0)
    expect(returned(long)).toBe(returned(short))
  },
)

test('a long page as HTML has the first features', async () => {
  const response = await fetch(`${service.url}/ogc/collections/zones/items?limit=100&f=html`)
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('Zone 40')])
})
