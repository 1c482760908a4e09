import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import { boxGlb, png, unknownExtensionGlb } from '../../../test/content/glb.ts'
import { sendScan, settledScan, uploadOf } from '../../../test/content/scans.ts'
import { type Caller, type Service, startService } from '../../../test/service.ts'
import { importsOn } from '../../../test/surveying/imports.ts'

let service: Service
let given: Builders
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
})
afterAll(() => service.stop())

const files = '/api/v1/user/files'
const names = (body: { files: { fileName: string }[] }) => body.files.map(({ fileName }) => fileName)
/** Waits for the conversion as long as one may take. */
const convert = async (user: Caller, bytes: Uint8Array, name: string) => {
  const { fileId } = await uploadOf(user, { name, bytes })
  return (await user.post(`/api/upload/${fileId}/converted_file`)).body
}

describe("a user's files", () => {
  test('are the newest first, exact in their members, found by a part of the name and by kind', {
    tags: ['long'],
  }, async () => {
    const user = await given.user()
    const text = await uploadOf(user, { name: 'Notes 100%.txt', bytes: 'hello' })
    const picture = await uploadOf(user, { name: 'roof.png', bytes: png })
    const model = boxGlb()
    const { originalFile, convertedFile } = await convert(user, model, 'chair.glb')
    await uploadOf(await given.user(), { name: 'foreign.txt', bytes: 'not ours' })
    await uploadOf(service.anonymous, { name: 'nobody.txt', bytes: 'hello' })
    const { body, headers } = await user.get(files)
    const createdAt = expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/)
    const common = { userId: user.id, createdAt, conversionsWithOptions: [] }
    expect(body.files).toEqual([
      {
        ...common,
        fileId: originalFile.id,
        fileName: 'chair.glb',
        url: originalFile.fileUrl,
        contentType: 'model/gltf-binary',
        bytes: model.length,
        conversion: { status: 'COMPLETED', usdzUrl: convertedFile.fileUrl, errorMessage: null },
      },
      {
        ...common,
        fileId: picture.fileId,
        fileName: 'roof.png',
        url: picture.url,
        contentType: 'image/png',
        bytes: png.length,
        conversion: null,
      },
      {
        ...common,
        fileId: text.fileId,
        fileName: 'Notes 100%.txt',
        url: text.url,
        contentType: 'application/octet-stream',
        bytes: 5,
        conversion: null,
      },
    ])
    expect(headers.get('x-total-count')).toBe('3')
    for (const [query, found] of [
      ['search=NOTES', ['Notes 100%.txt']],
      ['search=0%25', ['Notes 100%.txt']],
      ['search=_', []],
      ['kind=model', ['chair.glb']],
      ['kind=image', ['roof.png']],
      ['kind=other', ['Notes 100%.txt']],
      ['kind=image&search=chair', []],
    ] as const)
      expect(names((await user.get(`${files}?${query}`)).body), query).toEqual(found)
    expect(await user.get(`${files}?kind=video`)).toMatchObject({ status: 400 })
  })

  test('are paged: the Link followed to the end gives each once', async () => {
    const user = await given.user()
    for (let n = 0; n < 5; n++) await uploadOf(user, { name: `${n}.txt`, bytes: 'x' })
    const seen: string[] = []
    for (let path: string | undefined = `${files}?limit=2`; path; ) {
      const { body, headers } = await user.get(path)
      seen.push(...names(body))
      path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
    }
    expect(seen).toEqual(['4.txt', '3.txt', '2.txt', '1.txt', '0.txt'])
    expect(await user.get(`${files}?cursor=bad`)).toMatchObject({ status: 400 })
  })

  test('of everybody are for ops: theirs and those sent without a session, but not what conversions made', async () => {
    const [ops, user] = [await given.user({ roles: ['ops'] }), await given.user()]
    await convert(user, boxGlb(), 'all of us.glb')
    await uploadOf(service.anonymous, { name: 'all of us.txt', bytes: 'x' })
    const { body } = await ops.get(`${files}?all=true&search=all of us`)
    expect(body.files.map(({ userId, fileName }: { userId: string; fileName: string }) => [fileName, userId])).toEqual([
      ['all of us.txt', null],
      ['all of us.glb', user.id],
    ])
    expect(names((await ops.get(files)).body)).toEqual([])
    expect(await user.get(`${files}?all=true`)).toMatchObject({ status: 403 })
  })
})

describe('one file', () => {
  test('has the notes or the error of its conversion; for other users it is 404', async () => {
    const user = await given.user()
    const { originalFile, report } = await convert(user, boxGlb(), 'chair.glb')
    expect((await user.get(`${files}/${originalFile.id}`)).body.conversion).toMatchObject({
      status: 'COMPLETED',
      report,
    })
    const { fileId } = await uploadOf(user, { name: 'new.glb', bytes: unknownExtensionGlb() })
    const { error } = (await user.post(`/api/upload/${fileId}/converted_file`)).body
    expect((await user.get(`${files}/${fileId}`)).body.conversion).toEqual({
      status: 'FAILED',
      usdzUrl: null,
      errorMessage: error,
      report: null,
    })
    expect(await (await given.user()).get(`${files}/${originalFile.id}`)).toMatchObject({ status: 404 })
    expect(await (await given.user({ roles: ['ops'] })).get(`${files}/${originalFile.id}`)).toMatchObject({
      status: 200,
    })
  })

  test('of a private scan has signed addresses, which lead to it', { tags: ['long'] }, async () => {
    const user = await given.user()
    const scan = await settledScan(user, (await sendScan(user, { name: 'secret.glb', bytes: boxGlb() })).body.id)
    const { body } = await user.get(`${files}/${scan.fileId}`)
    expect((await fetch(body.url)).status).toBe(200)
    expect((await fetch(body.url.split('?')[0])).status).toBe(404)
  })
})

