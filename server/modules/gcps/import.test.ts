import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../platform/database.ts'
import { newId } from '../../platform/ids.ts'
import { folderObjects, type Objects } from '../../platform/objects.ts'
import { givenOn } from '../../test/given.ts'
import { type Answer, type Caller, type Service, startService } from '../../test/service.ts'
import { zoneStore } from '../places/store.ts'
import { csvStore } from './csv-store.ts'
import { importJob } from './import.ts'
import { importStore } from './import-store.ts'

let service: Service
let user: Caller & { id: string }
let objects: Objects
let database: Database
beforeAll(async () => {
  service = await startService()
  user = await givenOn(service).user()
  objects = folderObjects({ folder: join(service.folder, 'objects'), publicUrl: () => service.url })
  database = openDatabase({ url: service.databaseUrl, applicationName: 'test', max: 4 })
})
afterAll(async () => {
  await database.close()
  await service.stop()
})

/** Uploads a file over HTTP. @returns the key of its bytes */
const stored = async (content: string, caller: Caller = user): Promise<string> => {
  const form = new FormData()
  form.set('file', new Blob([content], { type: 'text/csv' }), 'marks.csv')
  const { body } = await caller.post('/api/upload', form)
  return objects.keyOf(body.results[0].url)!
}
const zone = async (fields: object = {}, caller: Caller = user) =>
  (await caller.post('/api/zones', { title: 'Park', ...fields })).body.id as number
const send = async (zoneId: number, key: string, query = '', caller: Caller = user) =>
  caller.post(`/api/gcp/upload${query}`, { fileName: 'marks.csv', fileUrl: objects.addressOf(key), zoneId })

