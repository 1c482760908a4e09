import { availableParallelism } from 'node:os'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { convertedFileBy, originalFile, uploadBy, whole } from '../../../test/content/conversions.ts'
import { boxGlb, slowGlb } from '../../../test/content/glb.ts'
import { formOf } from '../../../test/multipart.ts'
import { type Service, startService } from '../../../test/service.ts'

let service: Service
let database: pg.Client
beforeAll(async () => {
  service = await startService()
  database = new pg.Client({ connectionString: service.databaseUrl })
  await database.connect()
})
afterAll(async () => {
  await database.end()
  await service.stop()
})

const convertedFile = (fileId: unknown) => convertedFileBy(service.anonymous, fileId)
const upload = (bytes: Uint8Array, name?: string) => uploadBy(service.anonymous, bytes, name)

describe('a conversion that broke off', () => {
  const insert = async (fileId: number, status: string, errorCode: string | null, age: string) => {
    await database.query(
      `insert into conversions (sha256, status, attempts, error_code, error, touched_at)
       select sha256, $2, 3, $3, $3, now() - $4::interval from files where id = $1`,
      [fileId, status, errorCode, age],
    )
  }

  test.each([
    ['whose job was lost', 'PENDING', null, '3 hours'],
    ['that failed for the last time a while ago', 'FAILED', 'given_up', '2 minutes'],
    ['that took too long a while ago', 'FAILED', 'timed_out', '2 minutes'],
    ['that ended its process a while ago', 'FAILED', 'crashed', '2 minutes'],
  ])('%s restarts on the next request', async (_, status, errorCode, age) => {
    const { fileId } = await upload(boxGlb())
    await insert(fileId, status, errorCode, age)
    expect(await convertedFile(fileId)).toMatchObject({ status: 200, body: whole })
  })

  test('does not restart if it failed just now, or if the model is the cause', async () => {
    for (const [errorCode, age, status] of [
      ['given_up', '1 second', 400],
      ['crashed', '1 second', 400],
      ['timed_out', '1 second', 503],
      ['unsupported', '3 hours', 400],
    ] as const) {
      const { fileId } = await upload(boxGlb())
      await insert(fileId, 'FAILED', errorCode, age)
      expect(await convertedFile(fileId)).toMatchObject({ status, body: { error: errorCode } })
    }
  })
})

test('a service that stops answers those who wait for a conversion', { tags: ['long'] }, async () => {
  const stopping = await startService()
  const form = formOf({ name: 'slow.glb', bytes: slowGlb() })
  const { fileId } = (await stopping.anonymous.post('/api/upload', form)).body.results[0]
  const waiting = stopping.as({ connection: 'close' }).post(`/api/upload/${fileId}/converted_file`)
  const state = async () => (await stopping.anonymous.get(`/api/upload/convert?fileId=${fileId}`)).body.status
  await expect.poll(state).toBe('PROCESSING')
  const stopped = stopping.stop()
  expect(await waiting).toMatchObject({ status: 503, body: { error: expect.any(String) } })
  await stopped
})

test('an upload waits ten seconds for its conversion, then returns its status; models of other users do not wait for those of one sender', {
  tags: ['long'],
}, async () => {
  const busy = await startService()
  const post = (path: string, bytes: Uint8Array) => busy.anonymous.post(path, formOf({ name: 'chair.glb', bytes }))
  const slow = Array.from({ length: 4 * availableParallelism() }, slowGlb)
  const ids = (await Promise.all(slow.map((bytes) => post('/api/upload', bytes)))).map(
    ({ body }) => body.results[0].fileId,
  )
  const waiting = ids.map((id) => busy.as({ connection: 'close' }).post(`/api/upload/${id}/converted_file`))
  const stateOf = async (id: number) => (await busy.anonymous.get(`/api/upload/convert?fileId=${id}`)).body
  for (const id of ids) await expect.poll(async () => (await stateOf(id)).status ?? 'none').not.toBe('none')

  const other = await buildersOn(busy).user()
  const [{ status, body }, others] = await Promise.all([
    post('/api/upload/convert', boxGlb()),
    other.post('/api/upload/convert', formOf({ name: 'chair.glb', bytes: boxGlb() })),
  ])
  // On a busy machine it may just have started; a request for the file waits longer.
  expect(await other.post(`/api/upload/${others.body.originalFile.id}/converted_file`)).toMatchObject({
    status: 200,
    body: whole,
  })
  expect({ status, body }).toEqual({
    status: 200,
    body: { message: expect.any(String), originalFile: originalFile('chair.glb', 'GLB'), status: 'PENDING' },
  })
  expect(await stateOf(body.originalFile.id)).toEqual(body)
  await busy.stop()
  await Promise.all(waiting)
})

describe('a conversion that takes too long', () => {
  let impatient: Service
  beforeAll(async () => {
    impatient = await startService({ CAIRN_CONVERT_SECONDS: '1' })
  })
  afterAll(() => impatient.stop())

  test('is 503 to the one who waits, then FAILED, and the next model is converted', { tags: ['long'] }, async () => {
    const form = formOf({ name: 'slow.glb', bytes: slowGlb() })
    const { fileId } = (await impatient.anonymous.post('/api/upload', form)).body.results[0]
    const overrun = await impatient.anonymous.post(`/api/upload/${fileId}/converted_file`)
    expect(overrun).toMatchObject({ status: 503, body: { error: expect.any(String) } })
    expect(Number(overrun.headers.get('retry-after'))).toBeGreaterThan(0)
    const state = async () => (await impatient.anonymous.get(`/api/upload/convert?fileId=${fileId}`)).body
    await expect.poll(async () => (await state()).status).toBe('FAILED')
    expect((await state()).error).toContain('1 s')
    const again = await impatient.anonymous.post(`/api/upload/${fileId}/converted_file`)
    expect(again).toMatchObject({ status: 503, body: { error: expect.stringContaining('1 s') } })
    expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(0)
    // A new process has a second for it too, which a machine with much else to do may not have.
    const another = () =>
      impatient.anonymous.post('/api/upload/convert', formOf({ name: 'chair.glb', bytes: boxGlb() }))
    await expect.poll(another).toMatchObject({ status: 200, body: whole })
  })
})
