import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readGlbPreview } from '../../../../../usdz/index.ts'
import { material, square, textPackage } from '../../../../../usdz/test/content/text-package.ts'
import { type Builders, buildersOn } from '../../../../test/builders.ts'
import { convertedFileBy, originalFile, uploadBy } from '../../../../test/content/conversions.ts'
import { boxGlb, png } from '../../../../test/content/glb.ts'
import { sendScan, settledScan } from '../../../../test/content/scans.ts'
import { formOf } from '../../../../test/multipart.ts'
import { type Caller, type Service, startService } from '../../../../test/service.ts'
import { sqlOn } from '../../../../test/sql.ts'

let service: Service
let given: Builders
let user: Caller & { id: string }
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
  user = await given.user()
})
afterAll(() => service.stop())

let count = 0
/** A USDZ of a text layer, as other programs write it: a red square in centimetres, z up, and a light. */
const redSquare = () =>
  textPackage(
    `${square('Seat', 'rel material:binding = </Root/Red>')}
    ${material('Red', 'color3f inputs:diffuseColor = (1, 0, 0)')}
    def SphereLight "Lamp${++count}" { }`,
    [],
    'metersPerUnit = 0.01\n upAxis = "Z"',
  )
const toGlb = (caller: Caller, fileId: unknown) => caller.post(`/api/upload/${fileId}/converted_file?format=glb`)
const uploadToGlb = (caller: Caller, bytes: Uint8Array, name = 'chair.usdz', options = '') =>
  caller.post(`/api/upload/convert?format=glb${options}`, formOf({ name, bytes }))
const bytesOf = async (url: string) => new Uint8Array(await (await fetch(url)).arrayBuffer())
const meshesOf = async (url: string) => (await readGlbPreview(await bytesOf(url))).meshes
const recordOf = async (caller: Caller, fileId: unknown) => (await caller.get(`/api/v1/user/files/${fileId}`)).body

const whole = {
  message: 'File converted to GLB.',
  originalFile: originalFile('chair.usdz', 'USDZ'),
  convertedFile: {
    id: expect.any(Number),
    fileName: 'chair.glb',
    fileType: 'GLB',
    fileUrl: expect.stringMatching(/\.glb$/),
    fileSize: expect.any(Number),
  },
  options: { format: 'glb' },
  conversionTime: expect.stringMatching(/^\d+\.\d\ds$/),
}

