import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startService } from '../../../test/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

test('the page of the API reference loads its scripts from this service', async () => {
  const page = await service.anonymous.get('/docs/')
  const sources = [...String(page.body).matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, source]) => source!)
  expect(sources).toContain('scalar/js/scalar.js')
  for (const source of sources) {
    const { status, body, headers } = await service.anonymous.get(new URL(source, `${service.url}/docs/`).pathname)
    expect([source, status, headers.get('content-type')]).toEqual([source, 200, expect.stringContaining('javascript')])
    expect(body.length).toBeGreaterThan(1000)
  }
})

test.each(['/docs/scalar', '/docs/scalar/'])('%s leads to the page', async (path) => {
  const response = await fetch(service.url + path, { redirect: 'manual' })
  expect([response.status, response.headers.get('location')]).toEqual([302, '/docs/'])
})
