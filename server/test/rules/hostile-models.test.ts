// @module-tag long
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { givenModel, squareGlb, withJson } from '../../../usdz/test/content/models.ts'
import { convertBy } from '../content/conversions.ts'
import { boxGlb, png, slowGlb } from '../content/glb.ts'
import { sendMutants } from '../content/hostile-models.ts'
import { zipOf } from '../content/zip-bomb.ts'
import { formOf } from '../multipart.ts'
import { type Service, startService } from '../service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const convert = (bytes: Uint8Array, name = 'model.glb') =>
  convertBy(service.anonymous, { name, type: 'model/gltf-binary', bytes })
type Json = Record<string, Record<string, unknown>[]>
const square = async (change: (json: Json) => void) =>
  withJson(await squareGlb(), (json) => change(json as unknown as Json))
const unfinished = () => readdir(join(service.folder, 'objects', 'partial'))

test('200 damaged models give a result or an error', async () => {
  const { wrong, counts, megabytes } = await sendMutants(service, { count: 200 })
  expect(wrong).toEqual([])
  // Otherwise conversions would not be covered.
  expect(counts.converted).toBeGreaterThan(10)
  expect(megabytes.most - megabytes.before).toBeLessThan(1000)
  expect(await unfinished()).toEqual([])
  expect((await service.anonymous.get('/readyz')).status).toBe(200)
}, 300_000)

describe('a model that declares far more than it has is refused with the reason:', () => {
  const accessor = (more: object) => ({ type: 'VEC3', componentType: 5126, count: 2 ** 31, ...more })

  test.each<[string, (json: Json) => void]>([
    ['an accessor of 2^31 items without bytes', (json) => json.accessors!.push(accessor({}))],
    ['an accessor of 2^31 items in a small buffer', (json) => json.accessors!.push(accessor({ bufferView: 0 }))],
    ['an accessor of 2^53 items', (json) => Object.assign(json.accessors![0]!, { count: 2 ** 53 })],
    [
      'a sparse accessor of 2^31 changes',
      (json) =>
        json.accessors!.push(
          accessor({
            count: 4,
            sparse: { count: 2 ** 31, indices: { bufferView: 0, componentType: 5125 }, values: { bufferView: 0 } },
          }),
        ),
    ],
    ['a buffer of 2^40 bytes', (json) => Object.assign(json.buffers![0]!, { byteLength: 2 ** 40 })],
    [
      'nodes 5,000 deep',
      (json) => {
        const first = json.nodes!.length
        for (let i = 0; i < 5000; i++) json.nodes!.push({ children: i === 4999 ? [] : [first + i + 1] })
        json.scenes![0]!.nodes = [first]
      },
    ],
    [
      'a mesh drawn a million times by one node',
      (json) => {
        json.extensionsUsed = ['EXT_mesh_gpu_instancing'] as never
        json.accessors!.push({ type: 'VEC3', componentType: 5126, count: 100_000_000 })
        Object.assign(json.nodes![0]!, {
          extensions: { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: json.accessors!.length - 1 } } },
        })
      },
    ],
  ])('%s', async (_, change) => {
    const { status, body } = await convert(await square(change))
    expect({ status, failed: status === 200 ? body.status : 'FAILED' }).toEqual({
      status: expect.toBeOneOf([200, 400]),
      failed: 'FAILED',
    })
    expect(body.error).toEqual(expect.stringMatching(/.{20}/))
  })

  test('JSON of 60 MB of brackets', async () => {
    const json = Buffer.alloc(60_000_000, '[')
    const head = Buffer.alloc(20)
    head.write('glTF')
    head.writeUInt32LE(2, 4)
    head.writeUInt32LE(20 + json.length, 8)
    head.writeUInt32LE(json.length, 12)
    head.write('JSON', 16)
    expect(await convert(new Uint8Array(Buffer.concat([head, json])))).toMatchObject({
      status: 200,
      body: { status: 'FAILED', error: expect.stringMatching(/nested/) },
    })
  })

  test('a texture of 16,384 × 16,384 pixels in less than a megabyte is never decoded: it is omitted, and reported', async () => {
    const background = { r: 9, g: 9, b: 9 }
    const options = { create: { width: 16_384, height: 16_384, channels: 3 as const, background } }
    const image = await sharp({ ...options, limitInputPixels: false })
      .png()
      .toBuffer()
    const model = givenModel()
    const texture = model.document.createTexture('a').setImage(new Uint8Array(image)).setMimeType('image/png')
    const paint = model.document.createMaterial('Paint').setBaseColorTexture(texture)
    model.node('Square', model.mesh('Square', model.square(paint.setBaseColorFactor([0.5, 0.5, 1, 1]))))
    const { status, body } = await convert(await model.glb())
    expect(status).toBe(200)
    expect(body.report.notes).toContainEqual(expect.objectContaining({ code: 'texture_unreadable' }))
  })

  test('textures with more total pixels than allowed', async () => {
    const model = givenModel()
    for (let i = 0; i < 5; i++) {
      const image = Buffer.from(png)
      image.writeUInt32BE(10_000, 16)
      image.writeUInt32BE(10_000 + i, 20)
      const texture = model.document.createTexture(`${i}`).setImage(new Uint8Array(image)).setMimeType('image/png')
      const paint = model.document.createMaterial(`${i}`).setBaseColorTexture(texture)
      model.node(`${i}`, model.mesh(`${i}`, model.square(paint)))
    }
    const { status, body } = await convert(await model.glb())
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { status: 'FAILED', error: expect.stringMatching(/pixels/) },
    })
  })
})