describe('a USDZ with format=glb', () => {
  test('becomes a GLB in metres with y up, served as one; the report has what is left out', async () => {
    const { status, body } = await uploadToGlb(user, redSquare())
    expect(status).toBe(200)
    expect(body).toEqual({ ...whole, report: expect.any(Object) })
    expect(body.report).toMatchObject({ triangles: 2, vertices: 4, meshes: 1, materials: 1, animations: 0 })
    expect(body.report.notes).toContainEqual(
      expect.objectContaining({ message: 'Lights are left out.', effect: 'left_out' }),
    )
    const { headers } = await service.anonymous.get(body.convertedFile.fileUrl)
    expect(headers.get('content-type')).toBe('model/gltf-binary')
    const [seat] = await meshesOf(body.convertedFile.fileUrl)
    expect(seat!.material.color).toEqual([1, 0, 0])
    const [x, , , , , , yToZ] = seat!.transforms[0]!
    expect([x, yToZ]).toEqual([expect.closeTo(0.01), expect.closeTo(-0.01)])
  })

  test('that this service made of a GLB has its triangles and colour again', async () => {
    const made = await convertedFileBy(user, (await uploadBy(user, boxGlb({ colour: [0.5, 0.25, 1, 1] }))).fileId)
    const usdz = await bytesOf(made.body.convertedFile.fileUrl)
    const { body } = await uploadToGlb(user, usdz)
    expect(body).toMatchObject({ ...whole, report: { triangles: 12 } })
    const [box] = await meshesOf(body.convertedFile.fileUrl)
    expect(box!.material.color).toEqual([0.5, 0.25, 1].map((part) => expect.closeTo(part)))
  })

  test('is converted once for all files with the same bytes; state and stream are those of the conversion', async () => {
    const bytes = redSquare()
    const [first, second] = [await uploadBy(user, bytes, 'chair.usdz'), await uploadBy(user, bytes, 'copy.usdz')]
    const before = await user.get(`/api/upload/convert?fileId=${first.fileId}&format=glb`)
    expect(before.body.message).toBe('This file has not been converted yet.')
    const answers = await Promise.all([toGlb(user, first.fileId), toGlb(user, second.fileId)])
    expect(answers[0]!.body).toMatchObject(whole)
    expect(answers[1]!.body.convertedFile).toMatchObject({
      fileName: 'copy.glb',
      fileUrl: answers[0]!.body.convertedFile.fileUrl,
    })
    const { body } = await user.get(`/api/upload/convert?fileId=${first.fileId}&format=glb`)
    expect(body).toMatchObject(whole)
    const stream = await fetch(`${service.url}/api/upload/${first.fileId}/stream?format=glb`)
    expect(await stream.text()).toContain(body.convertedFile.fileUrl)
  })

  test('is in the record of the file with its URL and report, and goes with the file', async () => {
    const { fileId } = await uploadBy(user, redSquare(), 'chair.usdz')
    const made = (await toGlb(user, fileId)).body
    const glbUrl = made.convertedFile.fileUrl
    const record = await recordOf(user, fileId)
    expect(record.conversion).toBeNull()
    expect(record.conversionsWithOptions).toEqual([
      {
        options: { format: 'glb' },
        status: 'COMPLETED',
        usdzUrl: null,
        glbUrl,
        errorMessage: null,
        report: made.report,
      },
    ])
    expect((await user.delete(`/api/v1/user/files/${fileId}`)).status).toBe(204)
    expect((await service.anonymous.get(glbUrl)).status).toBe(404)
  })

  test('of a user is converted for the owner and ops; others get the result', async () => {
    const [stranger, ops] = [await given.user(), await given.user({ roles: ['ops'] })]
    const { fileId } = await uploadBy(user, redSquare(), 'chair.usdz')
    expect((await toGlb(stranger, fileId)).status).toBe(403)
    expect((await toGlb(ops, fileId)).status).toBe(200)
    expect((await toGlb(stranger, fileId)).status).toBe(200)
  })

  test('of a private scan becomes a GLB for its owner and ops only', async () => {
    const stranger = await given.user()
    const scan = await settledScan(user, (await sendScan(user, { name: 'chair.usdz', bytes: redSquare() })).body.id)
    const { status, body } = await toGlb(user, scan.fileId)
    expect(status).toBe(200)
    expect((await toGlb(stranger, scan.fileId)).status).toBe(404)
    expect((await stranger.get(body.convertedFile.fileUrl)).status).toBe(404)
    expect((await user.get(body.convertedFile.fileUrl)).status).toBe(200)
  })
})

