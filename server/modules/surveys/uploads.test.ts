import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../platform/ids.ts'
import { buildersOn, type User } from '../../test/builders.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'
import { importsOn, surveyRows } from '../../test/surveying/imports.ts'

let service: Service
let user: User
let imports: ReturnType<typeof importsOn>
beforeAll(async () => {
  service = await startService()
  user = await buildersOn(service).user()
  imports = importsOn(service, user)
})
afterAll(() => service.stop())

describe('survey files of a zone', () => {
  test('must be files of this service, in a zone of the caller', async () => {
    const zoneId = await imports.zone()
    const key = await imports.stored('title,lat,lon\n')
    const other = await buildersOn(service).user()
    const upload = { fileName: 'a.csv', fileUrl: imports.objects.addressOf(key), zoneId }
    const post = (change: object, caller: Caller = user) => caller.post('/api/gcp/upload', { ...upload, ...change })
    for (const fileUrl of [
      'http://169.254.169.254/latest',
      'file:///etc/passwd',
      `${imports.objects.addressOf(key)}/../x`,
      `${service.url}/files/zz/AAAAAAAAAAAAAAAAAAAAAA.csv`,
      'marks.csv',
    ]) {
      const { status, body } = await post({ fileUrl })
      expect([status, body.error[0].path]).toEqual([400, ['fileUrl']])
    }
    expect((await post({}, service.anonymous)).status).toBe(401)
    expect((await post({}, other)).status).toBe(403)
    expect((await post({ userId: other.id })).status).toBe(403)
    const foreign = await post({ fileUrl: imports.objects.addressOf(await imports.stored('title,lat,lon\n', other)) })
    expect([foreign.status, foreign.body.error[0].path]).toEqual([400, ['fileUrl']])
    expect(await post({ zoneId: 98_765_432 })).toMatchObject({ status: 404, body: { error: 'Zone not found' } })
    expect((await post({ zoneId: 'x' })).status).toBe(400)
    expect((await post({ fileName: undefined })).status).toBe(400)
    expect((await post({}, await buildersOn(service).user({ roles: ['ops'] }))).status).toBe(200)
  })

  test('are listed newest first, with URLs and owners for the owner and ops only', {
    tags: ['long'],
  }, async () => {
    const { zoneId, record } = await imports.imported('title,lat,lon\nA,1.5,2.5\n')
    const second = (await imports.imported('title,lat,lon\nB,1.5,2.6\n', { zoneId })).record
    const list = async (caller: Caller, query = '') => (await caller.get(`/api/gcp/zone/${zoneId}${query}`)).body
    expect(await list(user)).toEqual({ zoneId, zoneName: 'Park', csvFiles: [second, record], totalFiles: 2 })
    const shown = await list(service.anonymous, `?userId=${user.id}`)
    expect(shown.csvFiles).toEqual([second, record].map((one) => ({ ...one, fileUrl: null, userId: null })))
    expect(await list(user, '?userId=nobody')).toMatchObject({ csvFiles: [], totalFiles: 0 })
    const first = await user.get(`/api/gcp/zone/${zoneId}?limit=1`)
    expect([first.body.csvFiles, first.body.totalFiles, first.headers.get('x-total-count')]).toEqual([[second], 2, '2'])
    const next = /<(.*)>; rel="next"/.exec(first.headers.get('link')!)![1]!
    const rest = await user.get(next)
    expect([rest.body.csvFiles, rest.body.totalFiles, rest.headers.get('link')]).toEqual([[record], 2, null])
    expect((await user.get(`/api/gcp/zone/${zoneId}?cursor=nonsense`)).status).toBe(400)
    expect((await user.get('/api/gcp/zone/98765432')).status).toBe(404)
    expect((await user.get('/api/gcp/upload/nothing')).status).toBe(404)
    expect((await user.get(`/api/gcp/upload/${newId()}/report`)).status).toBe(404)
  })

  test('are imported once if repeated while open, and deleted with all unchanged points', {
    tags: ['long'],
  }, async () => {
    const zoneId = await imports.zone()
    // More than are deleted at once.
    const key = await imports.stored(surveyRows(10_100))
    const [first, second] = await Promise.all([imports.send(zoneId, key), imports.send(zoneId, key)])
    expect(second.body.id).toBe(first.body.id)
    expect((await imports.send(zoneId, key)).body.id).toBe(first.body.id)
    expect(await imports.ended(first.body.id)).toMatchObject({ status: 'COMPLETED', processedRows: 10_100 })

    await user.put(`/api/gcp/${(await imports.gcps(zoneId))[0].id}`, { title: 'kept' })
    const remove = `/api/gcp/zone/${zoneId}?csvUploadId=${first.body.id}&deleteGcps=true`
    expect((await user.delete(remove)).status).toBe(200)
    expect(await imports.gcps(zoneId)).toMatchObject([{ title: 'kept' }])
    const { body } = await user.get(`/api/location/pins?lat=11&lon=20&radius=100000&zoneId=${zoneId}`)
    expect(body.pins.filter(({ title }: { title: string }) => title !== 'kept')).toEqual([])
  })

  test('can be retried by their owner, and only after a failure', { tags: ['long'] }, async () => {
    const zoneId = await imports.zone()
    const { record } = await imports.imported('title,lat,lon\nA,1.5,2.5\n"B,1.5,2.6\n', { zoneId })
    expect(record).toMatchObject({ status: 'FAILED', processedRows: 1 })
    const path = `/api/gcp/upload/${record.id}/retry`
    expect((await service.anonymous.post(path)).status).toBe(401)
    expect((await (await buildersOn(service).user()).post(path)).status).toBe(403)
    expect(await user.post(path)).toMatchObject({
      status: 200,
      body: { id: record.id, status: 'PENDING', errorMessage: null },
    })
    expect(await imports.ended(record.id)).toMatchObject({
      status: 'FAILED',
      processedRows: 1,
      errorMessage: record.errorMessage,
    })
    expect((await imports.report(record.id)).summary).toMatchObject({ created: 0, unchanged: 1 })
    const good = (await imports.imported('title,lat,lon\nC,1.5,2.5\n', { zoneId })).record
    expect((await user.post(`/api/gcp/upload/${good.id}/retry`)).status).toBe(409)
  })

  test('can be deleted by their owner in the right zone; their points stay by default', {
    tags: ['long'],
  }, async () => {
    const other = await buildersOn(service).user()
    const { zoneId, record } = await imports.imported('title,lat,lon\nA,1.5,2.5\n')
    const path = `/api/gcp/zone/${zoneId}`
    expect((await service.anonymous.delete(path, { csvUploadId: record.id })).status).toBe(401)
    expect((await other.delete(path, { csvUploadId: record.id })).status).toBe(403)
    expect((await user.delete(`/api/gcp/zone/${await imports.zone()}`, { csvUploadId: record.id })).status).toBe(404)
    expect((await user.delete(path, {})).status).toBe(400)
    expect((await user.delete(path)).status).toBe(400)
    const removed = await user.delete(`${path}?csvUploadId=${record.id}`, {})
    expect([removed.status, removed.body]).toEqual([200, ''])
    expect(await imports.objects.size(imports.objects.keyOf(record.fileUrl)!)).toBeUndefined()
    expect((await user.get(`/api/gcp/upload/${record.id}`)).status).toBe(404)
    expect((await user.get(`/api/gcp?zoneId=${zoneId}`)).body).toHaveLength(1)

    const open = await imports.stored('title,lat,lon\nC,1.5,2.5\n', service.anonymous)
    const { body } = await imports.send(zoneId, open)
    await imports.ended(body.id)
    await user.delete(path, { csvUploadId: body.id })
    expect(await imports.objects.size(open)).toBeGreaterThan(0)

    const next = await imports.imported('title,lat,lon\nA,1.5,2.5\nB,1.6,2.5\n', { zoneId })
    await user.delete(`${path}?csvUploadId=${next.record.id}&deleteGcps=true`)
    // A existed before that file.
    expect((await user.get(`/api/gcp?zoneId=${zoneId}`)).body).toMatchObject([{ title: 'A' }, { title: 'C' }])
    expect((await user.get('/api/location/pins?lat=1.6&lon=2.5&radius=1')).body.pins).toEqual([])
  })

  test('are kept if uploaded without a session, also under an earlier URL of the service', async () => {
    const zoneId = await imports.zone()
    const key = await imports.stored('title,lat,lon\nD,1.5,2.5\n', service.anonymous)
    const { body } = await imports.send(zoneId, key)
    await imports.ended(body.id)
    const sql = new pg.Client({ connectionString: service.databaseUrl })
    await sql.connect()
    await sql.query('update csv_uploads set file_url = $2 where id = $1', [
      body.id,
      `https://cairn-before.example.org/files/${key}`,
    ])
    await sql.end()
    expect((await user.delete(`/api/gcp/zone/${zoneId}?csvUploadId=${body.id}`)).status).toBe(200)
    expect(await imports.objects.size(key)).toBeGreaterThan(0)
  })
})
