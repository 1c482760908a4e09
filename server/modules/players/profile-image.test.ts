import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type App, type Builders, buildersOn } from '../../test/builders.ts'
import { animation, blackPng, jpeg, quarters, quartersOf, sparseGif } from '../../test/content/pictures.ts'
import { profileImagesOf } from '../../test/content/profile-images.ts'
import { formHeaders, formOf, rawForm } from '../../test/multipart.ts'
import { appUrl, makeSession, setScore } from '../../test/scoring/scoring-steps.ts'
import { type Service, startService } from '../../test/service.ts'

let service: Service
let given: Builders
let app: App
let images: ReturnType<typeof profileImagesOf>
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
  app = await given.app()
  images = profileImagesOf(app, given)
})
afterAll(() => service.stop())

/** Sends an image for a new player. @returns what is kept of it */
async function kept(bytes: Uint8Array, part?: { name?: string; type?: string }) {
  const answer = await images.send(await images.newPlayer(), bytes, part)
  expect(answer).toMatchObject({ status: 200, body: { imageUrl: expect.stringMatching(/^http/) } })
  const image = await images.read(answer.body.imageUrl)
  return { ...image, metadata: await sharp(image.bytes, { animated: true, limitInputPixels: false }).metadata() }
}

describe('PATCH profile-image', () => {
  test('answers {imageUrl}: an unguessable address that never changes, which the player, boards and sessions show', async () => {
    const id = await images.newPlayer()
    const session = await makeSession(app)
    await app.post(appUrl(`game-sessions/${session.id}/players`), { playerId: id })
    await setScore(app, session.id, id, 3)
    const { body } = await images.send(id, await jpeg(600, 600))
    expect(body).toEqual({ imageUrl: expect.stringMatching(/\/files\/[a-z0-9]{2}\/[A-Za-z0-9_-]{22}\.jpg$/) })
    const { imageUrl } = body
    const { status, headers } = await images.read(imageUrl)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('image/jpeg')
    expect(headers.get('cache-control')).toContain('immutable')
    expect(headers.get('content-disposition')).toContain('inline')

    expect((await app.get(appUrl(`players/${id}`))).body.imageUrl).toBe(imageUrl)
    expect((await app.get(appUrl('players'))).body.players.find((one: { id: string }) => one.id === id)).toMatchObject({
      imageUrl,
    })
    expect((await app.get(appUrl('leaderboards/mini-game'))).body.leaderboard[0].playerImageUrl).toBe(imageUrl)
    expect((await app.get(appUrl(`game-sessions/${session.id}/players`))).body.players[0].imageUrl).toBe(imageUrl)
    const download = await service.anonymous.get(`/api/download?url=${encodeURIComponent(imageUrl)}`)
    expect((await images.read(download.body.downloadUrl)).status).toBe(200)
  })

  test('JPEG, PNG, GIF and WebP are detected by their bytes, not by their names; the format stays', {
    tags: ['long'],
  }, async () => {
    for (const format of ['jpeg', 'png', 'gif', 'webp'] as const) {
      const { headers, metadata } = await kept(await quarters(600, 520).toFormat(format).toBuffer(), {
        name: 'picture.pdf',
        type: 'application/pdf',
      })
      expect(metadata).toMatchObject({ format, width: 600, height: 520 })
      expect(headers.get('content-type')).toBe(`image/${format}`)
    }
  })

  test('any other content is 400, whatever type it declares', async () => {
    const id = await images.newPlayer()
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="600"><rect width="600" height="600"/></svg>'
    const others: Record<string, Uint8Array | string> = {
      SVG: svg,
      PDF: '%PDF-1.7\n1 0 obj <</Type /Catalog>> endobj',
      HTML: '<!doctype html><script>alert(1)</script>',
      TIFF: await quarters(600, 600).tiff().toBuffer(),
      AVIF: await quarters(600, 600).avif({ effort: 0 }).toBuffer(),
      'a JPEG that is text': Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from(svg)]),
      'a GIF that is a script': 'GIF89a/*\x00\x00*/=1;alert(1)',
      'a PNG that is an SVG': Buffer.concat([
        Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
        Buffer.from(svg),
      ]),
      'a RIFF that is no WebP': Buffer.from('RIFF\x24\0\0\0WAVEfmt '),
      'a WebP without an image': Buffer.from('RIFF\x04\0\0\0WEBP'),
      'an empty file': '',
    }
    for (const [name, bytes] of Object.entries(others)) {
      const { status, body } = await images.send(id, bytes)
      expect({ status, error: body.error }, name).toEqual({ status: 400, error: expect.any(String) })
      expect(body.error, name).not.toMatch(/\/tmp|incoming/)
    }
    expect(readdirSync(join(service.folder, 'incoming-images'))).toEqual([])
    expect((await app.get(appUrl(`players/${id}`))).body.imageUrl).toBeNull()
  })

  test('at least 512x512: one pixel less on either side is 400', async () => {
    const id = await images.newPlayer()
    for (const [width, height] of [
      [511, 600],
      [600, 511],
      [1, 1],
    ] as const)
      expect(await images.send(id, await jpeg(width, height))).toMatchObject({
        status: 400,
        body: { error: `The image is ${width}x${height} pixels; it must be at least 512x512` },
      })
    expect((await kept(await jpeg(512, 512))).metadata).toMatchObject({ width: 512, height: 512 })
  })

  test('larger than 1024x1024 is made to fit, its shape kept; up to that it stays as large as it is', async () => {
    const sizes = [
      [1024, 1024, 1024, 1024],
      [1025, 1025, 1024, 1024],
      [2048, 1024, 1024, 512],
      [600, 3000, 205, 1024],
      [1000, 700, 1000, 700],
    ] as const
    for (const [width, height, keptWidth, keptHeight] of sizes) {
      const { metadata, bytes } = await kept(await jpeg(width, height))
      expect(metadata, `${width}x${height}`).toMatchObject({ width: keptWidth, height: keptHeight })
      expect(await quartersOf(bytes)).toEqual(['RED', 'GREEN', 'BLUE', 'YELLOW'])
    }
  })

  test('5 MB at most: exactly that is taken, one byte more is 400', async () => {
    const picture = await jpeg(600, 600)
    const padded = (size: number) => Buffer.concat([picture, Buffer.alloc(size - picture.length)])
    const id = await images.newPlayer()
    expect(await images.send(id, padded(5 * 1024 * 1024))).toMatchObject({ status: 200 })
    for (const size of [5 * 1024 * 1024 + 1, 12_000_000])
      expect(await images.send(id, padded(size))).toMatchObject({
        status: 400,
        body: { error: expect.stringContaining('5 MB') },
      })
  })

  /** EXIF orientation (CIPA DC-008 §4.6.5): which quarter as stored is seen left above, right above, left below, right below. */
  const seen: Record<number, string[]> = {
    1: ['RED', 'GREEN', 'BLUE', 'YELLOW'],
    2: ['GREEN', 'RED', 'YELLOW', 'BLUE'],
    3: ['YELLOW', 'BLUE', 'GREEN', 'RED'],
    4: ['BLUE', 'YELLOW', 'RED', 'GREEN'],
    5: ['RED', 'BLUE', 'GREEN', 'YELLOW'],
    6: ['BLUE', 'RED', 'YELLOW', 'GREEN'],
    7: ['YELLOW', 'GREEN', 'BLUE', 'RED'],
    8: ['GREEN', 'YELLOW', 'RED', 'BLUE'],
  }
  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'EXIF orientation %i is applied, and no metadata is left',
    async (orientation) => {
      const photo = await quarters(1200, 800)
        .withMetadata({ orientation })
        .withExifMerge({
          IFD0: { Copyright: 'a secret name' },
          IFD3: {
            GPSLatitudeRef: 'N',
            GPSLatitude: '51/1 30/1 3230/100',
            GPSLongitudeRef: 'W',
            GPSLongitude: '0/1 7/1 4366/100',
          },
        })
        .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">a secret place</x:xmpmeta>')
        .jpeg()
        .toBuffer()
      const sent = await sharp(photo).metadata()
      expect(sent).toMatchObject({ orientation, exif: expect.any(Buffer), xmp: expect.any(Buffer) })
      expect(photo.includes('a secret name')).toBe(true)

      const { metadata, bytes } = await kept(photo)
      const isTurned = orientation >= 5
      expect(metadata).toMatchObject({ width: isTurned ? 683 : 1024, height: isTurned ? 1024 : 683 })
      for (const member of ['exif', 'xmp', 'icc', 'iptc', 'orientation'] as const)
        expect(metadata[member]).toBeUndefined()
      for (const text of ['Exif', 'secret', 'GPS', 'xmpmeta']) expect(bytes.includes(text)).toBe(false)
      expect(await quartersOf(bytes)).toEqual(seen[orientation])
    },
  )

  test('what hangs on behind a picture, or in its comments, is not kept', async () => {
    const picture = await jpeg(600, 600)
    const comment = Buffer.from('<script>alert("in a comment")</script>')
    const marker = Buffer.from([0xff, 0xfe, 0, comment.length + 2])
    const polyglot = Buffer.concat([
      picture.subarray(0, 2),
      marker,
      comment,
      picture.subarray(2),
      Buffer.from('PK\x03\x04 <script>alert("behind")</script>'),
    ])
    const { bytes } = await kept(polyglot)
    for (const text of ['script', 'PK\x03\x04']) expect(bytes.includes(text)).toBe(false)
  })

  test.each(['gif', 'webp'] as const)('an animated %s stays animated, and is made to fit', async (format) => {
    const { metadata, headers } = await kept(await animation(1300, 650, 3, format))
    expect(metadata).toMatchObject({ format, pages: 3, width: 1024, pageHeight: 512 })
    expect(metadata.delay).toEqual([80, 80, 80])
    expect(headers.get('content-type')).toBe(`image/${format}`)
  })

  test('bombs are refused by their header: at most 50 million pixels, in all frames together', {
    tags: ['long'],
  }, async () => {
    const id = await images.newPlayer()
    const bombs = {
      '16000x16000 PNG': blackPng(16_000, 16_000),
      'one row too many': blackPng(10_000, 5_001),
      'a GIF of 100 frames': sparseGif(2_000, 2_000, 100),
    }
    for (const [name, bytes] of Object.entries(bombs)) {
      expect(bytes.length).toBeLessThan(100_000)
      expect(await images.send(id, bytes), name).toMatchObject({
        status: 400,
        body: { error: expect.stringContaining('50000000') },
      })
    }
    expect((await kept(blackPng(10_000, 5_000))).metadata).toMatchObject({ width: 1024, height: 512 })
    expect((await kept(sparseGif(1_000, 1_000, 5))).metadata).toMatchObject({ width: 1000 })
    expect(await images.send(id, sparseGif(1_000, 1_000, 51))).toMatchObject({ status: 400 })
  })

  test('a picture that was cut off is 400', { tags: ['long'] }, async () => {
    const id = await images.newPlayer()
    for (const format of ['jpeg', 'png', 'gif', 'webp'] as const) {
      const whole = await quarters(900, 900).toFormat(format).toBuffer()
      expect(await images.send(id, whole.subarray(0, Math.floor(whole.length / 2))), format).toMatchObject({
        status: 400,
      })
    }
    expect((await app.get(appUrl(`players/${id}`))).body.imageUrl).toBeNull()
  })

  test('a form without a file, with two files or cut off, and a body that is not a form are refused', async () => {
    const id = await images.newPlayer()
    const picture = await jpeg(600, 600)
    const part = { field: 'image', name: 'me.jpg', bytes: picture }
    const raw = service.as({ ...app.headers, ...formHeaders })
    const text = new FormData()
    text.append('image', 'not a file')
    const missing = { status: 400, body: { error: [{ code: 'invalid_type', path: ['image'] }] } }
    expect(await app.patch(images.imageOf(id), formOf({ ...part, field: 'picture' }))).toMatchObject(missing)
    expect(await app.patch(images.imageOf(id), text)).toMatchObject(missing)
    expect(await app.patch(images.imageOf(id))).toMatchObject(missing)
    expect(await app.patch(images.imageOf(id), formOf(part, part))).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('several') },
    })
    expect(await raw.patch(images.imageOf(id), rawForm([part]).subarray(0, 4000))).toMatchObject({ status: 400 })
    expect(await raw.patch(images.imageOf(id), rawForm([part], { ending: '' }))).toMatchObject({ status: 400 })
    expect(await app.patch(images.imageOf(id), { image: 'aGVsbG8=' })).toMatchObject({ status: 415 })
    expect((await app.get(appUrl(`players/${id}`))).body.imageUrl).toBeNull()
    expect(await images.send(id, picture)).toMatchObject({ status: 200 })
  })

  test('50 at once are all taken, each player with its own', { tags: ['long'] }, async () => {
    const ids = await Promise.all(Array.from({ length: 50 }, images.newPlayer))
    const answers = await Promise.all(
      ids.map(async (id, i) =>
        images.send(
          id,
          await quarters(512 + i, 512)
            .jpeg()
            .toBuffer(),
        ),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
    for (const [i, { body }] of answers.entries())
      expect((await sharp((await images.read(body.imageUrl)).bytes).metadata()).width).toBe(512 + i)
  })

  test('needs a key: 401; a player of another app is 403, an unknown one 404, before the image is read', async () => {
    const other = await given.app()
    const id = await images.newPlayer()
    const picture = await jpeg(600, 600)
    expect(await images.send(id, picture, {}, service.anonymous)).toMatchObject({ status: 401 })
    expect(await images.send(id, 'no image', {}, other)).toMatchObject({ status: 403 })
    for (const unknown of ['nobody', crypto.randomUUID()])
      expect(await images.send(unknown, 'no image')).toMatchObject({ status: 404, body: { error: 'Player not found' } })
    expect(await other.delete(images.imageOf(id))).toMatchObject({ status: 403 })
    expect(await app.delete(images.imageOf(crypto.randomUUID()))).toMatchObject({ status: 404 })
    expect(await service.anonymous.delete(images.imageOf(id))).toMatchObject({ status: 401 })
  })
})