async function ended(id: string, caller: Caller = user): Promise<Answer['body']> {
  for (;;) {
    const { body } = await caller.get(`/api/gcp/upload/${id}`)
    if (body.status === 'COMPLETED' || body.status === 'FAILED') return body
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
/** Imports a text into a zone. @returns the record at its end, its report and the zone's points. */
async function imported(content: string, { zoneId = 0, query = '' } = {}) {
  const into = zoneId || (await zone())
  const { status, body } = await send(into, await stored(content), query)
  expect(status).toBe(200)
  const record = await ended(body.id)
  const report = (await service.anonymous.get(`/api/gcp/upload/${body.id}/report`)).body
  const gcps = (await service.anonymous.get(`/api/gcp?zoneId=${into}`)).body
  return { zoneId: into, record, report, gcps }
}
const rows = (count: number, latitude = 10) =>
  `title,lat,lon,h,description\n${Array.from({ length: count }, (_, i) => `P${i},${latitude + i * 1e-4},20,${i},row ${i}`).join('\n')}\n`

describe('importing survey points', () => {
  test('good rows become points with pins, bad ones are told by row, line and column', async () => {
    const { record, report, gcps } = await imported(
      'title;lat;lon;h;tag\nA;52,5;13,25;34,5;7\nB;91;13,25;1;8\nC;52,51;13,25;;\nD;x;13,25;1;51\n',
    )
    expect(record).toMatchObject({
      status: 'COMPLETED',
      fileName: 'marks.csv',
      rowCount: 4,
      processedRows: 2,
      userId: user.id,
      errorMessage: '2 of 4 rows failed; first: row 2 (line 3): latitude 91 is outside -90..90',
    })
    expect(report.summary).toEqual({ rows: 4, created: 2, updated: 0, unchanged: 0, failed: 2, warnings: 0 })
    expect(report.detected).toMatchObject({ delimiter: ';', decimal: ',', columns: { latitude: 'lat' } })
    expect(report.rows).toEqual([
      {
        row: 2,
        line: 3,
        title: 'B',
        status: 'failed',
        errors: [
          { code: 'LATITUDE_RANGE', message: 'latitude 91 is outside -90..90', path: ['rows', 2, 'lat'], value: '91' },
        ],
      },
      {
        row: 4,
        line: 5,
        title: 'D',
        status: 'failed',
        errors: [
          { code: 'NOT_A_NUMBER', message: 'latitude "x" is not a number', path: ['rows', 4, 'lat'], value: 'x' },
          { code: 'APRIL_TAG_RANGE', message: 'aprilTagId 51 is outside 0..50', path: ['rows', 4, 'tag'], value: '51' },
        ],
      },
    ])
    expect(gcps).toMatchObject([
      {
        title: 'A',
        gcpType: 'SINGLE',
        altitude: 34.5,
        aprilTagId: 7,
        pin: {
          latitude: 52.5,
          longitude: 13.25,
          contentType: 'GCP',
          userId: user.id,
          geoPose: { position: { lat: 52.5, lon: 13.25, h: 34.5 } },
        },
      },
      { title: 'C', altitude: null, pin: { latitude: 52.51, geoPose: null } },
    ])
    const near = await service.anonymous.get('/api/location/pins?lat=52.5&lon=13.25&radius=0')
    expect(near.body.pins).toMatchObject([{ title: 'A', gcpId: gcps[0].id }])
  })

  test('sending a file again changes nothing; sending a changed one changes what differs', async () => {
    const first = await imported('title,lat,lon,h,notes\nA,10.5,20.5,1,one\nB,10.6,20.6,2,two\nC,10.7,20.7,3,three\n')
    const again = await imported(
      'title,lat,lon,h,notes\nA,10.5,20.5,1,one\nB,10.6,20.6,2,two\nC,10.7,20.7,3,three\n',
      first,
    )
    expect(again.report.summary).toMatchObject({ created: 0, updated: 0, unchanged: 3 })
    expect(again.record).toMatchObject({ rowCount: 3, processedRows: 3, errorMessage: null })
    expect(again.gcps).toEqual(first.gcps)

    const changed = await imported(
      'title,lat,lon,h,notes\n a ,10.5,20.5,1,one\nB,10.65,20.6,2,\nC,10.7,20.7,3,drei\nD,10.8,20.8,4,four\n',
      first,
    )
    expect(changed.report.summary).toMatchObject({ created: 1, updated: 3, unchanged: 0 })
    const facts = changed.gcps.map((gcp: Answer['body']) => [
      gcp.title,
      gcp.description,
      gcp.pin.latitude,
      gcp.pin.geoPose.position.lat,
    ])
    expect(facts).toEqual([
      ['a', 'one', 10.5, 10.5],
      ['B', 'two', 10.65, 10.65],
      ['C', 'drei', 10.7, 10.7],
      ['D', 'four', 10.8, 10.8],
    ])
  })

  test('a row may not take a tag that is carried nearby, in the tables or an earlier row', async () => {
    const zoneId = await zone()
    await user.post('/api/gcp', {
      title: 'post',
      gcpType: 'SINGLE',
      aprilTagId: 20,
      geoPose: { position: { lat: 30, lon: 40, h: 0 }, angles: { yaw: 0, pitch: 0, roll: 0 } },
    })
    const { report, gcps } = await imported(
      'title,lat,lon,tag\nA,30.0001,40,20\nB,30.0001,40,21\nC,30.0002,40,21\nD,30.01,40,20\n',
      { zoneId },
    )
    expect(gcps.map(({ title }: { title: string }) => title)).toEqual(['B', 'D'])
    expect(report.rows.map((row: Answer['body']) => [row.row, row.errors[0].code])).toEqual([
      [1, 'APRIL_TAG_CONFLICT'],
      [3, 'APRIL_TAG_CONFLICT'],
    ])
    // The same file again finds its own points, which do not stand in their own way.
    expect(
      (await imported('title,lat,lon,tag\nB,30.0001,40,21\nD,30.01,40,20\n', { zoneId })).report.summary,
    ).toMatchObject({ unchanged: 2, failed: 0 })
    // A tagged point may not be moved next to another bearer of its tag by a file that leaves the tag out.
    expect((await imported('title,lat,lon\nD,30.0001,40\n', { zoneId })).report.summary).toMatchObject({
      updated: 0,
      failed: 1,
    })
  })

  test('the zone settles axis order and warns of what lies off it', async () => {
    const ring = [
      [13, 52],
      [14, 52],
      [14, 53],
      [13, 53],
      [13, 52],
    ]
    const zoneId = await zone({ boundary: { type: 'Polygon', coordinates: [ring] } })
    const { gcps, report } = await imported('G1,13.5,52.5,30.5\nG2,13.6,52.6,31.5\n', { zoneId })
    expect(gcps.map((gcp: Answer['body']) => gcp.pin.latitude)).toEqual([52.5, 52.6])
    expect(report.rows).toMatchObject([
      { row: null, status: 'warning', errors: [{ code: 'HEIGHT_DATUM_UNKNOWN', path: [] }] },
    ])
    const off = await imported('title,lat,lon\nG3,40.5,20.5\n', { zoneId })
    expect(off.report.rows).toMatchObject([{ row: 1, status: 'warning', errors: [{ code: 'OUTSIDE_ZONE' }] }])
    expect(off.record).toMatchObject({ status: 'COMPLETED', errorMessage: null, processedRows: 1 })
  })

  test('a file that cannot be read as a whole fails and says why', async () => {
    expect((await imported('name,easting,northing\nA,1000,2000\n')).record).toMatchObject({
      status: 'FAILED',
      processedRows: 0,
      errorMessage: expect.stringContaining('names no reference system'),
    })
    const { record, gcps } = await imported('title,lat,lon\nA,1.5,2.5\n"B,1.5,2.5\n')
    expect(record).toMatchObject({
      status: 'FAILED',
      processedRows: 1,
      errorMessage: expect.stringMatching(/^line 3: a quote/),
    })
    expect(gcps).toHaveLength(1)
  })

  test('dryRun reports and writes nothing; onError=abort imports nothing when a row is bad', async () => {
    const dry = await imported('title,lat,lon\nA,1.5,2.5\nB,91,2.5\n', { query: '?dryRun=true' })
    expect(dry.record).toMatchObject({ status: 'COMPLETED', rowCount: 2 })
    expect(dry.report.summary).toMatchObject({ created: 1, failed: 1 })
    expect(dry.gcps).toEqual([])
    const abort = await imported('title,lat,lon\nA,1.5,2.5\nB,91,2.5\n', { query: '?onError=abort' })
    expect(abort.record).toMatchObject({
      status: 'FAILED',
      errorMessage: expect.stringMatching(/^Nothing was imported: 1 of 2 rows failed/),
    })
    expect(abort.gcps).toEqual([])
    expect((await imported('title,lat,lon\nA,1.5,2.5\n', { query: '?onError=abort' })).gcps).toHaveLength(1)
  })

  test('the report as CSV is no danger to a spreadsheet', async () => {
    const { record } = await imported('title,lat,lon\n"=HYPERLINK(""x"")",91,2\n')
    const { body, headers } = await service.anonymous.get(`/api/gcp/upload/${record.id}/report?format=csv`)
    expect(headers.get('content-type')).toMatch(/^text\/csv/)
    expect(body).toBe(
      `row,line,title,status,code,column,value,message\r\n1,2,"'=HYPERLINK(""x"")",failed,LATITUDE_RANGE,lat,91,latitude 91 is outside -90..90\r\n`,
    )
  })
})

describe('an import that is broken off', () => {
  const uploads = () => csvStore(database.kysely)
  const job = (parts: Partial<Parameters<typeof importJob>[0]> = {}) =>
    importJob({
      uploads: uploads(),
      store: importStore(database.kysely),
      findZone: zoneStore(database.kysely).get,
      objects,
      tagMetres: 100,
      ...parts,
    })
  const register = async (zoneId: number, content: string) => {
    const objectKey = await stored(content)
    const upload = {
      fileName: 'f',
      fileUrl: objects.addressOf(objectKey),
      zoneId,
      objectKey,
      dryRun: false,
      onError: 'skip' as const,
    }
    return (await uploads().register(newId(), upload, user.id, async () => {}))!.id
  }
  /** A store that dies after some batches: before the next is written, or once it is but nobody was told. */
  const breakingOff = (batches: number, answered: boolean): ReturnType<typeof importStore>['apply'] => {
    let count = 0
    return async (...batch) => {
      const last = count++ >= batches
      const killed = Object.assign(new Error('killed'), { code: 'ECONNRESET' })
      if (last && answered) throw killed
      const outcome = await importStore(database.kysely).apply(...batch)
      if (last) throw killed
      return outcome
    }
  }
  const content = `${rows(1800)}bad,95,20,0,x\n${Array.from({ length: 400 }, (_, i) => `Q${i},${40 + i * 1e-4},20,1,z`).join('\n')}\n`
  const state = async (zoneId: number, id: string) => {
    const gcps = (await service.anonymous.get(`/api/gcp?zoneId=${zoneId}`)).body
    const { summary, rows } = (await service.anonymous.get(`/api/gcp/upload/${id}/report`)).body
    const { status, errorMessage, rowCount, processedRows } = await ended(id)
    const points = gcps.map((gcp: Answer['body']) => [gcp.title, gcp.description, gcp.pin.latitude, gcp.pin.geoPose])
    return { summary, rows, status, errorMessage, rowCount, processedRows, points }
  }

  test('goes on where it was and ends in the same state, wherever it broke', async () => {
    const straight = await zone()
    const whole = await register(straight, content)
    await job().run({ uploadId: whole }, new AbortController().signal)
    const expected = await state(straight, whole)
    expect(expected).toMatchObject({
      status: 'COMPLETED',
      rowCount: 2201,
      processedRows: 2200,
      summary: { created: 2200, failed: 1 },
    })

    for (const [batches, answered] of [
      [0, true],
      [2, true],
      [3, false],
      [4, false],
    ] as const) {
      const zoneId = await zone()
      const id = await register(zoneId, content)
      const dying = { ...importStore(database.kysely), apply: breakingOff(batches, answered) }
      await expect(job({ store: dying }).run({ uploadId: id }, new AbortController().signal)).rejects.toThrow('killed')
      expect(await uploads().get(id)).toMatchObject({ status: 'PROCESSING' })
      expect((await uploads().summary(id))!.summary.rows).toBe(Math.min(2201, (batches + (answered ? 0 : 1)) * 500))
      await job().run({ uploadId: id }, new AbortController().signal)
      expect(await state(zoneId, id)).toEqual(expected)
    }
  })

  test('leaves off between two batches when its process is told to stop, for another run to go on', async () => {
    const zoneId = await zone()
    const id = await register(zoneId, content)
    const stopping = new AbortController()
    const { apply } = importStore(database.kysely)
    const store = {
      ...importStore(database.kysely),
      apply: async (...batch: Parameters<typeof apply>) => {
        stopping.abort()
        return apply(...batch)
      },
    }
    await expect(job({ store }).run({ uploadId: id }, stopping.signal)).rejects.toThrow('another run goes on')
    expect((await uploads().summary(id))!.summary.rows).toBe(500)
    await job().run({ uploadId: id }, new AbortController().signal)
    expect(await ended(id)).toMatchObject({ status: 'COMPLETED', processedRows: 2200 })
  })

  test('two runs of one import at once apply each row once', async () => {
    const zoneId = await zone()
    const id = await register(zoneId, content)
    const outcomes = await Promise.allSettled(
      [1, 2, 3].map(() => job().run({ uploadId: id }, new AbortController().signal)),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(1)
    await job().run({ uploadId: id }, new AbortController().signal)
    expect(await state(zoneId, id)).toMatchObject({
      status: 'COMPLETED',
      processedRows: 2200,
      summary: { created: 2200, updated: 0, failed: 1 },
    })
  })

  test('stops when its record is taken away', async () => {
    const zoneId = await zone()
    const id = await register(zoneId, content)
    const removing: Pick<Objects, 'read'> = {
      async read(key) {
        const bytes = await objects.read(key)
        await uploads().remove(id, { gcps: true })
        return bytes
      },
    }
    await job({ objects: removing }).run({ uploadId: id }, new AbortController().signal)
    expect((await service.anonymous.get(`/api/gcp?zoneId=${zoneId}`)).body).toEqual([])
  })
})

describe('files of a zone', () => {
  test('a file is one of this service, in a zone of the caller', async () => {
    const zoneId = await zone()
    const key = await stored('title,lat,lon\n')
    const other = await givenOn(service).user()
    const upload = { fileName: 'a.csv', fileUrl: objects.addressOf(key), zoneId }
    const post = (change: object, caller: Caller = user) => caller.post('/api/gcp/upload', { ...upload, ...change })
    for (const fileUrl of [
      'http://169.254.169.254/latest',
      'file:///etc/passwd',
      `${objects.addressOf(key)}/../x`,
      `${service.url}/files/zz/AAAAAAAAAAAAAAAAAAAAAA.csv`,
      'marks.csv',
    ]) {
      const { status, body } = await post({ fileUrl })
      expect([status, body.error[0].path]).toEqual([400, ['fileUrl']])
    }
    expect((await post({}, service.anonymous)).status).toBe(401)
    expect((await post({}, other)).status).toBe(403)
    expect((await post({ userId: other.id })).status).toBe(403)
    const foreign = await post({ fileUrl: objects.addressOf(await stored('title,lat,lon\n', other)) })
    expect([foreign.status, foreign.body.error[0].path]).toEqual([400, ['fileUrl']])
    expect(await post({ zoneId: 98_765_432 })).toMatchObject({ status: 404, body: { error: 'Zone not found' } })
    expect((await post({ zoneId: 'x' })).status).toBe(400)
    expect((await post({ fileName: undefined })).status).toBe(400)
    expect((await post({}, await givenOn(service).user({ roles: ['ops'] }))).status).toBe(200)
  })

  test('are listed newest first, their addresses and owners for the owner and ops only', async () => {
    const { zoneId, record } = await imported('title,lat,lon\nA,1.5,2.5\n')
    const second = (await imported('title,lat,lon\nB,1.5,2.6\n', { zoneId })).record
    const list = async (caller: Caller, query = '') => (await caller.get(`/api/gcp/zone/${zoneId}${query}`)).body
    expect(await list(user)).toEqual({ zoneId, zoneName: 'Park', csvFiles: [second, record], totalFiles: 2 })
    const shown = await list(service.anonymous, `?userId=${user.id}`)
    expect(shown.csvFiles).toEqual([second, record].map((one) => ({ ...one, fileUrl: null, userId: null })))
    expect(await list(user, '?userId=nobody')).toMatchObject({ csvFiles: [], totalFiles: 0 })
    expect((await user.get('/api/gcp/zone/98765432')).status).toBe(404)
    expect((await user.get('/api/gcp/upload/nothing')).status).toBe(404)
    expect((await user.get(`/api/gcp/upload/${newId()}/report`)).status).toBe(404)
  })

  test('the same file sent again while it waits or runs is one import', async () => {
    const zoneId = await zone()
    const key = await stored(rows(20_000))
    const [first, second] = await Promise.all([send(zoneId, key), send(zoneId, key)])
    expect(second.body.id).toBe(first.body.id)
    expect((await send(zoneId, key)).body.id).toBe(first.body.id)
    expect(await ended(first.body.id)).toMatchObject({ status: 'COMPLETED', processedRows: 20_000 })
  })

  test('removing one needs its owner and the right zone; its points stay unless asked', async () => {
    const other = await givenOn(service).user()
    const { zoneId, record } = await imported('title,lat,lon\nA,1.5,2.5\n')
    const path = `/api/gcp/zone/${zoneId}`
    expect((await service.anonymous.delete(path, { csvUploadId: record.id })).status).toBe(401)
    expect((await other.delete(path, { csvUploadId: record.id })).status).toBe(403)
    expect((await user.delete(`/api/gcp/zone/${await zone()}`, { csvUploadId: record.id })).status).toBe(404)
    expect((await user.delete(path, {})).status).toBe(400)
    expect((await user.delete(path)).status).toBe(400)
    const removed = await user.delete(path, { csvUploadId: record.id })
    expect([removed.status, removed.body]).toEqual([200, ''])
    expect(await objects.size(objects.keyOf(record.fileUrl)!)).toBeUndefined()
    expect((await user.get(`/api/gcp/upload/${record.id}`)).status).toBe(404)
    expect((await user.get(`/api/gcp?zoneId=${zoneId}`)).body).toHaveLength(1)

    const open = await stored('title,lat,lon\nC,1.5,2.5\n', service.anonymous)
    const { body } = await send(zoneId, open)
    await ended(body.id)
    await user.delete(path, { csvUploadId: body.id })
    expect(await objects.size(open)).toBeGreaterThan(0)

    const next = await imported('title,lat,lon\nA,1.5,2.5\nB,1.6,2.5\n', { zoneId })
    await user.delete(`${path}?csvUploadId=${next.record.id}&deleteGcps=true`)
    // A was there before that file came.
    expect((await user.get(`/api/gcp?zoneId=${zoneId}`)).body).toMatchObject([{ title: 'A' }, { title: 'C' }])
    expect((await user.get('/api/location/pins?lat=1.6&lon=2.5&radius=1')).body.pins).toEqual([])
  })
})
