import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../test/builders.ts'
import { heifFixture } from '../../test/content/heif.ts'
import { animation, blackPng, quarters } from '../../test/content/pictures.ts'
import { photosPath as path, photo, photoSteps, picture } from '../../test/content/tags/photo-steps.ts'
import { checkedPhotos } from '../../test/content/tags/tag-photos.ts'
import { type FormPart, formHeaders, rawForm } from '../../test/multipart.ts'
import { type Service, startService } from '../../test/service.ts'
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

const everything = async () => ({
  rows: await sql('select count(*) from files'),
  objects: await service.objectsKept(),
  waiting: readdirSync(join(service.folder, 'incoming-images')),
})

describe('POST /api/upload/gcp-photos', () => {
  test('answers {status, message, files} with every member, and keeps each photo byte for byte', async () => {
    const { id } = await steps.newGcp()
    const original = await quarters(120, 80)
      .withExifMerge({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100' } })
      .jpeg()
      .toBuffer()
    const heic = heifFixture('plain.heic')
    const { status, body } = await steps.send(
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
      userId: steps.maker.id,
      uploadedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      tags: [],
      tagCheck: 'pending',
      width: null,
      height: null,
      exif: null,
      quality: null,
      notes: [],
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
    const checked = await checkedPhotos(steps.maker, id)
    expect(checked).toMatchObject(
      body.files.map((one: { id: number; fileUrl: string }) => ({ id: one.id, fileUrl: one.fileUrl })),
    )
    expect(await steps.gcp(id)).toMatchObject({ photoUrls: urls, uploadedFiles: checked })
    expect((await service.anonymous.get('/api/gcp')).body.find((one: { id: number }) => one.id === id)).toEqual(
      await steps.gcp(id),
    )
    expect((await service.anonymous.get(`${path}?gcpId=${id}`)).body).toEqual({ status: 'success', files: checked })
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
        await steps.send([photo({ field: fields[at % 3]!, name: 'x.pdf', type: 'text/html', bytes })]),
        mimeType,
      ).toMatchObject({ status: 200, body: { message: '1 photo stored.', files: [{ mimeType, gcpId: null }] } })
  })

  test('gcpId and userId may come before the files or after, and may be empty', async () => {
    const { id } = await steps.newGcp()
    const before = new FormData()
    before.append('gcpId', String(id))
    before.append('userId', '')
    before.append('files', new Blob([picture as Uint8Array<ArrayBuffer>]), 'a.jpg')
    expect(await steps.maker.post(path, before)).toMatchObject({ status: 200, body: { files: [{ gcpId: id }] } })
    expect(await steps.send([photo()], { gcpId: id, userId: '' })).toMatchObject({ status: 200 })
    expect((await steps.gcp(id)).photoUrls).toHaveLength(2)
  })

  test('all or nothing: with one that is no image, or broken, or too many, nothing is kept and no point changes', {
    tags: ['long'],
  }, async () => {
    const { id } = await steps.newGcp()
    const before = await everything()
    const bad: Record<string, FormPart[]> = {
      'no image': [photo(), photo({ name: 'x.jpg', bytes: '<svg xmlns="http://www.w3.org/2000/svg"/>' })],
      'an empty one': [photo(), photo({ bytes: '' })],
      'a JPEG by its first bytes alone': [photo(), photo({ bytes: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]) })],
      'a HEIC by its first bytes alone': [photo({ bytes: heifFixture('plain.heic').subarray(0, 200) })],
      'a TIFF': [photo({ bytes: await quarters(50, 50).tiff().toBuffer() })],
      'too many pixels': [photo({ bytes: blackPng(16_000, 16_000) })],
    }
    for (const [what, parts] of Object.entries(bad))
      expect({ what, ...(await steps.send(parts, { gcpId: id })) }).toMatchObject({
        what,
        status: 400,
        body: { error: expect.any(String) },
      })
    for (const [code, parts] of [
      ['too_big', Array(4).fill(photo())],
      ['too_big', Array(12).fill(photo())],
      ['invalid_type', []],
    ] as [string, FormPart[]][])
      expect(await steps.send(parts, { gcpId: id })).toMatchObject({
        status: 400,
        body: { error: [{ code, path: ['files'] }] },
      })
    const raw = service.as({ ...steps.maker.headers, ...formHeaders })
    expect(await raw.post(path, rawForm([photo()], { ending: '' }))).toMatchObject({ status: 400 })
    expect(await steps.maker.post(path, { files: [] })).toMatchObject({ status: 415 })
    expect(await everything()).toEqual(before)
    expect((await steps.gcp(id)).photoUrls).toEqual([])
  })

  test('50 MiB at most each: one byte more is 400', { tags: ['long'] }, async () => {
    const large = Buffer.concat([picture, Buffer.alloc(50 * 2 ** 20 + 1 - picture.length)])
    expect(await steps.send([photo({ bytes: large })])).toMatchObject({ status: 400 })
  })

  test('an unknown or malformed gcpId, or user, is 400 in the array form, and nothing is kept', async () => {
    const before = await everything()
    for (const gcpId of ['999999999', 'first', '-1', '1.5'])
      expect(await steps.send([photo()], { gcpId })).toMatchObject({
        status: 400,
        body: { error: [{ code: expect.any(String), message: expect.any(String), path: ['gcpId'] }] },
      })
    for (const userId of ['nobody', crypto.randomUUID()])
      expect(await steps.send([photo()], { userId }, steps.ops)).toMatchObject({
        status: 400,
        body: { error: [{ path: ['userId'] }] },
      })
    expect(await everything()).toEqual(before)
  })

  test('a point’s maker, the owner of its zone and ops may; others 403, and nothing is kept', async () => {
    const zone = (await steps.stranger.post('/api/zones', { title: 'Their zone' })).body.id
    const { id } = await steps.newGcp()
    const inZone = await steps.newGcp({ zoneId: zone }, steps.ops)
    const before = await everything()
    expect(await steps.send([photo()], { gcpId: id }, steps.stranger)).toMatchObject({ status: 403 })
    expect(await steps.send([photo()], { gcpId: inZone.id }, steps.maker)).toMatchObject({ status: 403 })
    expect(await everything()).toEqual(before)
    for (const [caller, gcpId] of [
      [steps.maker, id],
      [steps.ops, id],
      [steps.stranger, inZone.id],
    ] as const)
      expect(await steps.send([photo()], { gcpId }, caller)).toMatchObject({ status: 200 })
  })

  test('userId names the sender: oneself, or for ops another; another’s is 403', async () => {
    expect(await steps.send([photo()], { userId: steps.maker.id })).toMatchObject({
      body: { files: [{ userId: steps.maker.id }] },
    })
    expect(await steps.send([photo()], { userId: steps.maker.id }, steps.ops)).toMatchObject({
      body: { files: [{ userId: steps.maker.id }] },
    })
    expect(await steps.send([photo()], { userId: steps.maker.id }, steps.stranger)).toMatchObject({ status: 403 })
  })

  test('needs a session: 401', async () => {
    expect(await steps.send([photo()], {}, service.anonymous)).toMatchObject({ status: 401 })
  })

  test('a repeat with the same Idempotency-Key keeps nothing twice; with another gcpId it is 409', async () => {
    const [one, two] = [await steps.newGcp(), await steps.newGcp()]
    const keyed = service.as({ ...steps.maker.headers, 'idempotency-key': 'the same photo' })
    const first = await steps.send([photo()], { gcpId: one.id }, keyed)
    expect((await steps.send([photo()], { gcpId: one.id }, keyed)).body).toEqual(first.body)
    expect(await steps.send([photo()], { gcpId: two.id }, keyed)).toMatchObject({ status: 409 })
    expect((await steps.gcp(one.id)).photoUrls).toHaveLength(1)
  })

  test('a point shows 100 photos at most, also when many send at once', async () => {
    const { id } = await steps.newGcp()
    const others = Array.from({ length: 94 }, (_, at) => `https://photos.example/${at}.jpg`)
    await steps.maker.put(`/api/gcp/${id}`, { title: 'Full', photoUrls: others })
    // Each waits for the point's row; on a slow machine the last ones wait too long, and are to come again.
    const sendUntilTaken = async () => {
      for (;;) {
        const answer = await steps.send([photo()], { gcpId: id })
        if (answer.status !== 503) return answer
      }
    }
    const answers = await Promise.all(Array.from({ length: 12 }, sendUntilTaken))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(6).fill(200), ...Array(6).fill(400)])
    const { photoUrls, uploadedFiles } = await steps.gcp(id)
    expect(photoUrls).toHaveLength(100)
    expect(new Set(uploadedFiles.map((file: { id: number }) => file.id)).size).toBe(6)
    expect(
      await sql('select key from files f where not exists (select from gcp_photos p where p.file_id = f.id)'),
    ).toEqual([])
  })
})

describe('GET /api/upload/gcp-photos', () => {
  test('lists a point’s uploaded photos, all or one user’s, for everybody', async () => {
    const { id } = await steps.newGcp({ photoUrls: ['https://photos.example/a.jpg'] })
    const mine = await steps.sent({ gcpId: id })
    const theirs = await steps.sent({ gcpId: id }, steps.ops)
    const list = async (query: string) => (await service.anonymous.get(`${path}?${query}`)).body
    const ids = async (query: string) => (await list(query)).files.map((file: { id: number }) => file.id)
    expect(await ids(`gcpId=${id}`)).toEqual([mine.id, theirs.id])
    expect(await ids(`gcpId=${id}&userId=${steps.ops.id}`)).toEqual([theirs.id])
    expect(await ids(`gcpId=${id}&userId=nobody`)).toEqual([])
    for (const query of ['gcpId=999999999', 'gcpId=x', ''])
      expect(await service.anonymous.get(`${path}?${query}`)).toMatchObject({
        status: 400,
        body: { error: [{ path: ['gcpId'] }] },
      })
  })
})
