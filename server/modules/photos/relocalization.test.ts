import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildersOn, type User } from '../../test/builders.ts'
import { coded, heifFixture, heifOf, imir, irot, ispe, tiled } from '../../test/content/heif.ts'
import { animation, blackPng, jpeg, quarters, quartersOf } from '../../test/content/pictures.ts'
import { type FormPart, formHeaders, formOf, rawForm } from '../../test/multipart.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'
import { type Sql, sqlOn } from '../../test/sql.ts'

let service: Service
let sql: Sql
let user: User
beforeAll(async () => {
  service = await startService()
  sql = sqlOn(service)
  user = await buildersOn(service).user()
})
afterAll(() => service.stop())

const path = '/api/upload/relocalization'
const send = (bytes: Uint8Array | string, part: Partial<FormPart> = {}, as: Caller = user) =>
  as.post(path, formOf({ name: 'place.jpg', bytes, ...part }))

/** Sends a photo. @returns what is kept of it */
async function kept(bytes: Uint8Array, part?: Partial<FormPart>) {
  const { status, body } = await send(bytes, part)
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      url: expect.stringMatching(/\/files\/[a-z0-9]{2}\/[A-Za-z0-9_-]{22}\.(jpg|png|webp)$/),
      key: expect.any(String),
    },
  })
  const response = await fetch(body.url)
  const picture = Buffer.from(await response.arrayBuffer())
  return { ...body, headers: response.headers, picture, metadata: await sharp(picture).metadata() }
}
const left = () => readdirSync(join(service.folder, 'incoming-images'))

const UPRIGHT = ['RED', 'GREEN', 'BLUE', 'YELLOW']

