import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sender } from '../attack/send.ts'
import { buildersOn } from '../builders.ts'
import { photo } from '../content/tags/photo-steps.ts'
import { formOf, withTexts } from '../multipart.ts'
import { type Caller, type Service, startService } from '../service.ts'
import { sqlOn } from '../sql.ts'
import { importsOn } from '../surveying/imports.ts'

let service: Service
let user: Caller & { id: string }
let ops: Caller & { id: string }
let app: Caller & { id: string }
beforeAll(async () => {
  service = await startService()
  const given = buildersOn(service)
  user = await given.user()
  ops = await given.user({ roles: ['ops'] })
  app = await given.app({ owner: user })
})
afterAll(() => service.stop())

describe('a method that a path does not support', () => {
  test.each([
    ['DELETE', '/api/gcp', 'GET, HEAD, POST'],
    ['PATCH', '/api/gcp/1', 'GET, HEAD, PUT, DELETE'],
    ['PUT', '/api/v1/apps/players', 'GET, HEAD, POST'],
    // Not an operation of /api/v1/apps/{id}, which matches it, too.
    ['GET', '/api/v1/apps/positions', 'POST'],
    ['DELETE', '/api/v1/apps/players/1/timeline', 'GET, HEAD'],
    ['PUT', '/api/v1/apps/1?name=x', 'GET, HEAD, PATCH, DELETE'],
    ['DELETE', '/api/v1/apps/players', 'GET, HEAD, POST'],
    ['GET', '/auth/sync', 'POST'],
    ['POST', '/api/download', 'GET, HEAD'],
    ['POST', '/healthz', 'GET, HEAD'],
    ['DELETE', '/openapi.json', 'GET, HEAD'],
    ['PROPFIND', '/api/gcp', 'GET, HEAD, POST'],
  ])('%s %s is 405, and Allow lists %s', async (method, path, allow) => {
    const { status, body, headers } = await service.request(method, path)
    expect([status, headers.get('allow')]).toEqual([405, allow])
    expect(body).toEqual({ error: `${method} is not supported on this path. Supported: ${allow}` })
  })

  test('is 405 for every operation of the OpenAPI document, and for none of its own methods', {
    tags: ['long'],
  }, async () => {
    const { paths } = (await service.anonymous.get('/openapi.json')).body as { paths: Record<string, object> }
    for (const [path, methods] of Object.entries(paths)) {
      const url = path.replaceAll(/\{[^}]+\}/g, '1')
      const own = Object.keys(methods).map((method) => method.toUpperCase())
      const [other] = ['PATCH', 'PUT', 'DELETE', 'POST'].filter((method) => !own.includes(method))
      const { status, headers } = await service.request(other!, url)
      expect([path, other, status]).toEqual([path, other, 405])
      const allowed = headers.get('allow')!.split(', ')
      expect([path, own.every((method) => allowed.includes(method))]).toEqual([path, true])
    }
  })

  test('is 405 before the credential or the body is read', async () => {
    const headers = { authorization: 'Bearer x', 'content-type': 'application/json' }
    const { status } = await service.request('DELETE', '/api/gcp', `{"any":"${'x'.repeat(40_000)}`, headers)
    expect(status).toBe(405)
  })

  test('counts as a request', async () => {
    const { headers } = await service.request('DELETE', '/api/gcp')
    expect(headers.get('ratelimit')).toContain('"address"')
  })

  test('is counted in the metrics with the path of the operation', async () => {
    await service.request('DELETE', '/api/gcp')
    await service.request('PATCH', '/api/gcp/1')
    const { body } = await service.anonymous.get('/metrics')
    for (const labels of ['method="DELETE",route="/api/gcp"', 'method="PATCH",route="/api/gcp/:id"'])
      expect(body).toContain(`_count{${labels},status="405"}`)
  })

  test('is 404 for an unknown path', async () => {
    expect((await service.request('DELETE', '/api/nothing')).status).toBe(404)
  })
})

