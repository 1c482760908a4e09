import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startService } from '../../test/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

test('/healthz and /readyz return 200 while everything works', async () => {
  expect(await service.anonymous.get('/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } })
  expect(await service.anonymous.get('/readyz')).toMatchObject({
    status: 200,
    body: { status: 'ok', checks: { database: 'ok', objects: 'ok' } },
  })
})

test('/metrics counts requests by route, not by URL', async () => {
  await service.anonymous.get('/api/v1/apps/01980000-0000-7000-8000-000000000000')
  const { status, body } = await service.anonymous.get('/metrics')
  expect(status).toBe(200)
  expect(body).toContain('cairn_http_request_seconds_count{method="GET",route="/api/v1/apps/:id",status="404"} 1')
  expect(body).not.toContain('01980000-0000')
})

test('/metrics is not available through a proxy nor, if a token is set, without it', async () => {
  expect(await service.as({ 'x-forwarded-for': '203.0.113.7' }).get('/metrics')).toMatchObject({ status: 401 })
  const guarded = await startService({ CAIRN_METRICS_TOKEN: 'a-token-of-the-tests' })
  expect(await guarded.anonymous.get('/metrics')).toMatchObject({ status: 401 })
  expect(await guarded.as({ authorization: 'Bearer a-token-of-the-tesst' }).get('/metrics')).toMatchObject({
    status: 401,
  })
  expect(await guarded.as({ authorization: 'Bearer a-token-of-the-tests' }).get('/metrics')).toMatchObject({
    status: 200,
  })
  await guarded.stop()
})

test('the root path redirects to the documentation', async () => {
  const { status, headers } = await fetch(service.url, { redirect: 'manual' })
  expect(status).toBe(302)
  expect(headers.get('location')).toBe('/docs/')
})

test('/openapi.json describes every operation, with its errors and 500', async () => {
  const { body } = await service.anonymous.get('/openapi.json')
  expect(body.openapi).toBe('3.1.0')
  expect(body.info.version).toBe('1.0.0')
  const operations = Object.entries(
    body.paths as Record<string, Record<string, { responses: object; summary?: string }>>,
  ).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, ...operation })),
  )
  expect(operations.length).toBeGreaterThan(20)
  expect(JSON.stringify(body)).not.toContain('Default Response')
  for (const { name, responses, summary } of operations) {
    expect(responses, name).toHaveProperty('500')
    expect(summary, name).toBeTruthy()
  }
  const keeping = Object.keys(body.paths['/api/upload'].post.responses)
  expect(keeping).toEqual(expect.arrayContaining(['200', '400', '408', '413', '415', '429', '503', '507']))
})

test('an unavailable database is 503 for requests and /readyz, which recover by themselves', async () => {
  const lonely = await startService()
  const admin = new pg.Client({ connectionString: process.env.CAIRN_TEST_POSTGRES })
  await admin.connect()
  const name = new URL(lonely.databaseUrl.replace('@/', '@box/')).pathname.slice(1)
  await admin.query(`alter database ${name} allow_connections false`)
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
  expect((await lonely.anonymous.get('/readyz')).status).toBe(503)
  expect(await lonely.anonymous.get('/api/v1/apps/public')).toMatchObject({
    status: 503,
    body: { error: expect.stringContaining('Retry in') },
  })

  await admin.query(`alter database ${name} allow_connections true`)
  await admin.end()
  expect((await lonely.anonymous.get('/readyz')).status).toBe(200)
  await lonely.stop()
})

test('/openapi.json describes content types and empty responses', async () => {
  const { body } = await service.anonymous.get('/openapi.json')
  const answerOf = (method: string, path: string) => body.paths[path][method].responses['200'].content
  const forms = (path: string) => Object.keys(answerOf('get', path))
  expect(forms('/api/location/pins')).toEqual(['application/json', 'application/geo+json'])
  expect(forms('/api/gcp/upload/{id}/report')).toEqual(['application/json', 'text/csv'])
  const files = [
    'text/csv',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'application/geo+json',
    'application/geopackage+sqlite3',
    'application/zip',
    'application/vnd.google-earth.kml+xml',
    'application/gpx+xml',
    'image/vnd.dxf',
    'text/plain',
    'application/json',
  ]
  expect(forms('/api/gcp/zone/{zoneId}/export')).toEqual(files)
  expect(forms('/ogc/collections/pins/items')).toEqual(['application/geo+json', 'text/html'])
  expect(forms('/ogc/collections/pins/items/{featureId}')).toEqual(['application/geo+json', 'text/html'])
  for (const path of ['/api/gcp/{id}/remove-photo', '/api/gcp/zone/{zoneId}'])
    expect(answerOf('delete', path), path).toBeUndefined()
})
