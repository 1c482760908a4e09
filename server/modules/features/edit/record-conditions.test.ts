import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { type Caller, type Service, startService } from '../../../test/service.ts'
import { sqlOn } from '../../../test/sql.ts'

let service: Service
let user: Caller
beforeAll(async () => {
  service = await startService()
  user = await buildersOn(service).user()
})
afterAll(() => service.stop())

const angles = { yaw: 0, pitch: 0, roll: 0 }
const geoPose = { position: { lat: 10.1234567890123, lon: 20, h: 1 }, angles }
const records: Record<string, [path: string, body: object]> = {
  pins: ['/api/location/pins', { title: 'Pin', contentType: 'GLB', geoPose }],
  gcps: ['/api/gcp', { title: 'Point', gcpType: 'SINGLE', geoPose, photoUrls: ['https://photos.example/a.jpg'] }],
}
const KINDS = Object.keys(records)

async function made(kind: string): Promise<{ path: string; etag: string; id: number }> {
  const [api, body] = records[kind]!
  const answer = await user.post(api, body)
  expect(answer.status).toBe(201)
  const { id } = answer.body.gcp ?? answer.body
  const path = `${api}/${id}`
  return { path, id, etag: (await user.get(path)).headers.get('etag')! }
}
const when = (etag: string, by: Caller = user) => service.as({ ...by.headers, 'if-match': etag })
const titleOf = async (path: string) => (await user.get(path)).body.title

describe.each(KINDS)('If-Match on writes of %s', (kind) => {
  test('the ETag of a write is the one that is read afterwards, and changes with each write', async () => {
    const { path, etag } = await made(kind)
    const written = await user.put(path, { title: 'A' })
    const strong = (headers: Headers) => headers.get('etag')!.replace(/^W\//, '')
    const read = strong((await user.get(path)).headers)
    expect(strong(written.headers)).toBe(read)
    expect(read).toMatch(/^"[\w-]{22}"$/)
    expect(read).not.toBe(etag)
    expect(strong((await user.get(`${path}?pose=eus`)).headers)).toBe(read)
  })

  test('a stale ETag is 412 with the current one, and nothing is written or deleted', async () => {
    const { path, etag } = await made(kind)
    await user.put(path, { title: 'By others' })
    const current = (await user.get(path)).headers.get('etag')!
    for (const answer of [await when(etag).put(path, { title: 'Lost' }), await when(etag).delete(path)]) {
      expect([answer.status, answer.headers.get('etag')]).toEqual([412, current])
      expect(answer.body.error).toContain(current)
    }
    expect(await titleOf(path)).toBe('By others')
  })

  test('the current ETag lets writes through, also as a weak one, and so does *', async () => {
    const { path, etag } = await made(kind)
    const first = await when(`W/${etag}`).put(path, { title: 'One' })
    expect(first.status).toBe(200)
    const second = await when('*').put(path, { title: 'Two' })
    expect(second.status).toBe(200)
    expect((await when(second.headers.get('etag')!).delete(path)).status).toBe(204)
    expect((await user.get(path)).status).toBe(404)
  })

  test('of writers with one ETag at the same moment, exactly one succeeds', async () => {
    const { path, etag } = await made(kind)
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => when(etag).put(path, { title: `Writer ${n}` })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(412)])
    expect(await titleOf(path)).toBe(`Writer ${answers.findIndex(({ status }) => status === 200)}`)
  })

  test('of writers without a condition at the same moment, each gets the ETag of its own write', async () => {
    const { path } = await made(kind)
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => user.put(path, { title: `Writer ${n}` })))
    const tags = answers.map(({ headers }) => headers.get('etag'))
    expect(new Set(tags).size).toBe(12)
    expect(tags).toContain((await user.get(path)).headers.get('etag'))
  })

  test('a write without a condition is carried out on any state', async () => {
    const { path } = await made(kind)
    await user.put(path, { title: 'By others' })
    expect((await user.put(path, { title: 'Mine' })).status).toBe(200)
    expect(await titleOf(path)).toBe('Mine')
  })

  test('a write that another rule refuses is refused by that, whatever the condition', async () => {
    const { path, etag } = await made(kind)
    const stranger = await buildersOn(service).user()
    expect((await when('"stale"', stranger).put(path, { title: 'No' })).status).toBe(403)
    expect((await when(etag).put(`${path}999999`, { title: 'No' })).status).toBe(404)
    expect((await when('stale').put(path, { title: 'No' })).body.error[0].path).toEqual(['If-Match'])
  })

  test('a write by SQL changes the ETag too', async () => {
    const { id, path, etag } = await made(kind)
    const table = kind === 'pins' ? 'update pins set zone_id = null, scan_instructions' : 'update gcps set description'
    await sqlOn(service)(`${table} = 'by sql' where id = ${id}`)
    expect((await when(etag).put(path, { title: 'Lost' })).status).toBe(412)
  })
})

test('moving the pin of a point through the point changes the ETag of the point', async () => {
  const { path, etag } = await made('gcps')
  const moved = { ...geoPose, position: { ...geoPose.position, lat: 11 } }
  expect((await user.put(path, { title: 'Point', geoPose: moved })).status).toBe(200)
  expect((await when(etag).put(path, { title: 'Lost' })).status).toBe(412)
})
