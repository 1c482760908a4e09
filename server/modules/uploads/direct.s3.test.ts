import { request as send } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { boxGlb, png } from '../../test/content/glb.ts'
import { newBucket } from '../../test/programs/s3/s3-bucket.ts'
import { type Service, startService } from '../../test/service.ts'
import { type Sql, sqlOn } from '../../test/sql.ts'

let service: Service
let sql: Sql
let bucket: Awaited<ReturnType<typeof newBucket>>

beforeAll(async () => {
  bucket = await newBucket()
  service = await startService(bucket)
  sql = sqlOn(service)
})
afterAll(() => service.stop())

type Announced = { uploadUrl: string; key: string; url: string; fileId: number; headers: Record<string, string> }

async function announce(fileName: string, contentType: string, fileSize: number, caller = service.anonymous) {
  const announced = { fileName, contentType, fileSize, direct: true }
  const { status, body } = await caller.post('/api/upload/presigned', announced)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body as Announced
}

/** A PUT with exactly these headers: fetch would add a length. */
const put = (url: string, bytes: Uint8Array, headers: Record<string, string>): Promise<number> =>
  new Promise((resolve, reject) => {
    const request = send(url, { method: 'PUT', headers }, (answer) => {
      answer.resume()
      resolve(answer.statusCode!)
    })
    request.on('error', reject).end(bytes)
  })

const isKnown = async (id: number) => (await sql('select from files where id = $1', [id])).length === 1

