import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../test/builders.ts'
import { photoSteps, picture } from '../../test/content/tags/photo-steps.ts'
import { formOf } from '../../test/multipart.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'
import { type Sql, sqlOn } from '../../test/sql.ts'

let service: Service
let given: Builders
let sql: Sql
let steps: Awaited<ReturnType<typeof photoSteps>>
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
  sql = sqlOn(service)
  steps = await photoSteps(service, given)
})
afterAll(() => service.stop())

const isGone = async (url: string) => (await service.anonymous.get(url)).status === 404
const filesOf = async (key: string) => (await sql(`select from files where key = '${key}'`)).length

describe('uploadedFileIds', () => {
  test('on create and update they are appended to photoUrls, once each, and uploadedFiles lists them', async () => {
    const [one, two, three] = [await steps.sent(), await steps.sent(), await steps.sent()]
    const made = await steps.newGcp({
      photoUrls: ['https://photos.example/a.jpg'],
      uploadedFileIds: [one.id, two.id, one.id],
    })
    expect(made.photoUrls).toEqual(['https://photos.example/a.jpg', one.fileUrl, two.fileUrl])
    expect(made.uploadedFiles).toMatchObject([{ id: one.id, gcpId: made.id }, { id: two.id }])
    const put = async (body: object) =>
      (await steps.maker.put(`/api/gcp/${made.id}`, { title: 'Point', ...body })).body.gcp.photoUrls
    expect(await put({ uploadedFileIds: [three.id] })).toEqual([...made.photoUrls, three.fileUrl])
    expect(await put({ photoUrls: [two.fileUrl], uploadedFileIds: [two.id, three.id] })).toEqual([
      two.fileUrl,
      three.fileUrl,
    ])
  })

  test('files of another user are as unknown as those that are not there; no image is one neither', async () => {
    const theirs = await steps.sent({}, steps.stranger)
    const text = (await steps.maker.post('/api/upload', formOf({ name: 'a.txt', bytes: 'hello' }))).body.results[0]
      .fileId
    const { id } = await steps.newGcp()
    for (const fileId of [theirs.id, 5, text]) {
      const refusal = { status: 400, body: { error: [{ code: 'custom', path: ['uploadedFileIds', 0] }] } }
      expect(
        await steps.maker.post('/api/gcp', { title: 'P', gcpType: 'SINGLE', uploadedFileIds: [fileId] }),
      ).toMatchObject(refusal)
      expect(await steps.maker.put(`/api/gcp/${id}`, { title: 'P', uploadedFileIds: [fileId] })).toMatchObject(refusal)
    }
    expect(await steps.ops.put(`/api/gcp/${id}`, { title: 'P', uploadedFileIds: [theirs.id] })).toMatchObject({
      status: 400,
    })
    expect((await steps.gcp(id)).photoUrls).toEqual([])
  })

  test('an image uploaded as a file can be claimed by its user, or by anyone with its id if it has no owner', async () => {
    const upload = async (as: Caller) =>
      (await as.post('/api/upload', formOf({ name: 'a.jpg', bytes: picture }))).body.results[0]
    const [own, nobodys] = [await upload(steps.maker), await upload(service.anonymous)]
    const { uploadedFiles, photoUrls } = await steps.newGcp({ uploadedFileIds: [own.fileId, nobodys.fileId] })
    expect(photoUrls).toEqual([own.url, nobodys.url])
    expect(uploadedFiles).toMatchObject([{ userId: steps.maker.id }, { userId: null }])
  })

  test('with them a point shows 100 at most', async () => {
    const { id } = await steps.newGcp()
    const others = Array.from({ length: 100 }, (_, at) => `https://photos.example/${at}.jpg`)
    await steps.maker.put(`/api/gcp/${id}`, { title: 'Full', photoUrls: others })
    const { id: fileId } = await steps.sent()
    expect(await steps.maker.put(`/api/gcp/${id}`, { title: 'Full', uploadedFileIds: [fileId] })).toMatchObject({
      status: 400,
      body: { error: [{ code: 'too_big', path: ['uploadedFileIds'] }] },
    })
  })

  test('an image shown by its URL that was not uploaded as a photo is not listed', async () => {
    const secret = (await steps.stranger.post('/api/upload', formOf({ name: 'my face.jpg', bytes: picture }))).body
      .results[0]
    const made = await steps.newGcp({ photoUrls: [secret.url] })
    expect(made.uploadedFiles).toEqual([])
  })
})

