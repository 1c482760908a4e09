import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { databaseClock } from '../../platform/database/clock.ts'
import { buildersOn } from '../builders.ts'
import { boxGlb } from '../content/glb.ts'
import { formOf } from '../multipart.ts'
import { type EventStream, openEventStream, type ServerEvent } from '../network/event-stream.ts'
import { startSecondService } from '../second-service.ts'
import { type Answer, type Caller, type Service, startService } from '../service.ts'
import { type Sql, sqlOn } from '../sql.ts'
import { importsOn, surveyRows } from '../surveying/imports.ts'

/** Streams are opened at one process; all other requests go to the other one, which runs the jobs. */
const clock = databaseClock()
let service: Service
let other: Awaited<ReturnType<typeof startSecondService>>
let user: Caller & { id: string }
let imports: ReturnType<typeof importsOn>
let sql: Sql
const open: EventStream[] = []
beforeAll(async () => {
  service = await startService()
  other = await startSecondService(service, { CAIRN_ROLE: 'api' }, clock)
  user = await buildersOn(service).user()
  imports = importsOn(service, user)
  sql = sqlOn(service)
})
afterEach(() => {
  vi.restoreAllMocks()
  for (const stream of open.splice(0)) stream.close()
})
afterAll(async () => {
  await other.stop()
  await service.stop()
})

async function follow(path: string, headers: Record<string, string> = {}): Promise<EventStream> {
  const stream = await openEventStream(other.url + path, headers)
  open.push(stream)
  return stream
}

/** Everything until the stream ends. */
async function allOf(stream: EventStream): Promise<ServerEvent[]> {
  const events: ServerEvent[] = []
  await stream.ended
  for (;;) {
    const event = await stream.next().catch(() => undefined)
    if (!event) return events
    events.push(event)
  }
}
const after = (event: ServerEvent) => ({ 'last-event-id': event.id })

