import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../test/builders.ts'
import { sendScan, settledScan, uploadOf } from '../../test/content/scans.ts'
import { formOf, withTexts } from '../../test/multipart.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'
import { type Sql, sqlOn } from '../../test/sql.ts'

const PATH = '/api/v1/user/scans'

let service: Service
let given: Builders
let user: Caller & { id: string }
let sql: Sql
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
  sql = sqlOn(service)
  user = await given.user()
})
afterAll(() => service.stop())

const note = (name = 'note.txt') => ({ name, bytes: 'a file that is kept as it is' })
const made = async (caller: Caller, body: object) => {
  const { fileId } = await uploadOf(caller, note())
  const answer = await caller.post(PATH, { fileId, ...body })
  expect(answer.status).toBe(201)
  return answer.body
}

describe('creating a scan', () => {
  const words = { title: 'Oak', category: 'tree', lat: 52.5, long: 13.4, timestamp: '2026-06-01T14:00:00+02:00' }
  const expected = { ...words, timestamp: '2026-06-01T12:00:00.000Z', positionFrom: 'caller', visibility: 'public' }

  test('from an uploaded file ends COMPLETED', { tags: ['long'] }, async () => {
    const { fileId, url } = await uploadOf(user, note('oak.txt'))
    const { status, body } = await user.post(PATH, { fileId, ...words, visibility: 'public' })
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { ...expected, fileId, fileName: 'oak.txt', scanUrl: url },
    })
    expect(await settledScan(user, body.id)).toMatchObject({ ...expected, status: 'COMPLETED', fileType: 'OTHER' })
  })

  test('from a form accepts texts before or after the file', { tags: ['long'] }, async () => {
    const form = withTexts(formOf(note('oak.txt')), { ...words, visibility: 'public' })
    const before = withTexts(new FormData(), { ...words, visibility: 'public' })
    before.append('file', new Blob(['a file']), 'oak.txt')
    for (const sent of [form, before]) {
      const { status, body } = await user.post(PATH, sent)
      expect({ status, body }).toMatchObject({ status: 201, body: { ...expected, fileName: 'oak.txt' } })
      expect(body.status).toBe('PENDING')
      await settledScan(user, body.id)
    }
  })

  test('accepts a file sent to a presigned URL and not yet checked, or sent without a session', async () => {
    const announced = { fileName: 'a.bin', contentType: 'application/octet-stream', fileSize: 4 }
    const { body: address } = await user.post('/api/upload/presigned', announced)
    await fetch(address.uploadUrl, { method: 'PUT', headers: address.headers, body: 'abcd' })
    expect((await user.post(PATH, { fileId: address.fileId })).status).toBe(201)

    const { fileId } = await uploadOf(service.anonymous, note())
    expect((await user.post(PATH, { fileId })).status).toBe(201)
    expect(await sql('select user_id from files where id = $1', [fileId])).toEqual([{ user_id: user.id }])
  })

  test('is done once for a repeated Idempotency-Key', async () => {
    const caller = service.as({ ...user.headers, 'idempotency-key': randomUUID() })
    const [first, second] = [await sendScan(caller, note()), await sendScan(caller, note())]
    expect(second.body).toEqual(first.body)
    expect((await sendScan(caller, note(), { title: 'Other' })).status).toBe(409)
  })
})

