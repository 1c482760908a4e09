import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { type Caller, type Service, startService } from '../../../test/service.ts'

let service: Service
let caller: Caller
/** Beside the app key, for operations of a player. */
let player: Record<string, string>
let operations: { method: string; path: string; description: string }[]
beforeAll(async () => {
  service = await startService()
  const user = await buildersOn(service).user({ roles: ['admin', 'ops'] })
  const app = await buildersOn(service).app({ owner: user })
  caller = service.as({ ...user.headers, ...app.headers, 'content-type': 'application/json' })
  const { id: playerId } = await buildersOn(service).player(app)
  const { body } = await app.post('/auth/player-token', { playerId })
  player = { authorization: `Bearer ${body.playerToken}` }
  const { paths } = (await service.anonymous.get('/openapi.json')).body
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, { description?: string; requestBody?: { content: object } }>).flatMap(
      ([method, { description = '', requestBody }]) =>
        requestBody && 'application/json' in requestBody.content
          ? [{ method: method.toUpperCase(), path: path.replaceAll(/\{\w+\}/g, '1'), description }]
          : [],
    ),
  )
})
afterAll(() => service.stop())

/** Operations of a player need its token. */
const headersFor = (path: string): Record<string, string> => ({
  ...caller.headers,
  ...(['/api/v1/apps/positions', '/api/v1/apps/check-ins'].includes(path) && player),
})

const LARGER: Record<string, number> = {
  'POST /api/v1/apps/game-sessions/1/scores': 1536,
  'PUT /api/v1/apps/players/1/storage/1': 64,
  'PUT /api/v1/apps/config': 256,
  'POST /api/zones': 1024,
  'PUT /api/zones/1': 1024,
  'POST /api/location/pins': 128,
  'PUT /api/location/pins/1': 128,
  'POST /api/gcp': 512,
  'PUT /api/gcp/1': 256,
  'POST /api/gcp/upload': 64,
  'POST /geopose': 8192,
  'POST /ogc/collections/pins/items': 128,
  'PUT /ogc/collections/pins/items/1': 128,
  'PATCH /ogc/collections/pins/items/1': 128,
  'POST /ogc/collections/gcps/items': 512,
  'PUT /ogc/collections/gcps/items/1': 512,
  'PATCH /ogc/collections/gcps/items/1': 512,
  'POST /ogc/collections/zones/items': 1024,
  'PUT /ogc/collections/zones/items/1': 1024,
  'PATCH /ogc/collections/zones/items/1': 1024,
}

test('a JSON body of more than 32 KiB is 413 unless its operation allows more, which the description states', async () => {
  expect(operations.length).toBeGreaterThan(25)
  for (const { method, path, description } of operations) {
    const name = `${method} ${path}`
    const kibibytes = LARGER[name] ?? 32
    const bodyOf = (bytes: number) => JSON.stringify({ any: 'x'.repeat(bytes - '{"any":""}'.length) })
    const send = (bytes: number) => service.request(method, path, bodyOf(bytes), headersFor(path))
    const bound = kibibytes % 1024 === 0 ? `${kibibytes / 1024} MiB` : `${kibibytes.toLocaleString('en')} KiB`
    expect([name, (await send(kibibytes * 1024)).status]).not.toEqual([name, 413])
    expect([name, await send(kibibytes * 1024 + 1)]).toMatchObject([
      name,
      { status: 413, body: { error: `The body is larger than ${bound}: send less per request` } },
    ])
    expect([name, description.includes(`up to ${bound}.`)]).toEqual([name, name in LARGER])
  }
})

test('a body with an image is 413 with more than 32 KiB outside of its strings', async () => {
  const bodyOf = (count: number, quotes: number) =>
    `{"image":"${'x'.repeat(100_000)}${'\\"'.repeat(quotes)}","any":[${Array(count).fill(1).join(',')}]}`
  const send = (count: number, quotes = 0) =>
    service.request('POST', '/geopose', bodyOf(count, quotes), headersFor('/geopose'))
  expect(await send(16_400)).toMatchObject({
    status: 413,
    body: { error: 'Without its strings, the body is larger than 32 KiB: send less per request' },
  })
  expect((await send(16_300, 40_000)).status).toBe(400)
})

test('a body nested more than 50 deep is 400 everywhere, also with an Idempotency-Key', async () => {
  const more = ['/api/v1/apps/1/api-key/rotate', '/api/gcp/upload/1/retry', '/api/v1/apps/mini-game-types/1/restore']
  const all = [...operations, ...more.map((path) => ({ method: 'POST', path }))]
  for (const { method, path } of all) {
    for (const body of [`{"any":${'['.repeat(15_000)}${']'.repeat(15_000)}}`, '['.repeat(15_000)]) {
      const key = { 'idempotency-key': `deep ${body.length}` }
      const headers = { ...headersFor(path), ...key }
      const { status } = await service.request(method, path, body, headers)
      expect([method, path, status]).toEqual([method, path, 400])
    }
  }
})
