import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { type Caller, type Service, startService } from '../../../test/service.ts'

let service: Service
let user: Caller
beforeAll(async () => {
  service = await startService()
  user = await buildersOn(service).user()
})
afterAll(() => service.stop())

const collection = (id: string) => `/ogc/collections/${id}/items`
const bodies: Record<string, [api: string, record: object]> = {
  pins: ['/api/location/pins', { title: 'Pin', contentType: 'GLB', latitude: 1, longitude: 2 }],
  gcps: ['/api/gcp', { title: 'Point', gcpType: 'SINGLE' }],
  zones: ['/api/zones', { title: 'Zone' }],
}
const IDS = Object.keys(bodies)

/** A new record. @returns its address as a feature, and in the API, and its entity tag */
async function made(id: string) {
  const [api, record] = bodies[id]!
  const { body } = await user.post(api, record)
  const number = (body.gcp ?? body).id
  const path = `${collection(id)}/${number}`
  return { path, api: `${api}/${number}`, etag: (await user.get(path)).headers.get('etag')! }
}
const when = (etag: string, by: Caller = user) => service.as({ ...by.headers, 'if-match': etag })
const titled = (title: string) => ({ properties: { title } })
const titleOf = async (path: string) => (await user.get(path)).body.properties.title

describe('the entity tag of a feature', () => {
  test.each(IDS)('of %s changes with every write, also one through the API', async (id) => {
    const { path, api, etag } = await made(id)
    const patched = await user.patch(path, titled('A'))
    await user.put(api, { title: 'B' })
    const read = await user.get(path)
    const tags = [etag, patched.headers.get('etag'), read.headers.get('etag')]
    expect(new Set(tags).size).toBe(3)
    expect((await user.get(path)).headers.get('etag')).toBe(tags[2])
  })

  test('is a condition of reads: 304 while it is current', async () => {
    const { path, etag } = await made('zones')
    const asked = service.as({ 'if-none-match': etag })
    expect(await asked.get(path)).toMatchObject({ status: 304, body: '' })
    await user.patch(path, titled('Other'))
    expect((await asked.get(path)).status).toBe(200)
  })

  test.each(IDS)('that is stale refuses every write in %s: 412, and nothing changes', async (id) => {
    const { path, api, etag } = await made(id)
    await user.put(api, { title: 'By the API' })
    const current = await user.get(path)
    const { links: _links, ...feature } = current.body
    const stale = when(etag)
    for (const { status, headers } of [
      await stale.patch(path, titled('Lost')),
      await stale.put(path, { ...feature, properties: { ...feature.properties, title: 'Lost' } }),
      await stale.delete(path),
    ])
      expect([status, headers.get('etag')]).toEqual([412, current.headers.get('etag')])
    expect(await titleOf(path)).toBe('By the API')
  })

  test.each(IDS)('that is current lets a write in %s through', async (id) => {
    const { path, etag } = await made(id)
    const { status, headers } = await when(etag).patch(path, titled('Next'))
    expect(status).toBe(200)
    expect((await when(headers.get('etag')!).delete(path)).status).toBe(204)
  })

  test('of a feature that is not there holds nothing: 412 with If-Match, 404 without', async () => {
    const path = `${collection('pins')}/999999`
    expect(
      (await when('"any"').put(path, { type: 'Feature', properties: { title: 'T', contentType: 'GLB' } })).status,
    ).toBe(412)
    expect((await user.patch(path, titled('T'))).status).toBe(404)
  })
})

describe('writes at the same moment', () => {
  test.each(IDS)('with one entity tag in %s: one of them wins', async (id) => {
    const { path, etag } = await made(id)
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => when(etag).patch(path, titled(`N ${n}`))))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(412)])
    const winner = answers.findIndex(({ status }) => status === 200)
    expect(await titleOf(path)).toBe(`N ${winner}`)
  })

  test('of different properties without a condition are all kept, beside those of the API', async () => {
    const { path, api } = await made('pins')
    const patches = [
      titled('Merged'),
      { properties: { scanInstructions: 'Around' } },
      { geometry: { coordinates: [5, 6] } },
    ]
    const answers = await Promise.all([
      ...patches.map((patch) => user.patch(path, patch)),
      user.put(api, { title: 'Merged', contentUrl: 'https://a.example/x' }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect((await user.get(path)).body).toMatchObject({
      geometry: { coordinates: [5, 6] },
      properties: { title: 'Merged', scanInstructions: 'Around', contentUrl: 'https://a.example/x' },
    })
  })
})

describe('OPTIONS', () => {
  const allowed = async (path: string, headers: Record<string, string>) => {
    const answer = await service.request('OPTIONS', path, undefined, headers)
    expect(answer.status).toBe(200)
    return answer.headers.get('allow')
  }
  const tokenOf = async (scope: string) => {
    const { body } = await user.post('/api/v1/user/tokens', { name: 'QGIS', scope })
    return { authorization: `Basic ${Buffer.from(`:${body.token}`).toString('base64')}` }
  }
  const reads = 'GET, HEAD, OPTIONS'

  test.each(IDS)('of %s allows writes to a user and a token that may write, and reads to anyone', async (id) => {
    const { path } = await made(id)
    for (const headers of [user.headers, await tokenOf('write')]) {
      expect(await allowed(collection(id), headers)).toBe(`${reads}, POST`)
      expect(await allowed(path, headers)).toBe(`${reads}, PUT, PATCH, DELETE`)
    }
    for (const headers of [{}, await tokenOf('read')])
      for (const one of [collection(id), path]) expect(await allowed(one, headers)).toBe(reads)
  })

  test('still answers the preflights of browsers', async () => {
    const asked = {
      origin: 'https://map.example',
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'authorization,content-type,if-match',
    }
    const { status, headers } = await service.request('OPTIONS', `${collection('pins')}/1`, undefined, asked)
    expect(status).toBe(200)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-methods')).toContain('PATCH')
    expect(headers.get('access-control-allow-headers')).toBe(asked['access-control-request-headers'])
  })
})

describe('the schema of a request', () => {
  const schema = async (id: string, type: string) =>
    (await service.anonymous.get(`/ogc/collections/${id}/schema?type=${type}`)).body

  test('has what it may set with its limits, and what it must have', async () => {
    const create = await schema('gcps', 'create')
    expect(create).toMatchObject({ required: ['title', 'gcpType'], additionalProperties: false })
    expect(create.properties.title).toMatchObject({ type: 'string', minLength: 1, maxLength: 255 })
    expect(create.properties.aprilTagId).toMatchObject({ type: 'integer', minimum: 0, maximum: 50 })
    expect(Object.keys(create.properties)).not.toContain('createdAt')
    const replace = await schema('gcps', 'replace')
    expect(Object.keys(create.properties).filter((name) => !(name in replace.properties))).toEqual([
      'gcpType',
      'zoneId',
    ])
  })

  test.each(IDS)('of %s marks in the schema of responses what only the service writes', async (id) => {
    const { properties } = (await service.anonymous.get(`/ogc/collections/${id}/schema`)).body
    const settable = Object.keys((await schema(id, 'create')).properties)
    const writable = Object.entries<{ readOnly?: true }>(properties).filter(([, { readOnly }]) => !readOnly)
    expect(writable.map(([name]) => name).toSorted()).toEqual(settable.toSorted())
  })
})
