import { Agent, request } from 'node:http'
import { availableParallelism } from 'node:os'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { convertBy } from '../../../test/content/conversions.ts'
import {
  boxGlb,
  movingGlb,
  png,
  pointsOutsideGlb,
  slowGlb,
  soupGlb,
  unknownExtensionGlb,
} from '../../../test/content/glb.ts'
import { type FormPart, formHeaders, formOf, rawForm } from '../../../test/multipart.ts'
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

const convert = (...parts: FormPart[]) => service.anonymous.post('/api/upload/convert', formOf(...parts))
const convertGlb = (bytes: Uint8Array, name = 'chair.glb') => convertBy(service.anonymous, { name, bytes })
const statusOf = (fileId: unknown) => service.anonymous.get(`/api/upload/convert?fileId=${fileId}`)
const convertedFile = (fileId: unknown) => service.anonymous.post(`/api/upload/${fileId}/converted_file`)
const upload = async (bytes: Uint8Array, name = 'chair.glb') =>
  (await service.anonymous.post('/api/upload', formOf({ name, bytes }))).body.results[0]

async function kept() {
  const counts = `select (select count(*) from files) as files, (select count(*) from conversions) as conversions`
  const { files, conversions } = (await database.query(counts)).rows[0]
  return { files, conversions, objects: (await service.objectsKept()).length }
}

const originalFile = (name: string, fileType: string) => ({
  id: expect.any(Number),
  fileName: name,
  fileType,
  fileUrl: expect.stringContaining('/files/'),
})
const whole = {
  message: expect.any(String),
  originalFile: originalFile('chair.glb', 'GLB'),
  convertedFile: {
    id: expect.any(Number),
    fileName: 'chair.usdz',
    fileType: 'USDZ',
    fileUrl: expect.stringMatching(/\.usdz$/),
    fileSize: expect.any(Number),
  },
  conversionTime: expect.stringMatching(/^\d+\.\d\ds$/),
  report: expect.objectContaining({ triangles: 12, meshes: 1, notes: expect.any(Array) }),
}

describe('POST /api/upload/convert', () => {
  test('a GLB is converted, and the USDZ is served as one', async () => {
    const { status, body } = await convertGlb(boxGlb())
    expect({ status, body }).toEqual({ status: 200, body: whole })
    const file = await fetch(body.convertedFile.fileUrl)
    expect(file.headers.get('content-type')).toBe('model/vnd.usdz+zip')
    expect(file.headers.get('content-disposition')).toMatch(/^inline; filename="chair.usdz"/)
    const bytes = Buffer.from(await file.arrayBuffer())
    expect(bytes.length).toBe(body.convertedFile.fileSize)
    expect(bytes.subarray(0, 4).toString('latin1')).toBe('PK\x03\x04')
  })

  test('the report says where each animation lies', async () => {
    const { body } = await convertGlb(movingGlb())
    expect(body.report).toMatchObject({ animations: 1, clips: [{ name: 'Slide', index: 0, start: 0, end: 2 }] })
  })

  test('another type is kept and not converted', async () => {
    const { status, body } = await convert({ name: 'stone.png', bytes: png })
    expect({ status, body }).toEqual({
      status: 200,
      body: { message: expect.any(String), originalFile: originalFile('stone.png', 'PNG') },
    })
    expect((await statusOf(body.originalFile.id)).body).toEqual(body)
  })

  test('what says it is a GLB, by name or type, and is none is 400 with the reason, and nothing is kept', async () => {
    const before = await kept()
    for (const part of [
      { name: 'stone.glb', bytes: png },
      { name: 'stone', type: 'model/gltf-binary', bytes: png },
    ])
      expect(await convert(part)).toMatchObject({ status: 400, body: { error: expect.stringContaining('image/png') } })
    expect(await kept()).toEqual(before)
  })

  test('a refused sender may go on sending, and then use the connection again', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const send = (body: Uint8Array) =>
      new Promise<number>((resolve, reject) => {
        const options = { method: 'POST', agent, headers: formHeaders }
        const sent = request(`${service.url}/api/upload/convert`, options, (answer) => {
          answer.resume().once('end', () => resolve(answer.statusCode!))
        })
        sent.once('error', reject).end(body)
      })
    const large = Buffer.concat([png, Buffer.alloc(30_000_000)])
    expect(await send(rawForm([{ name: 'stone.glb', bytes: large }]))).toBe(400)
    expect(await send(rawForm([{ name: 'stone.png', bytes: png }]))).toBe(200)
    agent.destroy()
  })

  test('a GLB that is cut off or malformed is 400 with the reason, and nothing is kept', async () => {
    const before = await kept()
    const box = boxGlb()
    const cuts = [box.subarray(0, 12), box.subarray(0, 100), box.subarray(0, box.length - 4)]
    for (const bytes of [...cuts, pointsOutsideGlb()]) {
      const { status, body } = await convertGlb(bytes)
      expect({ status, body }).toEqual({
        status: 400,
        body: { error: expect.stringMatching(/GLB|[Aa]ccessor|buffer/) },
      })
    }
    expect(await kept()).toEqual(before)
  })

  test('a malformed model that was uploaded before stays, and its file tells why it failed', async () => {
    const bytes = pointsOutsideGlb()
    const { fileId } = await upload(bytes)
    expect(await convertGlb(bytes)).toMatchObject({ status: 400 })
    expect(await statusOf(fileId)).toMatchObject({ status: 200, body: { status: 'FAILED', error: expect.any(String) } })
  })

  test('a GLB of an older glTF is sound, so it is kept', async () => {
    const old = boxGlb()
    new DataView(old.buffer).setUint32(4, 1, true)
    expect(await convertGlb(old)).toMatchObject({ status: 200, body: { status: 'FAILED', error: expect.any(String) } })
  })

  test('a sound GLB that cannot be converted is kept, with status FAILED and the reason', async () => {
    const { status, body } = await convertGlb(unknownExtensionGlb())
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        message: expect.any(String),
        originalFile: originalFile('chair.glb', 'GLB'),
        status: 'FAILED',
        error: expect.stringContaining('EXT_of_test'),
      },
    })
    expect((await statusOf(body.originalFile.id)).body).toEqual(body)
    expect(await convertedFile(body.originalFile.id)).toMatchObject({ status: 400, body: { error: body.error } })
  })

  test('several files are 400, and none of them is kept', async () => {
    const before = await kept()
    const part = { name: 'chair.glb', bytes: boxGlb() }
    expect(await convert(part, part)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('several') },
    })
    expect(await kept()).toEqual(before)
  })

  test('no file is 400, no form 415', async () => {
    expect(await convert({ field: 'other', bytes: png })).toMatchObject({
      status: 400,
      body: { error: [{ path: ['file'] }] },
    })
    expect(await service.anonymous.post('/api/upload/convert', {})).toMatchObject({ status: 415 })
  })

  test('of 5 concurrent requests with one content, one conversion is made and shared', async () => {
    const before = await kept()
    const bytes = soupGlb(10_000)
    const answers = await Promise.all(Array.from({ length: 5 }, (_, at) => convertGlb(bytes, `copy ${at}.glb`)))
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200))
    expect(new Set(answers.map(({ body }) => body.convertedFile.fileUrl)).size).toBe(1)
    expect(new Set(answers.map(({ body }) => body.conversionTime)).size).toBe(1)
    expect(new Set(answers.map(({ body }) => body.originalFile.id)).size).toBe(5)
    expect(answers.map(({ body }) => body.convertedFile.fileName)).toContain('copy 4.usdz')
    const after = await kept()
    expect([after.conversions - before.conversions, after.files - before.files]).toEqual([1, 6])
    const begun = `select attempts from conversions join files using (sha256) where files.id = $1`
    expect((await database.query(begun, [answers[0]!.body.originalFile.id])).rows).toEqual([{ attempts: 1 }])
  })
})

