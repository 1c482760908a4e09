import { Agent, request } from 'node:http'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { convertBy, convertedFileBy, originalFile, uploadBy, whole } from '../../../test/content/conversions.ts'
import { boxGlb, movingGlb, png, pointsOutsideGlb, soupGlb, unknownExtensionGlb } from '../../../test/content/glb.ts'
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
const convertedFile = (fileId: unknown) => convertedFileBy(service.anonymous, fileId)
const upload = (bytes: Uint8Array, name?: string) => uploadBy(service.anonymous, bytes, name)

async function kept() {
  const counts = `select (select count(*) from files) as files, (select count(*) from conversions) as conversions`
  const { files, conversions } = (await database.query(counts)).rows[0]
  return { files, conversions, objects: (await service.objectsKept()).length }
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

  test('a file that is a GLB by name or type but not by content is 400 with the reason, and is not stored', async () => {
    const before = await kept()
    for (const part of [
      { name: 'stone.glb', bytes: png },
      { name: 'stone', type: 'model/gltf-binary', bytes: png },
    ])
      expect(await convert(part)).toMatchObject({ status: 400, body: { error: expect.stringContaining('image/png') } })
    expect(await kept()).toEqual(before)
  })

  test('a refused sender can finish its request and reuse the connection', async () => {
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

  test('a malformed model that was already uploaded stays, and its file has the reason', async () => {
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

  test('of 5 concurrent requests with one content, one conversion is made and shared', { tags: ['long'] }, async () => {
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

describe('GET /api/upload/convert', () => {
  test('an unknown, malformed, missing or repeated id is 400 and says where', async () => {
    for (const query of ['fileId=1', 'fileId=abc', 'fileId=', '', 'fileId=1&fileId=2'])
      expect(await service.anonymous.get(`/api/upload/convert?${query}`)).toMatchObject({
        status: 400,
        body: { error: [{ path: ['fileId'] }] },
      })
  })
})