describe('refuses', () => {
  test.each([
    ['half a place', { lat: 1 }, ['long']],
    ['a latitude beyond the pole', { lat: 90.5, long: 0 }, ['lat']],
    ['a longitude beyond the meridian', { lat: 0, long: -181 }, ['long']],
    ['a timestamp without a zone', { timestamp: '2026-01-01T00:00:00' }, ['timestamp']],
    ['a timestamp before all years', { timestamp: '0000-01-01T00:00:00Z' }, ['timestamp']],
    ['a visibility that is not known', { visibility: 'unlisted' }, ['visibility']],
    ['a long title', { title: 'x'.repeat(256) }, ['title']],
    ['an empty category in JSON', { category: ' ' }, ['category']],
  ])('with %s: 400, as JSON and as a form', async (_what, words, path) => {
    const { fileId } = await uploadOf(user, note())
    const objects = await service.objectsKept()
    const asJson = await user.post(PATH, { fileId, ...words })
    expect(asJson).toMatchObject({ status: 400, body: { error: [{ path }] } })
    const asForm = await sendScan(user, note(), words as Record<string, string>)
    // An empty form field counts as absent.
    if ('category' in words) expect(asForm.body.error?.[0].path).toEqual(path)
    else expect(asForm).toMatchObject({ status: 400, body: { error: [{ path }] } })
    expect(await service.objectsKept()).toEqual(objects)
  })

  test('several files, none, a file with a fileId, an empty file, or another content type', async () => {
    const { fileId } = await uploadOf(user, note())
    const objects = await service.objectsKept()
    const refused = [
      await user.post(PATH, formOf(note(), note())),
      await user.post(PATH, withTexts(new FormData(), { title: 'x' })),
      await user.post(PATH, withTexts(formOf(note()), { fileId })),
      await user.post(PATH, formOf({ name: 'empty', bytes: '' })),
      await user.post(PATH, {}),
      await user.post(PATH, { fileId: 0 }),
    ]
    for (const { status } of refused) expect(status).toBe(400)
    expect((await service.request('POST', PATH, 'x', { ...user.headers, 'content-type': 'text/plain' })).status).toBe(
      400,
    )
    expect(await service.objectsKept()).toEqual(objects)
  })

  test('a file of another user, a missing file, a file with a scan, or an output of a conversion', async () => {
    const other = await given.user()
    const { fileId } = await uploadOf(other, note())
    const { fileId: taken } = await uploadOf(user, note())
    expect((await user.post(PATH, { fileId: taken })).status).toBe(201)
    for (const id of [fileId, taken, 4711]) {
      const answer = await user.post(PATH, { fileId: id })
      expect(answer).toMatchObject({ status: 400, body: { error: [{ path: ['fileId'] }] } })
    }
  })

  test('an anonymous file that a record of another user shows', async () => {
    const { fileId, url } = await uploadOf(service.anonymous, note())
    const pin = { title: 'Pin', latitude: 1, longitude: 2, contentType: 'OTHER', contentUrl: url }
    expect((await (await given.user()).post('/api/location/pins', pin)).status).toBe(201)
    expect((await user.post(PATH, { fileId })).status).toBe(400)
    expect((await service.anonymous.get(url)).status).toBe(200)
  })

  test('a second concurrent scan of one file', async () => {
    for (let round = 0; round < 5; round++) {
      const { fileId } = await uploadOf(service.anonymous, note())
      const callers = await Promise.all([given.user(), given.user()])
      const asked = [...callers, ...callers, ...callers].map((caller) => caller.post(PATH, { fileId }))
      const statuses = (await Promise.all(asked)).map(({ status }) => status)
      expect(statuses.toSorted()).toEqual([201, 400, 400, 400, 400, 400])
    }
  })
})

describe('lists', () => {
  test('are divided into exact pages by timestamp and id; a page beyond the end is empty', async () => {
    const owner = await given.user()
    const times = ['2026-01-03', '2026-01-01', '2026-01-02', '2026-01-02', '2026-01-02']
    const scans: { id: string; at: string }[] = []
    for (const day of times) scans.push({ id: (await made(owner, { timestamp: `${day}T00:00:00Z` })).id, at: day })
    const order = scans.toSorted((a, b) => (a.at + a.id < b.at + b.id ? -1 : 1)).map(({ id }) => id)

    const page = async (query: string) => {
      const { body } = await owner.get(`${PATH}?${query}`)
      return { ids: body.scans.map(({ id }: { id: string }) => id), pagination: body.pagination }
    }
    const { body: newest } = await owner.get(`${PATH}?limit=1`)
    expect(Object.keys(newest.scans[0])).toEqual(Object.keys((await owner.get(`${PATH}/${order[4]}`)).body))

    const pages = { total: 5, limit: 2, totalPages: 3 }
    expect(await page('')).toEqual({
      ids: order.toReversed(),
      pagination: { total: 5, page: 1, limit: 10, totalPages: 1 },
    })
    expect(await page('sort=asc&limit=2')).toEqual({ ids: order.slice(0, 2), pagination: { ...pages, page: 1 } })
    expect(await page('sort=asc&limit=2&page=3')).toEqual({ ids: order.slice(4), pagination: { ...pages, page: 3 } })
    expect(await page('limit=2&page=9')).toEqual({ ids: [], pagination: { ...pages, page: 9 } })
    expect(await page('page=999999999999999')).toMatchObject({ ids: [], pagination: { total: 5 } })
    const nobody = await (await given.user()).get(PATH)
    expect(nobody.body).toEqual({ scans: [], pagination: { total: 0, page: 1, limit: 10, totalPages: 0 } })
  })

  test.each(['page=0', 'page=1.5', 'limit=0', 'limit=101', 'limit=ten', 'sort=new', 'page=1&page=2'])(
    '?%s is 400',
    async (query) => {
      expect((await user.get(`${PATH}?${query}`)).status).toBe(400)
      if (query.startsWith('sort')) return
      const app = await given.app()
      expect((await app.get(`/api/v1/scans/public-scans?${query}`)).status).toBe(400)
    },
  )

  test('of all users have the public COMPLETED scans, newest first', async () => {
    const app = await given.app()
    const owners = [await given.user(), await given.user()]
    const sent: string[] = []
    for (const [at, owner] of [...owners, ...owners].entries())
      sent.push((await made(owner, { visibility: 'public', timestamp: `2030-01-0${at + 1}T00:00:00Z` })).id)
    await made(owners[0]!, { timestamp: '2031-01-01T00:00:00Z' })
    for (const [at, id] of sent.entries()) await settledScan(owners[at % 2]!, id)
    await sql(`update scans set status = 'PENDING' where id = $1`, [sent[3]])
    await owners[0]!.patch(`${PATH}/${sent[2]}`, { visibility: 'private' })
    const { body } = await app.get('/api/v1/scans/public-scans?limit=2')
    expect(body.scans.map(({ id }: { id: string }) => id)).toEqual([sent[1], sent[0]])
    expect(body.scans[0].scanUrl).not.toContain('?')
    const [{ total } = { total: 0 }] = await sql<{ total: number }>(
      "select count(*)::int as total from scans where visibility = 'public' and status = 'COMPLETED'",
    )
    expect(body.pagination).toEqual({ total, page: 1, limit: 2, totalPages: Math.ceil(total / 2) })
  })
})

