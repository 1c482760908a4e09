import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { type FormPart, formHeaders, formOf, rawForm, withTexts } from '../../test/forms.ts'
import { givenOn } from '../../test/given.ts'
import { heifFixture } from '../../test/heif.ts'
import { animation, blackPng, jpeg, quarters } from '../../test/pictures.ts'
import { type Caller, startService } from '../../test/service.ts'
import { sqlOn } from '../../test/sql.ts'

const service = await startService()
const given = givenOn(service)
const sql = sqlOn(service)
afterAll(() => service.stop())

const path = '/api/upload/gcp-photos'
const maker = await given.user()
const stranger = await given.user()
const ops = await given.user({ roles: ['ops'] })

const picture = await jpeg(60, 40)
const photo = (part: Partial<FormPart> = {}): FormPart => ({ field: 'files', name: 'a.jpg', bytes: picture, ...part })
type Texts = { gcpId?: number | string; userId?: string }
const send = (parts: FormPart[], texts: Texts = {}, as: Caller = maker) =>
  as.post(path, withTexts(formOf(...parts), texts as Record<string, string>))
const sent = async (texts: Texts = {}, as: Caller = maker, part: Partial<FormPart> = {}) => {
  const answer = await send([photo(part)], texts, as)
  expect(answer).toMatchObject({ status: 200 })
  return answer.body.files[0] as { id: number; fileUrl: string; bucketPath: string }
}
let count = 0
const newGcp = async (body: object = {}, as: Caller = maker) => {
  const answer = await as.post('/api/gcp', { title: `Point ${++count}`, gcpType: 'SINGLE', ...body })
  expect(answer).toMatchObject({ status: 201 })
  return answer.body.gcp as { id: number; photoUrls: string[]; uploadedFiles: { id: number }[] }
}
const gcp = async (id: number) => (await service.anonymous.get(`/api/gcp/${id}`)).body
const isGone = async (url: string) => (await service.anonymous.get(url)).status === 404
const filesOf = async (key: string) => (await sql(`select from files where key = '${key}'`)).length
const everything = async () => ({
  rows: await sql('select count(*) from files'),
  objects: await service.objectsKept(),
  waiting: readdirSync(join(service.folder, 'incoming-images')),
})

