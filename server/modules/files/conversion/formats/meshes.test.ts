import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { binaryStl, meshFiles, obj, ply, size } from '../../../../../usdz/test/content/mesh-files.ts'
import { buildersOn } from '../../../../test/builders.ts'
import { convertBy, convertedFileBy, uploadBy } from '../../../../test/content/conversions.ts'
import { plyFile, splatFile } from '../../../../test/content/scan-files.ts'
import { formOf } from '../../../../test/multipart.ts'
import { type Caller, type Service, startService } from '../../../../test/service.ts'

let service: Service
let user: Caller
beforeAll(async () => {
  service = await startService()
  user = await buildersOn(service).user()
})
afterAll(() => service.stop())

const bytes = (text: string) => new Uint8Array(Buffer.from(text))
const named = (what: string) => `thing.${/PLY|OBJ|STL/.exec(what)![0].toLowerCase()}`

describe('a PLY, OBJ or STL', () => {
  test.each(Object.entries(meshFiles))('%s becomes a USDZ with its size in metres', async (what, content) => {
    const name = named(what)
    const { status, body } = await convertBy(user, { name, bytes: content })
    const kind = name.split('.')[1]!
    expect(status).toBe(200)
    expect(body).toMatchObject({
      originalFile: { fileType: kind.toUpperCase(), fileUrl: expect.stringMatching(new RegExp(`\\.${kind}$`)) },
      convertedFile: { fileName: 'thing.usdz' },
      report: { triangles: 4, size, metersPerUnit: 1 },
    })
  })

  test('in millimetres is converted with scale=0.001, and the report says so', async () => {
    const { fileId } = await uploadBy(user, binaryStl(), 'lamp.stl')
    const { status, body } = await user.post(`/api/upload/${fileId}/converted_file?scale=0.001`)
    expect([status, body.report.metersPerUnit]).toEqual([200, 0.001])
    expect(body.report.size.depth).toBeCloseTo(0.004, 9)
  })

  test('of Gaussian splats becomes a USDZ of particles with profile=spec', async () => {
    const { fileId } = await uploadBy(user, splatFile(), 'garden.ply')
    const { status, body } = await user.post(`/api/upload/${fileId}/converted_file?profile=spec`)
    expect([status, body.options]).toEqual([200, { profile: 'spec' }])
    expect(body.report).toMatchObject({ splats: 3, triangles: 0, size: { width: 2 }, metersPerUnit: 1 })
  })

  test('is a model in the list of files, and is downloaded, not shown, by a browser', async () => {
    const { fileId, mimeType, url } = await uploadBy(user, ply(), 'thing.ply')
    expect(mimeType).toBe('model/ply')
    const { files } = (await user.get('/api/v1/user/files?kind=model')).body
    expect(files.map((file: { fileId: number }) => file.fileId)).toContain(fileId)
    const { headers } = await service.anonymous.get(url)
    expect(headers.get('content-disposition')).toMatch(/^attachment/)
  })

  test('is found by its bytes, whatever its name is; a binary STL by its name too', async () => {
    const typeOf = async (content: Uint8Array, name: string) => (await uploadBy(user, content, name)).mimeType
    expect(await typeOf(ply(), 'thing.txt')).toBe('model/ply')
    expect(await typeOf(obj(), 'thing')).toBe('model/obj')
    expect(await typeOf(binaryStl('solid'), 'thing.STL')).toBe('model/stl')
    expect(await typeOf(binaryStl('solid'), 'thing.bin')).toBe('application/octet-stream')
    expect(await typeOf(bytes('solid ground'), 'thing.stl')).toBe('application/octet-stream')
  })
})

describe('what is no mesh is refused, and the message says what to do', () => {
  test.each([
    ['a point cloud', plyFile({ faces: false }), 'cloud.ply', 'The PLY is a point cloud without faces. Reconstruct'],
    ['splats', splatFile(), 'garden.ply', 'The PLY has Gaussian splats, and AR viewers show triangles only. Export'],
    ['an OBJ of points', bytes('v 0 0 0\nv 1 0 0\np 1 2\n'), 'points.obj', 'The file has no faces'],
  ])('%s: 400; the upload with conversion stores it as failed', async (_what, content, name, message) => {
    const { fileId } = await uploadBy(user, content, name)
    const error = expect.stringContaining(message)
    expect(await convertedFileBy(user, fileId)).toMatchObject({ status: 400, body: { error } })
    const sent = await convertBy(user, { name, bytes: content })
    expect(sent).toMatchObject({ status: 200, body: { status: 'FAILED', error } })
  })

  test.each([
    ['text named .obj', 'notes.obj', 'just some notes', 'claims to be of type OBJ but is not'],
    ['text named .stl', 'notes.stl', 'solid ground', 'claims to be of type STL but is not'],
    ['text named .ply', 'notes.ply', 'playing', 'claims to be of type PLY but is not'],
    ['an OBJ named .glb', 'chair.glb', Buffer.from(obj()).toString(), 'claims to be of type GLB but is not'],
    ['a damaged PLY', 'a.ply', 'ply\nformat ascii 1.0\n', 'The PLY has no end_header.'],
    ['an OBJ with a missing vertex', 'a.obj', 'v 0 0 0\nf 1 2 3\n', 'A face names v 2; the file has 1 before it.'],
  ])('%s: 400, and nothing is stored', async (_what, name, content, message) => {
    const kept = (await service.objectsKept()).length
    const refused = await user.post('/api/upload/convert', formOf({ name, bytes: bytes(content) }))
    expect(refused).toMatchObject({ status: 400, body: { error: expect.stringContaining(message) } })
    expect((await service.objectsKept()).length).toBe(kept)
  })
})

test('the AR page of a mesh has its USDZ, and says that Android needs a GLB', async () => {
  const { body } = await convertBy(user, { name: 'old_well.ply', bytes: ply() })
  const page = async (on: string) => (await service.anonymous.get(`/ar/${body.originalFile.id}?on=${on}`)).body
  expect(await page('apple')).toContain(`href="${body.convertedFile.fileUrl}"`)
  expect(await page('apple')).toContain('<h1>old well</h1>')
  expect(await page('android')).toContain('This model has no GLB')
})