describe('one scan', () => {
  test('is visible to its owner and ops only, and 404 to others', async () => {
    const { id } = await made(user, {})
    const other = await given.user()
    const ops = await given.user({ roles: ['ops'] })
    expect((await ops.get(`${PATH}/${id}`)).body.id).toBe(id)
    for (const path of [`${PATH}/${id}`, `${PATH}/not-an-id`, `${PATH}/${randomUUID()}`])
      expect((await other.get(path)).status).toBe(404)
    expect((await other.patch(`${PATH}/${id}`, { title: 'Mine' })).status).toBe(404)
    expect((await other.post(`${PATH}/${id}/retry`)).status).toBe(404)
    expect((await other.delete(`${PATH}/${id}`)).status).toBe(404)
    expect((await user.get(`${PATH}/${id}`)).body.title).toBeNull()
  })

  test('updates given members, clears null ones, and changes the place as a whole', async () => {
    const { id } = await made(user, { title: 'Oak', category: 'tree' })
    await settledScan(user, id)
    expect((await user.patch(`${PATH}/${id}`, { title: 'Elm' })).body).toMatchObject({ title: 'Elm', category: 'tree' })
    expect((await user.patch(`${PATH}/${id}`, { category: null })).body).toMatchObject({ title: 'Elm', category: null })
    const placed = await user.patch(`${PATH}/${id}`, { lat: 48.8566, long: 2.3522, timestamp: '2026-06-21T11:50:00Z' })
    expect(placed.body).toMatchObject({ lat: 48.8566, long: 2.3522, positionFrom: 'caller', weather: null })
    expect(placed.body).toMatchObject({ location: 'Paris, France', timeOfDay: 'morning' })
    const cleared = await user.patch(`${PATH}/${id}`, { lat: null, long: null })
    expect(cleared.body).toMatchObject({ lat: null, long: null, location: null, timeOfDay: null })
    for (const change of [{ lat: 1 }, { lat: 1, long: null }, { title: '' }, { timestamp: null }, { visibility: null }])
      expect((await user.patch(`${PATH}/${id}`, change)).status).toBe(400)
  })

  test('is deleted with its file, preview and record; a file that a pin shows is kept', async () => {
    const objects = await service.objectsKept()
    const lone = await made(user, {})
    await settledScan(user, lone.id)
    expect((await user.delete(`${PATH}/${lone.id}`)).status).toBe(204)
    expect(await service.objectsKept()).toEqual(objects)
    expect((await user.delete(`${PATH}/${lone.id}`)).status).toBe(404)

    const shown = await made(user, { visibility: 'public' })
    const pin = { title: 'Pin', latitude: 1, longitude: 2, contentType: 'OTHER', contentUrl: shown.scanUrl }
    expect((await user.post('/api/location/pins', pin)).status).toBe(201)
    await settledScan(user, shown.id)
    expect((await user.delete(`${PATH}/${shown.id}`)).status).toBe(204)
    expect((await service.anonymous.get(shown.scanUrl)).status).toBe(200)
  })
})