describe('deleting a file', () => {
  test('takes its bytes, and its USDZ unless another file has the same content', async () => {
    const [user, other] = [await given.user(), await given.user()]
    const model = boxGlb()
    const { originalFile, convertedFile } = await convert(user, model, 'one.glb')
    const twin = await convert(other, model, 'two.glb')
    const there = async (url: string) => (await fetch(url)).status === 200
    expect(await user.delete(`${files}/${originalFile.id}`)).toMatchObject({ status: 204 })
    expect(await there(originalFile.fileUrl)).toBe(false)
    expect(await user.get(`${files}/${originalFile.id}`)).toMatchObject({ status: 404 })
    expect(await there(convertedFile.fileUrl)).toBe(true)
    expect(await other.delete(`${files}/${twin.originalFile.id}`)).toMatchObject({ status: 204 })
    expect(await there(convertedFile.fileUrl)).toBe(false)
  })

  test('is allowed for its owner and admins, 404 for other users, 403 for ops; the audit log records it', async () => {
    const [user, ops, admin] = [
      await given.user(),
      await given.user({ roles: ['ops'] }),
      await given.user({ roles: ['admin'] }),
    ]
    const { fileId } = await uploadOf(user, { name: 'a.txt', bytes: 'a' })
    expect(await service.anonymous.delete(`${files}/${fileId}`)).toMatchObject({ status: 401 })
    expect(await (await given.user()).delete(`${files}/${fileId}`)).toMatchObject({ status: 404 })
    expect(await ops.delete(`${files}/${fileId}`)).toMatchObject({ status: 403 })
    expect(await admin.delete(`${files}/${fileId}`)).toMatchObject({ status: 204 })
    const { body } = await ops.get(`/api/v1/audit-log?action=file.deleted&subject=${fileId}`)
    expect(body.entries).toMatchObject([{ actor: admin.id }])
  })

  test('is 409 while a record of its owner or of ops shows it, which is named: a scan, a point, a pin, an import, an app', {
    tags: ['long'],
  }, async () => {
    const [user, ops] = [await given.user(), await given.user({ roles: ['ops'] })]
    const pinOf = async (fields: object, caller: Caller = user) =>
      (
        await caller.post('/api/location/pins', {
          title: 'Gate',
          contentType: 'GLB',
          latitude: 1,
          longitude: 2,
          ...fields,
        })
      ).body
    const refused = async (fileId: number) => {
      const { status, body } = await user.delete(`${files}/${fileId}`)
      expect(status).toBe(409)
      return body.error
    }

    const scan = await settledScan(
      user,
      (await sendScan(user, { name: 'a.txt', bytes: 'a' }, { title: 'Roof' })).body.id,
    )
    expect(await refused(scan.fileId)).toContain(`scan ${scan.id} "Roof"`)

    const picture = await uploadOf(user, { name: 'a.png', bytes: png })
    const point = (await user.post('/api/gcp', { title: 'Corner', gcpType: 'SINGLE', photoUrls: [picture.url] })).body
      .gcp
    expect(await refused(picture.fileId)).toContain(`GCP ${point.id} "Corner"`)

    const rows = 'title,lat,lon\nP,1,2\n'
    const imports = importsOn(service, user)
    const survey = await uploadOf(user, { name: 'marks.csv', bytes: rows })
    const zoneId = await imports.zone()
    const sent = await user.post('/api/gcp/upload', { fileName: 'marks.csv', fileUrl: survey.url, zoneId })
    await imports.ended(sent.body.id)
    expect(await refused(survey.fileId)).toContain(`import ${sent.body.id} "marks.csv"`)

    for (const member of ['contentUrl', 'relocalizationPhotoUrl']) {
      const { fileId, url } = await uploadOf(user, { name: 'b.png', bytes: png })
      const pin = await pinOf({ [member]: url })
      expect(await refused(fileId), member).toContain(`pin ${pin.id} "Gate"`)
      await user.delete(`/api/location/pins/${pin.id}`)
      expect(await user.delete(`${files}/${fileId}`)).toMatchObject({ status: 204 })
    }

    const foreign = await uploadOf(user, { name: 'c.png', bytes: png })
    await pinOf({ contentUrl: foreign.url, visibility: 'private', title: 'Hidden' }, ops)
    const said = await refused(foreign.fileId)
    expect(said).toContain('a pin of another user')
    expect(said).not.toContain('Hidden')

    const strange = await uploadOf(user, { name: 'd.png', bytes: png })
    const theirs = await pinOf({ contentUrl: strange.url, title: 'Of another user' }, await given.user())
    expect(await user.delete(`${files}/${strange.fileId}`)).toMatchObject({ status: 204 })
    expect((await fetch(strange.url)).status).toBe(404)
    expect(await service.anonymous.get(`/api/location/pins/${theirs.id}`)).toMatchObject({
      status: 200,
      body: { contentUrl: strange.url },
    })

    const icon = await uploadOf(user, { name: 'icon.png', bytes: png })
    const app = await user.post('/api/v1/apps', { name: 'Trail', description: 'A race', imageUrl: icon.url })
    expect(await refused(icon.fileId)).toContain(`app ${app.body.id} "Trail"`)
  })
})