describe('POST /api/upload/gcp-photos', () => {
  test('answers {status, message, files} with every member, and keeps each photo byte for byte', async () => {
    const { id } = await newGcp()
    const original = await quarters(120, 80)
      .withExifMerge({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100' } })
      .jpeg()
      .toBuffer()
    const heic = heifFixture('plain.heic')
    const { status, body } = await send(
      [photo({ name: 'DJI_1.JPG', bytes: original }), photo({ name: 'IMG.HEIC', bytes: heic })],
      { gcpId: id },
    )
    const file = (fileName: string, mimeType: string, bytes: Uint8Array, ending: string) => ({
      id: expect.any(Number),
      fileName,
      fileUrl: expect.stringMatching(new RegExp(`/files/[a-z0-9]{2}/[A-Za-z0-9_-]{22}\\.${ending}$`)),
      fileSize: bytes.length,
      mimeType,
      bucketPath: expect.stringMatching(new RegExp(`^[a-z0-9]{2}/[A-Za-z0-9_-]{22}\\.${ending}$`)),
      gcpId: id,
      userId: maker.id,
      uploadedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
    const files = [file('DJI_1.JPG', 'image/jpeg', original, 'jpg'), file('IMG.HEIC', 'image/heic', heic, 'heic')]
    expect({ status, body }).toEqual({
      status: 200,
      body: { status: 'success', message: '2 photos stored.', files },
    })
    for (const [at, bytes] of [original, heic].entries()) {
      const response = await fetch(body.files[at].fileUrl)
      expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
      expect(response.headers.get('content-type')).toBe(body.files[at].mimeType)
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    }
    expect(
      (await sharp(Buffer.from(await (await fetch(body.files[0].fileUrl)).arrayBuffer())).metadata()).exif,
    ).toBeDefined()

    const urls = body.files.map(({ fileUrl }: { fileUrl: string }) => fileUrl)
    expect(await gcp(id)).toMatchObject({ photoUrls: urls, uploadedFiles: body.files })
    expect((await service.anonymous.get('/api/gcp')).body.find((one: { id: number }) => one.id === id)).toEqual(
      await gcp(id),
    )
    expect((await service.anonymous.get(`${path}?gcpId=${id}`)).body).toEqual({ status: 'success', files: body.files })
  })

  test('JPEG, PNG, GIF, WebP, HEIC and HEIF are taken by their bytes; `files[]` and `file` are names too', async () => {
    const kinds = {
      'image/jpeg': picture,
      'image/png': await quarters(50, 50).png().toBuffer(),
      'image/gif': await animation(50, 50, 2, 'gif'),
      'image/webp': await quarters(50, 50).webp().toBuffer(),
      'image/heic': heifFixture('deep.heic'),
      'image/avif': heifFixture('av1.heif'),
    }
    const fields = ['files', 'files[]', 'file']
    for (const [at, [mimeType, bytes]] of Object.entries(kinds).entries())
      expect(
        await send([photo({ field: fields[at % 3]!, name: 'x.pdf', type: 'text/html', bytes })]),
        mimeType,
      ).toMatchObject({ status: 200, body: { message: '1 photo stored.', files: [{ mimeType, gcpId: null }] } })
  })

  test('gcpId and userId may come before the files or after, and may be empty', async () => {
    const { id } = await newGcp()
    const before = new FormData()
    before.append('gcpId', String(id))
    before.append('userId', '')
    before.append('files', new Blob([picture as Uint8Array<ArrayBuffer>]), 'a.jpg')
    expect(await maker.post(path, before)).toMatchObject({ status: 200, body: { files: [{ gcpId: id }] } })
    expect(await send([photo()], { gcpId: id, userId: '' })).toMatchObject({ status: 200 })
    expect((await gcp(id)).photoUrls).toHaveLength(2)
  })

  test('all or nothing: with one that is no image, or broken, or too many, nothing is kept and no point changes', async () => {
    const { id } = await newGcp()
    const before = await everything()
    const bad: Record<string, FormPart[]> = {
      'no image': [photo(), photo({ name: 'x.jpg', bytes: '<svg xmlns="http://www.w3.org/2000/svg"/>' })],
      'an empty one': [photo(), photo({ bytes: '' })],
      'a JPEG by its first bytes alone': [photo(), photo({ bytes: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]) })],
      'a HEIC by its first bytes alone': [photo({ bytes: heifFixture('plain.heic').subarray(0, 200) })],
      'a TIFF': [photo({ bytes: await quarters(50, 50).tiff().toBuffer() })],
      'four of them': Array(4).fill(photo()),
      'too many pixels': [photo({ bytes: blackPng(16_000, 16_000) })],
      none: [],
    }
    for (const [what, parts] of Object.entries(bad))
      expect({ what, ...(await send(parts, { gcpId: id })) }).toMatchObject({
        what,
        status: 400,
        body: { error: expect.any(String) },
      })
    const raw = service.as({ ...maker.headers, ...formHeaders })
    expect(await raw.post(path, rawForm([photo()], { ending: '' }))).toMatchObject({ status: 400 })
    expect(await maker.post(path, { files: [] })).toMatchObject({ status: 415 })
    expect(await everything()).toEqual(before)
    expect((await gcp(id)).photoUrls).toEqual([])
  })

  test('50 MiB at most each: one byte more is 413', async () => {
    const large = Buffer.concat([picture, Buffer.alloc(50 * 2 ** 20 + 1 - picture.length)])
    expect(await send([photo({ bytes: large })])).toMatchObject({ status: 413 })
  })

  test('an unknown or malformed gcpId, or user, is 400 in the array form, and nothing is kept', async () => {
    const before = await everything()
    for (const gcpId of ['999999999', 'first', '-1', '1.5'])
      expect(await send([photo()], { gcpId })).toMatchObject({
        status: 400,
        body: { error: [{ code: expect.any(String), message: expect.any(String), path: ['gcpId'] }] },
      })
    for (const userId of ['nobody', crypto.randomUUID()])
      expect(await send([photo()], { userId }, ops)).toMatchObject({
        status: 400,
        body: { error: [{ path: ['userId'] }] },
      })
    expect(await everything()).toEqual(before)
  })

  test('a point’s maker, the owner of its zone and ops may; others 403, and nothing is kept', async () => {
    const zone = (await stranger.post('/api/zones', { title: 'Their zone' })).body.id
    const { id } = await newGcp()
    const inZone = await newGcp({ zoneId: zone }, ops)
    const before = await everything()
    expect(await send([photo()], { gcpId: id }, stranger)).toMatchObject({ status: 403 })
    expect(await send([photo()], { gcpId: inZone.id }, maker)).toMatchObject({ status: 403 })
    expect(await everything()).toEqual(before)
    for (const [caller, gcpId] of [
      [maker, id],
      [ops, id],
      [stranger, inZone.id],
    ] as const)
      expect(await send([photo()], { gcpId }, caller)).toMatchObject({ status: 200 })
  })

  test('userId names the sender: oneself, or for ops another; another’s is 403', async () => {
    expect(await send([photo()], { userId: maker.id })).toMatchObject({ body: { files: [{ userId: maker.id }] } })
    expect(await send([photo()], { userId: maker.id }, ops)).toMatchObject({ body: { files: [{ userId: maker.id }] } })
    expect(await send([photo()], { userId: maker.id }, stranger)).toMatchObject({ status: 403 })
  })

  test('needs a session: 401', async () => {
    expect(await send([photo()], {}, service.anonymous)).toMatchObject({ status: 401 })
  })

  test('a repeat with the same Idempotency-Key keeps nothing twice; with another gcpId it is 409', async () => {
    const [one, two] = [await newGcp(), await newGcp()]
    const keyed = service.as({ ...maker.headers, 'idempotency-key': 'the same photo' })
    const first = await send([photo()], { gcpId: one.id }, keyed)
    expect((await send([photo()], { gcpId: one.id }, keyed)).body).toEqual(first.body)
    expect(await send([photo()], { gcpId: two.id }, keyed)).toMatchObject({ status: 409 })
    expect((await gcp(one.id)).photoUrls).toHaveLength(1)
  })

  test('a point shows 100 photos at most, also when many send at once', async () => {
    const { id } = await newGcp()
    const others = Array.from({ length: 94 }, (_, at) => `https://photos.example/${at}.jpg`)
    await maker.put(`/api/gcp/${id}`, { title: 'Full', photoUrls: others })
    const answers = await Promise.all(Array.from({ length: 12 }, () => send([photo()], { gcpId: id })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(6).fill(200), ...Array(6).fill(400)])
    const { photoUrls, uploadedFiles } = await gcp(id)
    expect(photoUrls).toHaveLength(100)
    expect(new Set(uploadedFiles.map((file: { id: number }) => file.id)).size).toBe(6)
    expect(
      await sql('select key from files f where not exists (select from gcp_photos p where p.file_id = f.id)'),
    ).toEqual([])
  })
})

describe('GET /api/upload/gcp-photos', () => {
  test('lists a point’s uploaded photos, all or one user’s, for everybody', async () => {
    const { id } = await newGcp({ photoUrls: ['https://photos.example/a.jpg'] })
    const mine = await sent({ gcpId: id })
    const theirs = await sent({ gcpId: id }, ops)
    const list = async (query: string) => (await service.anonymous.get(`${path}?${query}`)).body
    const ids = async (query: string) => (await list(query)).files.map((file: { id: number }) => file.id)
    expect(await ids(`gcpId=${id}`)).toEqual([mine.id, theirs.id])
    expect(await ids(`gcpId=${id}&userId=${ops.id}`)).toEqual([theirs.id])
    expect(await ids(`gcpId=${id}&userId=nobody`)).toEqual([])
    for (const query of ['gcpId=999999999', 'gcpId=x', ''])
      expect(await service.anonymous.get(`${path}?${query}`)).toMatchObject({
        status: 400,
        body: { error: [{ path: ['gcpId'] }] },
      })
  })
})

describe('uploadedFileIds', () => {
  test('on create and update they come behind photoUrls, once each, and uploadedFiles tells of them', async () => {
    const [one, two, three] = [await sent(), await sent(), await sent()]
    const made = await newGcp({
      photoUrls: ['https://photos.example/a.jpg'],
      uploadedFileIds: [one.id, two.id, one.id],
    })
    expect(made.photoUrls).toEqual(['https://photos.example/a.jpg', one.fileUrl, two.fileUrl])
    expect(made.uploadedFiles).toMatchObject([{ id: one.id, gcpId: made.id }, { id: two.id }])
    const put = async (body: object) =>
      (await maker.put(`/api/gcp/${made.id}`, { title: 'Point', ...body })).body.gcp.photoUrls
    expect(await put({ uploadedFileIds: [three.id] })).toEqual([...made.photoUrls, three.fileUrl])
    expect(await put({ photoUrls: [two.fileUrl], uploadedFileIds: [two.id, three.id] })).toEqual([
      two.fileUrl,
      three.fileUrl,
    ])
  })

  test('files of another user are as unknown as those that are not there; no image is one neither', async () => {
    const theirs = await sent({}, stranger)
    const text = (await maker.post('/api/upload', formOf({ name: 'a.txt', bytes: 'hello' }))).body.results[0].fileId
    const { id } = await newGcp()
    for (const fileId of [theirs.id, 5, text]) {
      const refusal = { status: 400, body: { error: [{ code: 'custom', path: ['uploadedFileIds', 0] }] } }
      expect(await maker.post('/api/gcp', { title: 'P', gcpType: 'SINGLE', uploadedFileIds: [fileId] })).toMatchObject(
        refusal,
      )
      expect(await maker.put(`/api/gcp/${id}`, { title: 'P', uploadedFileIds: [fileId] })).toMatchObject(refusal)
    }
    expect(await ops.put(`/api/gcp/${id}`, { title: 'P', uploadedFileIds: [theirs.id] })).toMatchObject({ status: 400 })
    expect((await gcp(id)).photoUrls).toEqual([])
  })

  test('an image that was sent as a file can be shown: by its user, or by whoever knows its id when nobody’s', async () => {
    const upload = async (as: Caller) =>
      (await as.post('/api/upload', formOf({ name: 'a.jpg', bytes: picture }))).body.results[0]
    const [own, nobodys] = [await upload(maker), await upload(service.anonymous)]
    const { uploadedFiles, photoUrls } = await newGcp({ uploadedFileIds: [own.fileId, nobodys.fileId] })
    expect(photoUrls).toEqual([own.url, nobodys.url])
    expect(uploadedFiles).toMatchObject([{ userId: maker.id }, { userId: null }])
  })

  test('with them a point shows 100 at most', async () => {
    const { id } = await newGcp()
    const others = Array.from({ length: 100 }, (_, at) => `https://photos.example/${at}.jpg`)
    await maker.put(`/api/gcp/${id}`, { title: 'Full', photoUrls: others })
    const { id: fileId } = await sent()
    expect(await maker.put(`/api/gcp/${id}`, { title: 'Full', uploadedFileIds: [fileId] })).toMatchObject({
      status: 400,
      body: { error: [{ code: 'too_big', path: ['uploadedFileIds'] }] },
    })
  })

  test('what is only shown by its address, and was never sent as a photo, is not told of', async () => {
    const secret = (await stranger.post('/api/upload', formOf({ name: 'my face.jpg', bytes: picture }))).body.results[0]
    const made = await newGcp({ photoUrls: [secret.url] })
    expect(made.uploadedFiles).toEqual([])
  })
})

describe('what is let go of', () => {
  const removePhoto = (id: number, url: string, as: Caller = maker) =>
    as.delete(`/api/gcp/${id}/remove-photo?photoUrl=${encodeURIComponent(url)}`)

  test('remove-photo, an update without it and deleting the point let a photo go, record and bytes', async () => {
    const ends: ((id: number, url: string) => Promise<unknown>)[] = [
      removePhoto,
      (id) => maker.put(`/api/gcp/${id}`, { title: 'P', photoUrls: [] }),
      (id) => maker.delete(`/api/gcp/${id}`),
    ]
    for (const end of ends) {
      const { id } = await newGcp()
      const [gone, kept] = [await sent({ gcpId: id }), await sent()]
      await end(id, gone.fileUrl)
      expect(await isGone(gone.fileUrl)).toBe(true)
      expect(await filesOf(gone.bucketPath)).toBe(0)
      expect(await isGone(kept.fileUrl)).toBe(false)
    }
    expect(await sql('select key from unused_objects')).toEqual([])
  })

  test('a photo that was claimed, or shown by its address by its sender, goes as well', async () => {
    const [claimed, named] = [await sent(), await sent()]
    const { id } = await newGcp({ uploadedFileIds: [claimed.id], photoUrls: [named.fileUrl] })
    await maker.delete(`/api/gcp/${id}`)
    for (const { fileUrl } of [claimed, named]) expect(await isGone(fileUrl)).toBe(true)
  })

  test('what another point or a pin shows stays until that lets go too', async () => {
    const { id } = await newGcp()
    const { fileUrl } = await sent({ gcpId: id })
    const other = await newGcp({ photoUrls: [fileUrl] })
    const pin = { title: 'Here', contentType: 'IMAGE', latitude: 1, longitude: 2, relocalizationPhotoUrl: fileUrl }
    const { id: pinId } = (await maker.post('/api/location/pins', pin)).body
    await removePhoto(id, fileUrl)
    await sql(`delete from pins where id = ${pinId}`)
    expect(await isGone(fileUrl)).toBe(false)
    await maker.delete(`/api/gcp/${other.id}`)
    expect(await isGone(fileUrl)).toBe(true)
  })

  test('a file of any other use stays its sender’s, and a stranger cannot let a photo go by showing it', async () => {
    const upload = (await maker.post('/api/upload', formOf({ name: 'a.jpg', bytes: picture }))).body.results[0]
    const waiting = await sent()
    const mine = await newGcp({ uploadedFileIds: [upload.fileId] })
    const theirs = await newGcp({ photoUrls: [upload.url, waiting.fileUrl] }, stranger)
    await stranger.delete(`/api/gcp/${theirs.id}`)
    await maker.delete(`/api/gcp/${mine.id}`)
    expect(await isGone(upload.url)).toBe(false)
    expect(await isGone(waiting.fileUrl)).toBe(false)
  })

  test('photos that several points show go with the last of them, also when all go at once', async () => {
    const points = await Promise.all([newGcp(), newGcp()])
    const { fileUrl, bucketPath } = await sent({ gcpId: points[0].id })
    await maker.put(`/api/gcp/${points[1].id}`, { title: 'P', photoUrls: [fileUrl] })
    await sql(`delete from gcps where id in (${points.map(({ id }) => id)})`)
    expect(await filesOf(bucketPath)).toBe(0)
    expect(await sql(`select key from unused_objects where key = '${bucketPath}'`)).toHaveLength(1)
    await maker.delete(`/api/gcp/${(await newGcp()).id}`)
    expect(await isGone(fileUrl)).toBe(true)
  })

  test('a photo that one point lets go while another takes it is there, or was refused', async () => {
    for (let round = 0; round < Number(process.env.CAIRN_TEST_ROUNDS ?? 15); round++) {
      const one = await newGcp()
      const { id, fileUrl } = await sent({ gcpId: one.id })
      const [, taken] = await Promise.all([
        removePhoto(one.id, fileUrl),
        maker.post('/api/gcp', { title: 'Other', gcpType: 'SINGLE', uploadedFileIds: [id] }),
      ])
      expect([201, 400]).toContain(taken.status)
      expect(await isGone(fileUrl)).toBe(taken.status === 400)
    }
  })
})
