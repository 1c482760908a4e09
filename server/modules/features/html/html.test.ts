import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { type Service, startService } from '../../../test/service.ts'

let service: Service
let gcp: number
beforeAll(async () => {
  service = await startService()
  const user = await buildersOn(service).user()
  for (let n = 0; n < 51; n++)
    await user.post('/api/location/pins', { title: `Pin ${n}`, contentType: 'GLB', latitude: 1, longitude: n })
  const point = {
    title: '<script>alert("1")</script>',
    gcpType: 'SINGLE',
    photoUrls: ['https://a.example/1.jpg?a=1&b=2'],
    geoPose: { position: { lat: 1, lon: 2, h: 3 }, angles: { yaw: 0, pitch: 0, roll: 0 } },
  }
  gcp = (await user.post('/api/gcp', point)).body.gcp.id
})
afterAll(() => service.stop())

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
const page = async (path: string, headers: Record<string, string> = {}) => {
  const { status, body, headers: sent } = await service.as(headers).get(path)
  expect({ path, status, type: sent.get('content-type') }).toEqual({
    path,
    status: 200,
    type: 'text/html; charset=utf-8',
  })
  return { body: body as string, headers: sent }
}
const hrefs = (text: string): string[] =>
  [...text.matchAll(/href="([^"]+)"/g)].map(([, href]) => href!.replaceAll('&amp;', '&'))

test('every document is a page for a browser and with f=html, and JSON for others and with f=json', async () => {
  for (const rest of [
    '',
    '/api',
    '/conformance',
    '/collections',
    '/collections/gcps',
    '/collections/gcps/queryables',
    '/collections/gcps/schema',
    '/collections/gcps/items',
    `/collections/gcps/items/${gcp}`,
  ]) {
    const path = `/ogc${rest}`
    expect((await page(path, BROWSER)).body).toBe((await page(`${path}?f=html`)).body)
    for (const accept of ['', '*/*', 'application/geo+json, text/html']) {
      const { status, body, headers: sent } = await service.as({ accept }).get(path)
      expect([path, status, typeof body]).toEqual([path, 200, 'object'])
      expect(sent.get('vary')).toMatch(/\bAccept\b/i)
    }
    expect(typeof (await service.as(BROWSER).get(`${path}?f=json`)).body).toBe('object')
  }
})

test('the pages lead from the first to every feature, and back to JSON', async () => {
  const { origin } = new URL(service.url)
  const seen = new Set<string>()
  const open = [`${service.url}/ogc?f=html`]
  while (open.length > 0) {
    const href = open.pop()!
    if (seen.has(href) || !href.startsWith(`${origin}/ogc`)) continue
    seen.add(href)
    const { status, body } = await service.anonymous.get(href)
    expect([href, status]).toEqual([href, 200])
    if (typeof body === 'string') open.push(...hrefs(body))
  }
  const features = [...seen].filter((href) => /\/pins\/items\/\d+\?f=html$/.test(href))
  expect(features).toHaveLength(52)
  expect([...seen].some((href) => href.includes('cursor='))).toBe(true)
  expect([...seen].some((href) => href.endsWith('f=json'))).toBe(true)
})

test('a page shows the properties as text, addresses as links, and runs nothing', async () => {
  const { body, headers } = await page(`/ogc/collections/gcps/items/${gcp}?f=html`)
  expect(body).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;')
  expect(body).not.toContain('<script')
  expect(hrefs(body)).toContain('https://a.example/1.jpg?a=1&b=2')
  expect(headers.get('content-security-policy')).toContain("default-src 'none'")
})

test('a list of features takes the same filters, at most fifty a page', async () => {
  const { body } = await page('/ogc/collections/pins/items?f=html&limit=1000&sortby=-createdAt')
  expect(body.match(/<li>/g)).toHaveLength(50)
  const next = hrefs(body).find((href) => href.includes('cursor='))!
  expect((await page(next)).body.match(/<li>/g)).toHaveLength(2)
})

test('documents name their page as an alternate', async () => {
  for (const path of [
    '',
    '/collections',
    '/collections/pins',
    '/collections/pins/items',
    `/collections/gcps/items/${gcp}`,
  ]) {
    const { links } = (await service.anonymous.get(`/ogc${path}`)).body
    const alternate = links.find(({ rel }: { rel: string }) => rel === 'alternate')
    expect(alternate).toMatchObject({ type: 'text/html' })
    await page(alternate.href)
  }
})