test('a trailing slash makes no difference', async () => {
  expect((await service.anonymous.get('/api/gcp/?limit=1')).status).toBe(200)
  expect((await app.get('/api/v1/apps/players/')).body).toEqual((await app.get('/api/v1/apps/players')).body)
})

test('a compressed body is 415, with any content', async () => {
  const { status, body } = await service
    .as({ ...user.headers, 'content-encoding': 'gzip' })
    .post('/api/zones', { title: 'Park' })
  expect([status, body.error]).toEqual([415, expect.stringContaining('without Content-Encoding')])
})

test('a body of a GET is ignored, compressed or not', async () => {
  const { send, close } = sender(service.url)
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  const { status } = await send({ method: 'GET', path: '/api/gcp?limit=1', headers, body: Buffer.from('{}') })
  close()
  expect(status).toBe(200)
})

test('an invalid session token is refused on open operations too', async () => {
  const stale = service.as({ authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' })
  const open = [
    ...['/api/gcp', '/api/gcp/1', '/api/gcp/check-april-tag?aprilTagId=1', '/api/gcp/tag-conflicts'],
    ...['/api/upload/gcp-photos?gcpId=1', '/api/gcp/zone/1', '/api/gcp/zone/1/export?format=csv'],
    ...['/api/location/pins?lat=1&lon=1', '/api/zones', '/api/zones/1', '/api/zones/at?lat=1&lon=1'],
    ...['/api/download?url=x', '/api/upload/convert?fileId=1', '/api/v1/apps/public'],
  ]
  for (const path of open) expect([path, (await stale.get(path)).status]).toEqual([path, 401])
  expect((await stale.post('/api/upload', formOf({ bytes: 'x' }))).status).toBe(401)
  const announced = { fileName: 'a.txt', contentType: 'text/plain' }
  expect((await stale.post('/api/upload/presigned', announced)).status).toBe(401)
})

test.each([
  'http://a.example/b c',
  'http://a.example\\b',
  'https://a.example/%zz',
  'https://a.example/<b>',
  'https://a.example/ü',
  'urn:isbn:1',
])('%s is not a URL: 400 with the accepted form', async (address) => {
  const { status, body } = await user.post('/api/gcp', { title: 'A', gcpType: 'SINGLE', photoUrls: [address] })
  expect([status, body.error]).toEqual([
    400,
    [{ code: 'invalid_format', message: expect.stringContaining('http or https'), path: ['photoUrls', 0] }],
  ])
})

test('a page of scans beyond the end is empty', async () => {
  for (const page of [2, 1e9, Number.MAX_SAFE_INTEGER])
    expect((await user.get(`/api/v1/user/scans?page=${page}&limit=100`)).body).toMatchObject({
      scans: [],
      pagination: { page, total: 0 },
    })
})

test('rowCount may be any integer: the service counts itself', { tags: ['long'] }, async () => {
  const imports = importsOn(service, user)
  const [zoneId, key] = [await imports.zone(), await imports.stored('title,lat,lon\nA,1,2\n')]
  const fileUrl = imports.objects.addressOf(key)
  const { status, body } = await user.post('/api/gcp/upload', { fileName: 'a.csv', fileUrl, zoneId, rowCount: 3e9 })
  expect([status, await imports.ended(body.id)]).toEqual([200, expect.objectContaining({ rowCount: 1 })])
})

test('a repeated part of a form is 400', async () => {
  const form = withTexts(formOf(photo()), { gcpId: '1' })
  form.append('gcpId', '2')
  expect(await user.post('/api/upload/gcp-photos', form)).toMatchObject({
    status: 400,
    body: { error: [{ message: 'is given twice: send it once', path: ['gcpId'] }] },
  })
})

test('a query parameter that is given twice is 400, and says so', async () => {
  for (const query of ['lat=1&lat=2&lon=1', 'lat=1&lon=1&limit=1&limit=2', 'lat=1&lon=1&format=json&format=json']) {
    const { status, body } = await user.get(`/api/location/pins?${query}`)
    const path = [/(\w+)=[^&]*&\1=/.exec(query)![1]]
    expect([status, body.error]).toEqual([
      400,
      [expect.objectContaining({ message: 'is given twice: send it once', path })],
    ])
  }
})

test('a form with too many files is 413 with the limit', async () => {
  const parts = Array.from({ length: 21 }, (_, i) => ({ field: 'files', name: `${i}.txt`, bytes: 'x' }))
  const { status, body } = await user.post('/api/upload', formOf(...parts))
  expect([status, body.error]).toEqual([413, expect.stringContaining('at most 20 files')])
})

test('an unknown file is 400 in a query or a body, with its place, and 404 in a path', async () => {
  const unknown = 999_999
  const gcp = { title: 'Mark', gcpType: 'SINGLE' }
  const place = { lat: 50, long: 8 }
  const refusals = {
    convert: [await user.get(`/api/upload/convert?fileId=${unknown}`), ['fileId']],
    scan: [await user.post('/api/v1/user/scans', { fileId: unknown, ...place }), ['fileId']],
    archive: [await ops.put('/api/v1/box/basemap/archive', { fileId: unknown }), ['fileId']],
    gcp: [await user.post('/api/gcp', { ...gcp, uploadedFileIds: [unknown] }), ['uploadedFileIds', 0]],
  } as const
  for (const [name, [{ status, body }, path]] of Object.entries(refusals))
    expect({ name, status, path: body.error[0]?.path }).toEqual({ name, status: 400, path })
  expect((await user.post(`/api/upload/${unknown}/converted_file`, {})).status).toBe(404)
  expect((await user.get(`/api/upload/${unknown}/stream`)).status).toBe(404)
})

test.each([
  ['POST', '/api/upload'],
  ['POST', '/api/upload/convert'],
  ['POST', '/api/upload/gcp-photos'],
  ['POST', '/api/upload/relocalization'],
  ['POST', '/api/location/localize'],
  ['POST', '/api/v1/apps/leaderboards/import'],
  ['PATCH', '/api/v1/apps/players/PLAYER/profile-image'],
] as const)('%s %s takes a form: JSON is 415', async (method, path) => {
  const { id } = await buildersOn(service).player(app)
  const caller = path.startsWith('/api/v1/apps') ? app : user
  const send = method === 'PATCH' ? caller.patch : caller.post
  expect((await send(path.replace('PLAYER', id), { file: 'aGVsbG8=' })).status).toBe(415)
})

test('an unknown path below /oidc has the common error format', async () => {
  const { status, body } = await service.anonymous.get('/oidc/nope')
  expect([status, body]).toEqual([404, { error: 'There is no operation GET /oidc/nope' }])
})

describe('one audit entry a view', () => {
  const sql = (text: string) => sqlOn(service)<{ n: number }>(text)
  const entries = async (action: string) =>
    Number((await sql(`select count(*) as n from audit_log where action = '${action}'`))[0]!.n)

  test('for the keys of several apps', async () => {
    const given = buildersOn(service)
    const owner = await given.user()
    for (let i = 0; i < 3; i++) await given.app({ owner })
    expect((await owner.get('/api/v1/apps')).body.apps).toHaveLength(3)
    expect(await entries('app_keys.viewed')).toBe(1)
  })

  test('for all apps read by ops, including PRIVATE ones: without keys', async () => {
    const { apps } = (await ops.get('/api/v1/apps?all=true')).body
    expect(apps.every(({ apiKey }: { apiKey: string }) => apiKey.endsWith('…'))).toBe(true)
    expect(await entries('apps.listed')).toBe(1)
    expect((await user.get('/api/v1/apps?all=true')).status).toBe(403)
    expect(await entries('apps.listed')).toBe(1)
  })
})