describe('POST /api/upload/relocalization', () => {
  test('returns {url, key}; the photo belongs to the user, is public by its URL and can be shown by a pin', async () => {
    const { url, key, headers } = await kept(await jpeg(640, 480))
    expect(url.endsWith(`/files/${key}`)).toBe(true)
    expect(headers.get('content-type')).toBe('image/jpeg')
    expect(headers.get('content-disposition')).toContain('inline; filename="place.jpg"')
    expect(await sql(`select user_id, file_name, mime_type from files where key = '${key}'`)).toEqual([
      { user_id: user.id, file_name: 'place.jpg', mime_type: 'image/jpeg' },
    ])
    const pin = { title: 'Here', contentType: 'GLB', latitude: 1, longitude: 2, relocalizationPhotoUrl: url }
    const made = await user.post('/api/location/pins', pin)
    expect(made).toMatchObject({ status: 201 })
    expect((await service.anonymous.get(`/api/location/pins/${made.body.id}`)).body.relocalizationPhotoUrl).toBe(url)
  })

  test('JPEG, PNG and WebP stay what they are, by their bytes and not by their names, with all their pixels', async () => {
    for (const format of ['jpeg', 'png', 'webp'] as const) {
      const sent = await quarters(1700, 900).toFormat(format).toBuffer()
      const { metadata, picture, headers } = await kept(sent, { name: 'x.heic', type: 'image/heic' })
      expect(metadata).toMatchObject({ format, width: 1700, height: 900 })
      expect(headers.get('content-type')).toBe(`image/${format}`)
      expect(await quartersOf(picture)).toEqual(UPRIGHT)
    }
  })

  test.each([
    ['HEIC', heifFixture('plain.heic'), UPRIGHT, 640, 480],
    ['HEIC of 10 bits', heifFixture('deep.heic'), UPRIGHT, 640, 480],
    ['HEIF with AV1', heifFixture('av1.heif'), UPRIGHT, 640, 480],
    ['HEIC that is turned', heifOf([coded([irot(1)])]), ['GREEN', 'YELLOW', 'RED', 'BLUE'], 480, 640],
    ['HEIC that is mirrored', heifOf([coded([imir(1)])]), ['GREEN', 'RED', 'YELLOW', 'BLUE'], 640, 480],
    [
      'HEIC that is turned, then mirrored',
      heifOf([coded([irot(3), imir(1)])]),
      UPRIGHT.with(1, 'BLUE').with(2, 'GREEN'),
      480,
      640,
    ],
    ['HEIC of which the second image is the main one', heifOf([coded([irot(2)]), coded()]), UPRIGHT, 640, 480],
    // As the standard has it, the EXIF orientation of a HEIC only says what was done already.
    ['HEIC with an orientation in its EXIF', heifFixture('exif6.heic'), UPRIGHT, 640, 480],
    ['HEIF that says so', heifOf([coded()], 'heix'), UPRIGHT, 640, 480],
  ])('%s becomes a JPEG, upright', async (_, bytes, colours, width, height) => {
    const { metadata, picture, headers } = await kept(bytes, { name: 'IMG_1.HEIC', type: 'image/heic' })
    expect(metadata).toMatchObject({ format: 'jpeg', width, height })
    expect(headers.get('content-type')).toBe('image/jpeg')
    expect(headers.get('content-disposition')).toContain('IMG_1.jpg')
    expect(await quartersOf(picture)).toEqual(colours)
  })

  test('a HEIC in tiles, as iPhones write them, is put together and turned', async () => {
    const { metadata, picture } = await kept(tiled(3, 2, [irot(3)]), { name: 'IMG_2.HEIC' })
    expect(metadata).toMatchObject({ width: 960, height: 1920 })
    const corner = await sharp(picture).extract({ left: 0, top: 0, width: 480, height: 640 }).png().toBuffer()
    expect(await quartersOf(corner)).toEqual(['BLUE', 'RED', 'YELLOW', 'GREEN'])
  })

  test('colours stay the same to the eye: a profile is applied, not dropped', async () => {
    const p3 = await quarters(640, 480).withIccProfile('p3').png().toBuffer()
    for (const bytes of [p3, heifFixture('p3.heic')]) {
      const { picture, metadata } = await kept(bytes)
      expect(metadata.icc).toBeUndefined()
      expect(await quartersOf(picture)).toEqual(UPRIGHT)
    }
  })

  test('EXIF orientation of a JPEG is applied, and no metadata is kept', async () => {
    const photo = await quarters(1200, 800)
      .withExifMerge({
        IFD0: { Copyright: 'a secret name' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100' },
      })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">a secret place</x:xmpmeta>')
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    for (const [bytes, colours] of [
      [photo, ['BLUE', 'RED', 'YELLOW', 'GREEN']],
      [heifFixture('exif6.heic'), UPRIGHT],
    ] as const) {
      const { metadata, picture } = await kept(bytes)
      expect(await quartersOf(picture)).toEqual(colours)
      for (const member of ['exif', 'xmp', 'icc', 'iptc', 'orientation'] as const)
        expect(metadata[member]).toBeUndefined()
      for (const text of ['Exif', 'secret', 'xmpmeta']) expect(picture.includes(text)).toBe(false)
    }
  })

  test('of an animation the first frame is kept', async () => {
    const { metadata, picture } = await kept(await animation(300, 200, 3, 'webp'))
    expect(metadata).toMatchObject({ format: 'webp', width: 300, height: 200 })
    expect(metadata.pages ?? 1).toBe(1)
    expect(await quartersOf(picture)).toEqual(UPRIGHT)
  })

  test('anything but an image is 400, whatever type it declares, and is not stored', { tags: ['long'] }, async () => {
    const before = await sql('select count(*) from files')
    const heic = heifFixture('plain.heic')
    const others: Record<string, Uint8Array | string> = {
      GIF: await animation(300, 200, 2, 'gif'),
      TIFF: await quarters(300, 200).tiff().toBuffer(),
      SVG: '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="600"/>',
      'a video': Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42', 'latin1'),
      text: 'hello',
      'an empty file': '',
      'half a JPEG': (await jpeg(900, 900)).subarray(0, 3000),
      'half a HEIC': heic.subarray(0, heic.length / 2),
      'a HEIC without its picture': heic.subarray(0, heic.indexOf('mdat') + 4),
      'a HEIC that is a page': Buffer.concat([heic.subarray(0, 28), Buffer.from('<script>alert(1)</script>')]),
      'a HEIC that says it is larger': heifOf([coded([], ispe(6400, 4800))]),
      'a HEIC that says it is smaller': heifOf([coded([], ispe(64, 48))]),
    }
    for (const [what, bytes] of Object.entries(others)) {
      const { status, body } = await send(bytes)
      expect({ what, status, body }).toEqual({ what, status: 400, body: { error: expect.any(String) } })
      expect(body.error).not.toMatch(/\/tmp|incoming/)
    }
    expect(await sql('select count(*) from files')).toEqual(before)
    expect(left()).toEqual([])
  })

  test('50 million pixels at most, by the header alone', async () => {
    const [width, height] = [10_000, 5_001]
    const bombs = { PNG: blackPng(width, height), HEIC: heifOf([coded([], ispe(width, height))]) }
    for (const [what, bytes] of Object.entries(bombs))
      expect(await send(bytes), what).toMatchObject({
        status: 400,
        body: { error: `The image has ${width}x${height} pixels; at most 50000000 pixels in total are accepted` },
      })
  })

  test('25 MiB at most: one byte more is 400', { tags: ['long'] }, async () => {
    const picture = await jpeg(600, 600)
    const padded = (size: number) => Buffer.concat([picture, Buffer.alloc(size - picture.length)])
    expect(await send(padded(25 * 2 ** 20))).toMatchObject({ status: 200 })
    expect(await send(padded(25 * 2 ** 20 + 1))).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('25 MiB') },
    })
  })

  test('the error about the format of an image names every format that is taken', async () => {
    const { status, body } = await user.post(path, formOf({ name: 'a.txt', bytes: Buffer.from('hello') }))
    const error = 'The image must be a JPEG, PNG, WebP or HEIC/HEIF/AVIF; its first bytes match none of these'
    expect({ status, body }).toEqual({ status: 400, body: { error } })
  })

  test('a form without the file, with two of them, cut off, or none at all is refused, and nothing stays', async () => {
    const before = await sql('select count(*) from files')
    const part = { name: 'a.jpg', bytes: await jpeg(100, 100) }
    const raw = service.as({ ...user.headers, ...formHeaders })
    const missing = { status: 400, body: { error: [{ code: 'invalid_type', path: ['file'] }] } }
    expect(await user.post(path, formOf({ ...part, field: 'photo' }))).toMatchObject(missing)
    expect(await user.post(path, formOf(part, part))).toMatchObject({ status: 400 })
    expect(await raw.post(path, rawForm([part], { ending: '' }))).toMatchObject({ status: 400 })
    expect(await user.post(path)).toMatchObject(missing)
    expect(await user.post(path, { file: 'aGVsbG8=' })).toMatchObject({ status: 415 })
    expect(await sql('select count(*) from files')).toEqual(before)
    expect(left()).toEqual([])
  })

  test('needs a session: 401, before anything is read', async () => {
    expect(await send('no image', {}, service.anonymous)).toMatchObject({ status: 401 })
  })

  test('20 at once, HEIC among them, are all taken', { tags: ['long'] }, async () => {
    const [heic, other] = [tiled(2, 2), await jpeg(800, 600)]
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => send(at % 2 ? heic : other)))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(new Set(answers.map(({ body }) => body.key)).size).toBe(20)
    expect(left()).toEqual([])
  })
})