describe('polyglot files', () => {
  test('a GLB followed by a page is served as a model, sandboxed', async () => {
    const page = Buffer.from('<html><script>alert(1)</script></html>  ')
    expect((await convert(new Uint8Array(Buffer.concat([boxGlb(), page])))).status).toBe(200)
    const sent = await service.anonymous.post(
      '/api/upload',
      formOf({ name: 'page.html', type: 'text/html', bytes: Buffer.concat([boxGlb(), page]) }),
    )
    const { headers } = await service.request('GET', sent.body.results[0].url)
    expect(headers.get('content-type')).toBe('model/gltf-binary')
    expect(headers.get('content-security-policy')).toContain('sandbox')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('a PNG, a ZIP bomb and a page declared as GLB are 400', async () => {
    for (const bytes of [png, zipOf('a.glb', 0), Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')])
      expect(await convert(new Uint8Array(bytes))).toMatchObject({
        status: 400,
        body: { error: expect.stringMatching(/claims to be of type GLB/) },
      })
  })

  test('a ZIP that would unpack to gigabytes is stored without being unpacked', async () => {
    const sent = await service.anonymous.post('/api/upload', formOf({ name: 'a.zip', bytes: zipOf('a', 2 ** 31) }))
    expect(sent).toMatchObject({ status: 200, body: { results: [{ mimeType: 'application/zip', fileSize: 10_000 }] } })
  })
})

test('a model truncated after any KiB is refused with the reason', async () => {
  const whole = await square((json) => {
    json.nodes!.push(...Array.from({ length: 2000 }, (_, at) => ({ name: `node ${at}` })))
  })
  for (let length = 1024; length < whole.length; length += 1024)
    expect(await convert(whole.slice(0, length)), `after ${length}`).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/GLB/) },
    })
})

test('while all processes convert slow models, other users can upload, get errors, and see the status', async () => {
  const slow = await Promise.all(
    [slowGlb(), slowGlb(), slowGlb(), slowGlb()].map((bytes) =>
      service.anonymous.post('/api/upload', formOf({ name: 'slow.glb', bytes })),
    ),
  )
  const ids = slow.map(({ body }) => body.results[0].fileId)
  const waiting = Promise.all(ids.map((id) => service.anonymous.post(`/api/upload/${id}/converted_file`)))
  const states = async () =>
    (await Promise.all(ids.map((id) => service.anonymous.get(`/api/upload/convert?fileId=${id}`)))).map(
      ({ body }) => body.status,
    )
  await expect.poll(states).toContain('PROCESSING')
  expect(await convert(boxGlb().slice(0, 100))).toMatchObject({ status: 400 })
  expect(await service.anonymous.post('/api/upload', formOf({ bytes: 'hello' }))).toMatchObject({ status: 200 })
  expect(await states()).toContain('PROCESSING')
  expect((await waiting).map(({ status }) => status)).toEqual([200, 200, 200, 200])
}, 120_000)
