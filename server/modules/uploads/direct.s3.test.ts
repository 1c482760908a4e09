import { afterAll, beforeAll, expect, test } from 'vitest'
import { boxGlb, png } from '../../test/glb.ts'
import { newBucket } from '../../test/s3-bucket.ts'
import { type Service, startService } from '../../test/service.ts'

let service: Service
let bucket: Awaited<ReturnType<typeof newBucket>>
beforeAll(async () => {
  bucket = await newBucket()
  service = await startService(bucket)
})
afterAll(() => service.stop())

const announce = async (fileName: string, contentType: string, fileSize: number) =>
  (await service.anonymous.post('/api/upload/presigned', { fileName, contentType, fileSize, direct: true })).body

/** Sends bytes to where the answer says, with the headers it says; a length that HTTP forbids to set is the body's own. */
const put = async (
  { uploadUrl, headers }: { uploadUrl: string; headers: Record<string, string> },
  bytes: Uint8Array,
  more: Record<string, string> = {},
) => {
  const { 'content-length': _own, ...others } = headers
  const sent = { method: 'PUT', body: bytes as never, headers: { ...others, ...more } }
  return (await fetch(uploadUrl, sent)).status
}

test('bytes go to the storage itself, and are a file of the service on first use', async () => {
  const announced = await announce('stone.png', 'image/png', png.length)
  expect(announced.uploadUrl).toContain(`${bucket.CAIRN_S3_ENDPOINT}/${bucket.CAIRN_S3_BUCKET}/${announced.key}?`)
  expect(announced.url).toBe(`${service.url}/files/${announced.key}`)
  expect((await service.anonymous.get(announced.url)).status).toBe(404)

  expect(await put(announced, png.subarray(1))).toBe(403)
  expect(await put(announced, png, { 'content-type': 'text/html' })).toBe(403)
  expect(await put({ ...announced, uploadUrl: announced.uploadUrl.replace(announced.key, 'ab/other') }, png)).toBe(403)
  expect(await put(announced, png)).toBe(200)
  expect(await put(announced, png)).toBe(412)

  const file = await fetch(announced.url)
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(Buffer.from(await file.arrayBuffer()).equals(png)).toBe(true)
  expect(file.headers.get('content-disposition')).toContain('stone.png')
})

test('a model that was put there is converted', async () => {
  const model = new Uint8Array(boxGlb())
  const announced = await announce('chair.glb', 'model/gltf-binary', model.length)
  expect(await put(announced, model)).toBe(200)
  const converted = await service.anonymous.post(`/api/upload/${announced.fileId}/converted_file`)
  expect(converted).toMatchObject({ status: 200, body: { convertedFile: { fileName: 'chair.usdz' } } })
})

test('what is not what was announced is never handed out, and does not stay', async () => {
  const page = Buffer.from('<!doctype html><script>alert(1)</script>')
  const announced = await announce('stone.png', 'image/png', page.length)
  expect(await put(announced, page)).toBe(200)
  const asked = await service.anonymous.get(announced.url)
  expect(asked.status).toBeGreaterThanOrEqual(400)
  expect(JSON.stringify(asked.body)).not.toContain('alert')
  expect(await service.objectsKept()).not.toContain(announced.key)
})