describe('a direct upload', () => {
  test('goes to the storage itself with the returned headers; the file is checked on its first use', async () => {
    const user = await buildersOn(service).user()
    const { uploadUrl, url, fileId, headers } = await announce('a.png', 'image/png', png.length, user)
    expect(uploadUrl.startsWith(`${bucket.CAIRN_S3_ENDPOINT}/`)).toBe(true)
    expect((await service.anonymous.get(url)).status).toBe(404)
    expect(await put(uploadUrl, png, headers)).toBe(200)
    expect(await isKnown(fileId)).toBe(false)
    const served = await fetch(url)
    expect(Buffer.from(await served.arrayBuffer())).toEqual(png)
    expect(served.headers.get('content-type')).toBe('image/png')
    expect(served.headers.get('content-disposition')).toContain('a.png')
    expect(await sql('select user_id, size, mime_type from files where id = $1', [fileId])).toEqual([
      { user_id: user.id, size: png.length, mime_type: 'image/png' },
    ])
    expect(await sql('select from reservations where id = $1', [fileId])).toEqual([])
  })

  test('is deleted with its user, even before its first use', async () => {
    const user = await buildersOn(service).user()
    const { uploadUrl, url, headers } = await announce('a.png', 'image/png', png.length, user)
    expect(await put(uploadUrl, png, headers)).toBe(200)
    expect((await user.delete('/api/v1/user')).status).toBe(204)
    expect((await service.anonymous.get(url)).status).toBe(404)
  })

  test.each([
    [
      '/api/download',
      async ({ url }: Announced) => service.anonymous.get(`/api/download?url=${encodeURIComponent(url)}`),
    ],
    ['a conversion', async ({ fileId }: Announced) => service.anonymous.post(`/api/upload/${fileId}/converted_file`)],
    [
      'the state of a conversion',
      async ({ fileId }: Announced) => service.anonymous.get(`/api/upload/convert?fileId=${fileId}`),
    ],
  ])('is checked by %s, which finds it or refuses what was not announced', async (_what, use) => {
    const glb = boxGlb()
    const good = await announce('a.glb', 'model/gltf-binary', glb.length)
    expect(await put(good.uploadUrl, glb, good.headers)).toBe(200)
    expect((await use(good)).status).toBe(200)
    expect(await isKnown(good.fileId)).toBe(true)

    const bad = await announce('a.glb', 'model/gltf-binary', png.length)
    expect(await put(bad.uploadUrl, png, bad.headers)).toBe(200)
    const { status, body } = await use(bad)
    expect([status, body.error]).toEqual([400, expect.stringMatching(/model\/gltf-binary.*image\/png/)])
    expect((await service.anonymous.get(bad.url)).status).toBe(404)
    expect(await service.objectsKept()).not.toContain(bad.key)
  })

  test('of a photo can be given to a point', async () => {
    const user = await buildersOn(service).user()
    const { uploadUrl, url, fileId, headers } = await announce('a.png', 'image/png', png.length, user)
    await put(uploadUrl, png, headers)
    const point = { title: 'P', gcpType: 'SINGLE', uploadedFileIds: [fileId] }
    const { status, body } = await user.post('/api/gcp', point)
    expect([status, body.gcp?.photoUrls]).toEqual([201, [url]])
  })

  test('of an HTML page declared as a picture is never served', async () => {
    const page = Buffer.from('<!doctype html><script>alert(1)</script>')
    const { uploadUrl, url, headers } = await announce('a.png', 'image/png', page.length)
    expect(await put(uploadUrl, page, headers)).toBe(200)
    const { status, body } = await service.anonymous.get(url)
    expect(status).toBe(400)
    expect(JSON.stringify(body)).not.toContain('alert')
  })

  test('of a survey file can be imported', async () => {
    const user = await buildersOn(service).user()
    const csv = Buffer.from('name,lat,lon\nP,1,2\n')
    const { uploadUrl, url, headers } = await announce('points.csv', 'text/csv', csv.length, user)
    await put(uploadUrl, csv, headers)
    const zone = (await user.post('/api/zones', { title: 'Zone' })).body
    const answer = await user.post('/api/gcp/upload', { fileName: 'points.csv', fileUrl: url, zoneId: zone.id })
    expect(answer.status).toBe(200)
  })

  test('accepts exactly what was announced, once', async () => {
    const { uploadUrl, key, headers } = await announce('a.png', 'image/png', png.length)
    const more = Buffer.concat([png, png])
    expect(await put(uploadUrl, more, { ...headers, 'content-length': String(more.length) })).toBe(403)
    expect(await put(uploadUrl, png, { ...headers, 'content-type': 'text/html' })).toBe(403)
    expect(await put(uploadUrl.replace(key, key.replace(/.png$/, '.glb')), png, headers)).toBe(403)
    expect(await service.objectsKept()).not.toContain(key)
    expect(await put(uploadUrl, png, headers)).toBe(200)
    expect(await put(uploadUrl, png, headers)).toBe(412)
  })

  test('that is never used is checked by the sweep: kept if it matches, deleted otherwise', async () => {
    const right = await announce('a.png', 'image/png', png.length)
    const wrong = await announce('a.png', 'image/png', 5)
    await put(right.uploadUrl, png, right.headers)
    await put(wrong.uploadUrl, Buffer.from('hello'), wrong.headers)
    await sql(`update reservations set expires_at = now() - interval '61 minutes'`)
    await service.app.sweepUploads()
    expect(await isKnown(right.fileId)).toBe(true)
    expect(await isKnown(wrong.fileId)).toBe(false)
    expect(await service.objectsKept()).not.toContain(wrong.key)
    expect(await sql('select from reservations')).toEqual([])
  })
})

test('counts against the hourly bytes when it is announced', async () => {
  const few = await startService({ ...(await newBucket()), CAIRN_LIMIT_UPLOAD_BYTES_PER_HOUR: '1000' })
  const announced = { fileName: 'a.bin', contentType: 'text/plain', fileSize: 600 }
  const ask = (direct: boolean) => few.anonymous.post('/api/upload/presigned', { ...announced, direct })
  expect((await ask(true)).status).toBe(200)
  expect((await ask(false)).status).toBe(200)
  expect((await ask(true)).status).toBe(429)
  await few.stop()
})

test('without "direct" goes through the service into the bucket', async () => {
  const { body } = await service.anonymous.post('/api/upload/presigned', {
    fileName: 'a.png',
    contentType: 'image/png',
  })
  expect(body.uploadUrl.startsWith(`${service.url}/files/`)).toBe(true)
  expect((await service.request('PUT', body.uploadUrl, png, { 'content-type': 'image/png' })).status).toBe(200)
  expect(await service.objectsKept()).toContain(body.key)
})