describe('the other direction is refused, and the message says what to do', () => {
  test('a USDZ without format=glb is stored and not converted', async () => {
    const { status, body } = await user.post('/api/upload/convert', formOf({ name: 'chair.usdz', bytes: redSquare() }))
    expect([status, Object.keys(body)]).toEqual([200, ['message', 'originalFile']])
    expect(body.message).toContain('with format=glb')
    expect(await convertedFileBy(user, body.originalFile.id)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('add format=glb') },
    })
  })

  test.each([
    ['a GLB', 'chair.glb', () => boxGlb(), 'model/gltf-binary'],
    ['an image', 'chair.png', () => png, 'image/png'],
    ['text named .usdz', 'chair.usdz', () => Buffer.from('a chair'), 'application/octet-stream'],
    [
      'a ZIP whose first file is compressed',
      'chair.usdz',
      () => withMethod(redSquare(), 8),
      'application/zip, and its first file is no uncompressed USD layer',
    ],
  ])('%s with format=glb: 400 in every operation, and nothing is stored', async (_what, name, bytes, type) => {
    const { fileId } = await uploadBy(user, bytes(), name)
    const kept = (await service.objectsKept()).length
    const message = `can be glb only for a USDZ; "${name}" is ${type}`
    const refused = { status: 400, body: { error: [{ code: 'custom', path: ['format'], message }] } }
    expect(await uploadToGlb(user, bytes(), name)).toMatchObject(refused)
    expect(await toGlb(user, fileId)).toMatchObject(refused)
    expect(await user.get(`/api/upload/convert?fileId=${fileId}&format=glb`)).toMatchObject(refused)
    expect(await user.get(`/api/upload/${fileId}/stream?format=glb`)).toMatchObject(refused)
    expect((await service.objectsKept()).length).toBe(kept)
  })

  test.each([
    ['profile=quicklook', 'profile'],
    ['scale=2', 'scale'],
    ['loop=false', 'loop'],
    ['anchor=face', 'anchor'],
  ])('format=glb with %s: 400', async (query, path) => {
    const refused = { status: 400, body: { error: [{ path: [path], message: expect.stringContaining('to USDZ') }] } }
    const { fileId } = await uploadBy(user, redSquare(), 'chair.usdz')
    expect(await user.post(`/api/upload/${fileId}/converted_file?format=glb&${query}`)).toMatchObject(refused)
    expect(await uploadToGlb(user, redSquare(), 'chair.usdz', `&${query}`)).toMatchObject(refused)
  })

  test('another format: 400; format=usdz is the default', async () => {
    const { fileId } = await uploadBy(user, boxGlb())
    const [odd, plain, named] = await Promise.all(
      ['format=obj', '', 'format=usdz'].map((query) => user.post(`/api/upload/${fileId}/converted_file?${query}`)),
    )
    expect(odd).toMatchObject({ status: 400, body: { error: [{ path: ['format'] }] } })
    expect(named!.body.convertedFile).toEqual(plain!.body.convertedFile)
  })
})

describe('the result of a conversion', () => {
  test('is no source itself: 400, in both directions', async () => {
    const glb = (await toGlb(user, (await uploadBy(user, redSquare(), 'chair.usdz')).fileId)).body.convertedFile
    const usdz = (await convertedFileBy(user, (await uploadBy(user, boxGlb())).fileId)).body.convertedFile
    const refused = { status: 400, body: { error: expect.stringContaining('itself the result of a conversion') } }
    expect(await convertedFileBy(user, glb.id)).toMatchObject(refused)
    expect(await toGlb(user, usdz.id)).toMatchObject(refused)
  })

  test('that is uploaded again and converted keeps nothing when both uploads are deleted', async () => {
    const source = await uploadBy(user, redSquare(), 'chair.usdz')
    const glb = await bytesOf((await toGlb(user, source.fileId)).body.convertedFile.fileUrl)
    const again = await uploadBy(user, glb)
    const { fileUrl } = (await convertedFileBy(user, again.fileId)).body.convertedFile
    for (const { fileId } of [again, source])
      expect((await user.delete(`/api/v1/user/files/${fileId}`)).status).toBe(204)
    expect((await service.anonymous.get(fileUrl)).status).toBe(404)
    const left = await sqlOn(service)(
      'select from conversions c where not exists (select from files f where f.sha256 = c.sha256)',
    )
    expect(left).toEqual([])
  })
})

/** The package with another compression method of its first file, in both headers. */
function withMethod(usdz: Uint8Array, method: number): Uint8Array {
  const changed = Buffer.from(usdz)
  changed.writeUInt16LE(method, 8)
  changed.writeUInt16LE(method, changed.readUInt32LE(changed.length - 22 + 16) + 10)
  return changed
}