describe('a photo that is no longer shown', () => {
  const removePhoto = (id: number, url: string, as: Caller = steps.maker) =>
    as.delete(`/api/gcp/${id}/remove-photo?photoUrl=${encodeURIComponent(url)}`)

  test('remove-photo, an update without it and deleting the point let a photo go, record and bytes', async () => {
    const ends: ((id: number, url: string) => Promise<unknown>)[] = [
      removePhoto,
      (id) => steps.maker.put(`/api/gcp/${id}`, { title: 'P', photoUrls: [] }),
      (id) => steps.maker.delete(`/api/gcp/${id}`),
    ]
    for (const end of ends) {
      const { id } = await steps.newGcp()
      const [gone, kept] = [await steps.sent({ gcpId: id }), await steps.sent()]
      await end(id, gone.fileUrl)
      expect(await isGone(gone.fileUrl)).toBe(true)
      expect(await filesOf(gone.bucketPath)).toBe(0)
      expect(await isGone(kept.fileUrl)).toBe(false)
    }
    expect(await sql('select key from unused_objects')).toEqual([])
  })

  test('a photo that was claimed, or shown by its address by its sender, goes as well', async () => {
    const [claimed, named] = [await steps.sent(), await steps.sent()]
    const { id } = await steps.newGcp({ uploadedFileIds: [claimed.id], photoUrls: [named.fileUrl] })
    await steps.maker.delete(`/api/gcp/${id}`)
    for (const { fileUrl } of [claimed, named]) expect(await isGone(fileUrl)).toBe(true)
  })

  test('stays while another point or a pin shows it', async () => {
    const { id } = await steps.newGcp()
    const { fileUrl } = await steps.sent({ gcpId: id })
    const other = await steps.newGcp({ photoUrls: [fileUrl] })
    const pin = { title: 'Here', contentType: 'IMAGE', latitude: 1, longitude: 2, relocalizationPhotoUrl: fileUrl }
    const { id: pinId } = (await steps.maker.post('/api/location/pins', pin)).body
    await removePhoto(id, fileUrl)
    await sql(`delete from pins where id = ${pinId}`)
    expect(await isGone(fileUrl)).toBe(false)
    await steps.maker.delete(`/api/gcp/${other.id}`)
    expect(await isGone(fileUrl)).toBe(true)
  })

  test('stays with its sender if it is also a file of another kind, and another user cannot release it by showing it', async () => {
    const upload = (await steps.maker.post('/api/upload', formOf({ name: 'a.jpg', bytes: picture }))).body.results[0]
    const waiting = await steps.sent()
    const mine = await steps.newGcp({ uploadedFileIds: [upload.fileId] })
    const theirs = await steps.newGcp({ photoUrls: [upload.url, waiting.fileUrl] }, steps.stranger)
    await steps.stranger.delete(`/api/gcp/${theirs.id}`)
    await steps.maker.delete(`/api/gcp/${mine.id}`)
    expect(await isGone(upload.url)).toBe(false)
    expect(await isGone(waiting.fileUrl)).toBe(false)
  })

  test('photos that several points show go with the last of them, also when all go at once', async () => {
    const points = await Promise.all([steps.newGcp(), steps.newGcp()])
    const { fileUrl, bucketPath } = await steps.sent({ gcpId: points[0].id })
    await steps.maker.put(`/api/gcp/${points[1].id}`, { title: 'P', photoUrls: [fileUrl] })
    await sql(`delete from gcps where id in (${points.map(({ id }) => id)})`)
    expect(await filesOf(bucketPath)).toBe(0)
    expect(await sql(`select key from unused_objects where key = '${bucketPath}'`)).toHaveLength(1)
    await steps.maker.delete(`/api/gcp/${(await steps.newGcp()).id}`)
    expect(await isGone(fileUrl)).toBe(true)
  })

  test('that another point claims at the same moment is kept, or the claim is refused', {
    tags: ['long'],
  }, async () => {
    for (let round = 0; round < Number(process.env.CAIRN_TEST_ROUNDS ?? 15); round++) {
      const one = await steps.newGcp()
      const { id, fileUrl } = await steps.sent({ gcpId: one.id })
      const [, taken] = await Promise.all([
        removePhoto(one.id, fileUrl),
        steps.maker.post('/api/gcp', { title: 'Other', gcpType: 'SINGLE', uploadedFileIds: [id] }),
      ])
      expect([201, 400]).toContain(taken.status)
      expect(await isGone(fileUrl)).toBe(taken.status === 400)
    }
  })
})