describe('the stream of an import', () => {
  const path = (id: string) => `/api/gcp/upload/${id}/stream`
  const recordOf = async (id: string, caller: Pick<Caller, 'get'> = service.anonymous) =>
    (await caller.get(`/api/gcp/upload/${id}`)).body

  /** An import that no job works on. */
  async function standing(): Promise<{ id: string; zoneId: number }> {
    const { record, zoneId } = await imports.imported('title,lat,lon\nA,1,2\n')
    await sql(`update csv_uploads set status = 'PROCESSING', row_count = null, processed_rows = 0 where id = $1`, [
      record.id,
    ])
    return { id: record.id, zoneId }
  }
  const move = (id: string, rows: number) =>
    sql('update csv_uploads set processed_rows = $2, updated_at = clock_timestamp() where id = $1', [id, rows])

  test('reports progress and ends with the last state, for an import in another process', {
    tags: ['long'],
  }, async () => {
    const { body } = await imports.send(await imports.zone(), await imports.stored(surveyRows(12_000)))
    const stream = await follow(path(body.id))
    expect(stream.status).toBe(200)
    expect(stream.headers).toMatchObject({
      'content-type': expect.stringMatching(/^text\/event-stream/),
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    const events = await allOf(stream)
    const states = events.map(({ data }) => data as Answer['body'])
    expect(states.at(-1)).toEqual(await recordOf(body.id))
    expect(states.at(-1)).toMatchObject({ status: 'COMPLETED', processedRows: 12_000 })
    const rows = states.map(({ processedRows }) => processedRows)
    expect(rows).toEqual(rows.toSorted((a, b) => a - b))
    for (const { event, id } of events)
      expect({ event, id }).toEqual({ event: '', id: expect.stringMatching(/^[\w-]{16}$/) })

    // A client that has seen the end gets 204; others get the last state.
    const again = [{ 'last-event-id': events.at(-1)!.id }, {}, after(events[0]!)]
    const statuses = await Promise.all(again.map(async (headers) => (await follow(path(body.id), headers)).status))
    expect(statuses).toEqual([204, 200, events.length > 1 ? 200 : 204])
    expect((await follow(`${path(body.id)}?lastEventId=${events.at(-1)!.id}`)).status).toBe(204)
    expect(await allOf(await follow(path(body.id)))).toEqual([events.at(-1)])
  })

  test('sends each change once, and after a reconnect to any process only later ones', { tags: ['long'] }, async () => {
    const { id } = await standing()
    const stream = await follow(path(id))
    const first = await stream.next()
    expect(first.data).toEqual(await recordOf(id))
    await move(id, 1000)
    const second = await stream.next()
    expect(second.data).toMatchObject({ status: 'PROCESSING', processedRows: 1000, fileUrl: null })
    stream.close()

    const idle = await follow(path(id), after(second))
    const missed = await openEventStream(service.url + path(id), after(first))
    open.push(missed)
    expect(await missed.next()).toEqual(second)
    await move(id, 2000)
    for (const one of [idle, missed]) expect((await one.next()).data).toMatchObject({ processedRows: 2000 })
    await sql(`update csv_uploads set status = 'FAILED', error_message = 'x', row_count = 3000 where id = $1`, [id])
    for (const one of [idle, missed]) {
      expect((await allOf(one)).map(({ data }) => data)).toEqual([await recordOf(id)])
    }
    // A failed import can be retried: it is followed again.
    const failed = (await allOf(await follow(path(id))))[0]!
    await user.post(`/api/gcp/upload/${id}/retry`)
    const events = await allOf(await follow(path(id), after(failed)))
    expect(events.at(-1)!.data).toMatchObject({ status: 'COMPLETED' })
  })

  test('shows the owner, ops and others what GET shows them, and follows changes of their roles', {
    tags: ['long'],
  }, async () => {
    const { id } = await standing()
    const given = buildersOn(service)
    const [stranger, ops, admin] = [
      await given.user(),
      await given.user({ roles: ['ops'] }),
      await given.user({ roles: ['admin'] }),
    ]
    const viewers = [user, ops, stranger, service.anonymous]
    const streams = await Promise.all(viewers.map(({ headers }) => follow(path(id), headers)))
    const seen = async () => {
      const events = await Promise.all(streams.map((stream) => stream.next()))
      const records = await Promise.all(viewers.map((viewer) => recordOf(id, viewer)))
      // Without CAIRN_PUBLIC_URL each process returns its own URL.
      const ownAddress = JSON.stringify(records).replaceAll(service.url, other.url)
      expect(events.map(({ data }) => data)).toEqual(JSON.parse(ownAddress))
      return records.map(({ userId }) => userId !== null)
    }
    expect(await seen()).toEqual([true, true, false, false])
    expect(await admin.put(`/api/v1/users/${ops.id}/roles`, { roles: [] })).toMatchObject({ status: 200 })
    await sleep(1000) // Revoking a role takes up to this long.
    await move(id, 10)
    expect(await seen()).toEqual([true, false, false, false])
  })

  test('ends with its session, and for all followers when the record is deleted; others continue', {
    tags: ['long'],
  }, async () => {
    const { id, zoneId } = await standing()
    const leaving = await buildersOn(service).user()
    const [ended, stays] = [await follow(path(id), leaving.headers), await follow(path(id), user.headers)]
    await Promise.all([ended.next(), stays.next()])
    await leaving.post('/auth/sign-out')
    await ended.ended
    await move(id, 10)
    expect((await stays.next()).data).toMatchObject({ processedRows: 10 })
    await expect(ended.next()).rejects.toThrow('ended')
    // A process may cache a session for a moment; then the stream ends.
    while ((await follow(path(id), leaving.headers)).status !== 401) await sleep(50)

    const anyone = await follow(path(id))
    await anyone.next()
    await user.delete(`/api/gcp/zone/${zoneId}?csvUploadId=${id}`)
    await Promise.all([stays.ended, anyone.ended])
    expect((await follow(path(id))).status).toBe(404)
  })

  test('counts toward the hundred streams of a caller', async () => {
    const { id } = await standing()
    const many = await buildersOn(service).user()
    const streams = await Promise.all(Array.from({ length: 101 }, () => follow(path(id), many.headers)))
    expect(streams.map(({ status }) => status).toSorted()).toEqual([...Array(100).fill(200), 429])
    const refused = streams.find(({ status }) => status === 429)!
    expect(refused.headers).toMatchObject({ 'retry-after': '30' })
    expect((await follow(path(id), user.headers)).status).toBe(200)
  })
})

describe('the stream of a conversion', () => {
  const path = (fileId: number) => `/api/upload/${fileId}/stream`
  const uploaded = async (name: string, bytes: Uint8Array | string): Promise<number> =>
    (await user.post('/api/upload', formOf({ name, bytes }))).body.results[0].fileId
  const createProgress = async (fileId: number) => (await other.as({}).get(`/api/upload/convert?fileId=${fileId}`)).body

  test('starts before the request for a conversion, and ends with the USDZ, for all files with the same content', {
    tags: ['long'],
  }, async () => {
    const bytes = boxGlb()
    const files = [await uploaded('a.glb', bytes), await uploaded('b.glb', bytes)]
    const streams = await Promise.all(files.map((file) => follow(path(file))))
    const firsts = await Promise.all(streams.map((stream) => stream.next()))
    expect(firsts.map(({ data }) => data)).toEqual(await Promise.all(files.map(createProgress)))
    expect((await service.anonymous.post(`/api/upload/${files[0]}/converted_file`)).status).toBe(200)
    const lasts = (await Promise.all(streams.map(allOf))).map((events) => events.at(-1)!)
    expect(lasts.map(({ data }) => data)).toEqual(await Promise.all(files.map(createProgress)))
    expect(lasts[1]!.data).toMatchObject({ convertedFile: { fileName: 'b.usdz' } })
    expect((await follow(path(files[1]!), after(lasts[1]!))).status).toBe(204)
  })

  test('ends at once for a file that is not converted, and when the file is deleted', async () => {
    const text = await uploaded('a.txt', 'no model')
    const events = await allOf(await follow(path(text)))
    expect(events.map(({ data }) => data)).toEqual([await createProgress(text)])
    const bytes = boxGlb()
    const [model] = [await uploaded('a.glb', bytes), await uploaded('b.glb', bytes)]
    const stream = await follow(path(model!))
    await stream.next()
    await sql('delete from files where id = $1', [model])
    await stream.ended
    expect((await follow(path(model!))).status).toBe(404)
  })

  test('ends with the reason after a failure', async () => {
    const model = await uploaded('a.glb', boxGlb())
    const stream = await follow(path(model))
    await sql(
      `insert into conversions (sha256, status, error_code, error) select sha256, 'FAILED', 'crashed', 'why' from files where id = $1`,
      [model],
    )
    expect((await allOf(stream)).at(-1)!.data).toMatchObject({ status: 'FAILED', error: 'why' })
  })
})

describe('the stream of a scan', () => {
  const path = (id: string) => `/api/v1/user/scans/${id}`
  const made = async (name: string, bytes: Uint8Array | string): Promise<Answer['body']> =>
    (await user.post('/api/v1/user/scans', formOf({ name, bytes }))).body
  /** Without signatures, which change. */
  const unsigned = (scan: unknown) => JSON.parse(JSON.stringify(scan).replaceAll(/\?expires=[^"]*/g, ''))

  test('shows what is found in it, and for a GLB ends with its USDZ, to its owner and ops only', {
    tags: ['long'],
  }, async () => {
    const { id } = await made('chair.glb', boxGlb())
    const ops = await buildersOn(service).user({ roles: ['ops'] })
    const stranger = await buildersOn(service).user()
    const streams = await Promise.all([user, ops].map(({ headers }) => follow(`${path(id)}/stream`, headers)))
    for (const events of await Promise.all(streams.map(allOf))) {
      const states = events.map(({ data }) => data as Answer['body'])
      expect(states.at(-1)).toMatchObject({ status: 'COMPLETED', usdzStatus: 'COMPLETED', fileType: 'GLB' })
      expect(unsigned(states.at(-1))).toEqual(unsigned((await other.as(user.headers).get(path(id))).body))
      expect((await follow(`${path(id)}/stream`, { ...user.headers, ...after(events.at(-1)!) })).status).toBe(204)
    }
    const statuses = [stranger.headers, {}].map(async (headers) => (await follow(`${path(id)}/stream`, headers)).status)
    expect(await Promise.all(statuses)).toEqual([404, 401])
  })

  test('sends changes by its owner, ignores new signatures, and ends when it is deleted', {
    tags: ['long'],
  }, async () => {
    const { id } = await made('chair.glb', boxGlb())
    await allOf(await follow(`${path(id)}/stream`, user.headers))
    await sql(`update scans set status = 'PROCESSING' where id = $1`, [id])
    const stream = await follow(`${path(id)}/stream`, user.headers)
    const first = await stream.next()
    vi.spyOn(clock, 'now').mockReturnValue(clock.now() + 1_800_000)
    const later = (await other.as(user.headers).get(path(id))).body
    expect(later.scanUrl).not.toBe((first.data as Answer['body']).scanUrl)
    await sql('update scans set touched_at = clock_timestamp() where id = $1', [id])
    await sleep(600)
    vi.restoreAllMocks()
    await user.patch(path(id), { title: 'Chair' })
    expect((await stream.next()).data).toMatchObject({ title: 'Chair' })
    await user.delete(path(id))
    await stream.ended
  })

  test("of a private scan's conversion is for its owner only", { tags: ['long'] }, async () => {
    const { id, fileId } = await made('chair.glb', boxGlb())
    const address = `/api/upload/${fileId}/stream`
    expect((await follow(address)).status).toBe(404)
    expect((await follow(address, user.headers)).status).toBe(200)
    await allOf(await follow(`${path(id)}/stream`, user.headers))
    await user.patch(path(id), { visibility: 'public' })
    await sql('delete from conversions where sha256 = (select sha256 from files where id = $1)', [fileId])
    const [anyone, owner] = [await follow(address), await follow(address, user.headers)]
    await Promise.all([anyone.next(), owner.next()])
    await user.patch(path(id), { visibility: 'private' })
    await anyone.ended
    await user.post(`/api/upload/${fileId}/converted_file`)
    expect((await allOf(owner)).at(-1)!.data).toMatchObject({ convertedFile: { fileType: 'USDZ' } })
  })
})

test('a stopping service ends its streams', async () => {
  const short = await startSecondService(service, { CAIRN_ROLE: 'api' })
  const model = (await user.post('/api/upload', formOf({ name: 'a.glb', bytes: boxGlb() }))).body.results[0].fileId
  const stream = await openEventStream(`${short.url}/api/upload/${model}/stream`)
  await stream.next()
  await short.stop()
  await stream.ended
})
