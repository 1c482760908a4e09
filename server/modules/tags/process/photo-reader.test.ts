// @module-tag long
import sharp, { type Sharp } from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { blackPng } from '../../../test/content/pictures.ts'
import { drawScene } from '../../../test/content/tags/tag-scene.ts'
import { LOOP, THROW } from '../../../test/processes/work-script.ts'
import { PhotoFault } from '../reading/photo-facts.ts'
import { createPhotoReader } from './photo-reader.ts'

const reader = createPhotoReader()
const script = new URL('../../../test/processes/work-script.ts', import.meta.url)
const faulty = createPhotoReader({ script, seconds: 2 })
afterAll(() => Promise.all([reader.close(), faulty.close()]))

async function* inPieces(bytes: Uint8Array, size = 10_000) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
const read = (bytes: Uint8Array, by = reader) =>
  by.read({ bytes: inPieces(bytes), size: bytes.length }, AbortSignal.timeout(60_000))

const { image, truths } = drawScene({
  width: 640,
  height: 480,
  tags: [{ id: 7, at: [200, 150], side: 70, turn: 20, tilt: 30 }],
})
const raw = { width: image.width, height: image.height, channels: 1 as const }
const picture = () => sharp(image.pixels, { raw })
const truth = truths[0]!

describe('a photo', () => {
  test.each<[string, (picture: Sharp) => Sharp]>([
    ['JPEG', (picture) => picture.jpeg({ quality: 85 })],
    ['JPEG in CMYK', (picture) => picture.toColourspace('cmyk').jpeg({ quality: 90 })],
    ['PNG', (picture) => picture.png()],
    ['PNG of 16 bits with transparency', (picture) => picture.toColourspace('rgb16').ensureAlpha().png()],
    ['WebP', (picture) => picture.webp()],
    ['GIF', (picture) => picture.gif()],
    ['AVIF', (picture) => picture.avif({ quality: 80 })],
  ])('in %s shows its tag', async (_name, encode) => {
    const found = await read(await encode(picture()).toBuffer())
    expect(found).toMatchObject({ width: 640, height: 480, tags: [{ id: 7, hamming: 0 }], exif: null })
    const [x, y] = found.tags[0]!.centre
    expect(Math.hypot(x - truth.centre[0], y - truth.centre[1])).toBeLessThan(0.5)
  })

  test('has the pixels of the stored image, before it is turned by its EXIF orientation', async () => {
    const turned = await picture().withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const { width, height, tags } = await read(turned)
    expect({ width, height }).toEqual({ width: 640, height: 480 })
    expect(Math.abs(tags[0]!.centre[0] - truth.centre[0])).toBeLessThan(0.5)
  })

  test('has place, time and focal length of its EXIF', async () => {
    const bytes = await picture()
      .jpeg()
      .withExif({
        IFD2: { DateTimeOriginal: '2026:06:21 14:00:00', OffsetTimeOriginal: '+02:00', FocalLengthIn35mmFilm: '26' },
        IFD3: {
          GPSLatitudeRef: 'N',
          GPSLatitude: '52/1 31/1 12/1',
          GPSLongitudeRef: 'E',
          GPSLongitude: '13/1 24/1 0/1',
          GPSAltitudeRef: '0',
          GPSAltitude: '35/1',
        },
      })
      .toBuffer()
    expect((await read(bytes)).exif).toEqual({
      lat: 52.52,
      lon: 13.4,
      h: 35,
      takenAt: '2026-06-21T12:00:00.000Z',
      focalLength35: 26,
    })
  })

  test('is sharper than the same photo out of focus, and as bright', async () => {
    const sharpOne = await read(await picture().jpeg().toBuffer())
    const blurred = await read(await picture().blur(6).jpeg().toBuffer())
    expect(sharpOne.quality.sharpness).toBeGreaterThan(2 * blurred.quality.sharpness)
    expect(sharpOne.quality.exposure).toBeCloseTo(blurred.quality.exposure, 1)
  })
})

describe('a photo that cannot be read is refused with a sentence:', () => {
  test.each<[string, () => Uint8Array | Promise<Uint8Array>, RegExp]>([
    ['half of a JPEG', async () => (await picture().jpeg().toBuffer()).subarray(0, 9000), /cannot be read/],
    ['a drawing', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), /is not a JPEG/],
    ['60 megapixels', () => blackPng(10_000, 6000), /10000x6000 pixels; .* at most 50 million/],
    ['a side of 33,000 pixels', () => blackPng(33_000, 20), /33000x20 pixels; .* 32000 a side/],
    ['bytes after the mark of a PNG', () => Buffer.concat([blackPng(2, 2).subarray(0, 8), Buffer.alloc(90)]), /cannot/],
  ])('%s', async (_name, bytes, message) => {
    const error = await read(await bytes()).catch((error) => error)
    expect(error).toBeInstanceOf(PhotoFault)
    expect(error.message).toMatch(message)
  })

  test('one that makes the process fail or loop', async () => {
    await expect(read(Buffer.from([THROW]), faulty)).rejects.toThrow('The photo cannot be read: it is damaged')
    await expect(read(Buffer.from([LOOP]), faulty)).rejects.toThrow('The photo took longer than 2 s')
    expect((await read(await picture().jpeg().toBuffer())).tags).toHaveLength(1)
  })
})