describe('POST /api/upload/{fileId}/converted_file', () => {
  test('converts an uploaded GLB; asked again, it repeats the stored result and its own time', async () => {
    const { fileId } = await upload(boxGlb())
    expect((await statusOf(fileId)).body).toEqual({
      message: expect.any(String),
      originalFile: originalFile('chair.glb', 'GLB'),
    })
    const first = await convertedFile(fileId)
    expect(first).toMatchObject({ status: 200, body: whole })
    const { message, ...again } = (await convertedFile(fileId)).body
    expect(again).toEqual({ ...first.body, message: undefined })
    expect((await statusOf(fileId)).body).toMatchObject(again)
  })

  test('a file that is no GLB is 400; an unknown id is 404, a malformed one 400', async () => {
    const { fileId } = await upload(png, 'stone.png')
    expect(await convertedFile(fileId)).toMatchObject({ status: 400, body: { error: expect.stringContaining('GLB') } })
    expect(await convertedFile(1)).toMatchObject({ status: 404, body: { error: 'File not found' } })
    for (const id of ['abc', '0', '-1', '1.5', '99999999999999999999'])
      expect(await convertedFile(id)).toMatchObject({ status: 400, body: { error: [{ path: ['fileId'] }] } })
  })
})

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
    ['that was given up a while ago', 'FAILED', 'given_up', '2 minutes'],
    ['that took too long a while ago', 'FAILED', 'timed_out', '2 minutes'],
    ['that ended its process a while ago', 'FAILED', 'crashed', '2 minutes'],
  ])('%s is begun anew when it is asked for', async (_, status, errorCode, age) => {
    const { fileId } = await upload(boxGlb())
    await insert(fileId, status, errorCode, age)
    expect(await convertedFile(fileId)).toMatchObject({ status: 200, body: whole })
  })

  test('is not begun anew when it was given up just now, or when the model was to blame', async () => {
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

describe('GET /api/upload/convert', () => {
  test('an unknown, malformed, missing or repeated id is 400 and says where', async () => {
    for (const query of ['fileId=1', 'fileId=abc', 'fileId=', '', 'fileId=1&fileId=2'])
      expect(await service.anonymous.get(`/api/upload/convert?${query}`)).toMatchObject({
        status: 400,
        body: { error: [{ path: ['fileId'] }] },
      })
  })
})

test('a service that stops answers those who wait for a conversion', async () => {
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

test('an upload waits ten seconds for its conversion, then answers how far it is; models of somebody else do not wait for those of one sender', {
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
  // On a machine with much else to do it may just have begun; whoever asks for the file waits for longer.
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
