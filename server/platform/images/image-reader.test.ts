import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { coded, heifFixture, heifOf, irot, ispe, tiled } from '../../test/content/heif.ts'
import { ANSWER, EXIT, LOOP, THROW } from '../../test/processes/work-script.ts'
import { createImageReader, type ImageBytes, type ImageReader } from './image-reader.ts'
import { PIECE_BYTES } from './image-tasks.ts'
import { openLibheif } from './libheif.ts'

const readers: ImageReader[] = []
const open = (options: Parameters<typeof createImageReader>[0] = {}) => {
  const reader = createImageReader(options)
  readers.push(reader)
  return reader
}
afterAll(() => Promise.all(readers.map((reader) => reader.close())))

const effort = { seconds: 60 }
const sent = (bytes: Uint8Array, reading: Partial<ImageBytes> = {}): ImageBytes => ({
  bytes: (async function* () {
    for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000)
  })(),
  size: bytes.length,
  format: 'heif',
  isHevc: true,
  isAnimated: false,
  ...reading,
})
const made = async (reader: ImageReader, image: ImageBytes, maxPixels = 50_000_000) =>
  Buffer.concat(await reader.make(image, { maxPixels }, effort, (pieces) => Array.fromAsync(pieces)))
const sizeOf = async (reader: ImageReader, file: Uint8Array, maxPixels?: number) => {
  const { width, height } = await sharp(await made(reader, sent(file), maxPixels)).metadata()
  return { width, height }
}
const plain = heifFixture('plain.heic')

const script = new URL('../../test/processes/work-script.ts', import.meta.url)
const ask = (reader: ImageReader, what: number, seconds = 60) =>
  reader.measure(sent(new Uint8Array([what])), { seconds })

describe('the image reader', () => {
  test('returns the size of the pixels from the headers, upright and assembled', { tags: ['long'] }, async () => {
    const reader = open()
    for (const file of [plain, heifFixture('deep.heic'), heifOf([coded([irot(1)])]), tiled(3, 2)])
      expect(await reader.measure(sent(file), effort)).toMatchObject(await sizeOf(reader, file))
  })

  test('bounds its memory for any declared size', async () => {
    const reader = open()
    for (const [width, height] of [
      [65_535, 65_535],
      [7_000, 7_000],
      [0, 480],
      [2 ** 31, 2],
    ] as const)
      await expect(sizeOf(reader, heifOf([coded([], ispe(width, height))])), `${width}`).rejects.toMatchObject({
        status: 400,
      })
    // The headers are true, and the limit is lower.
    await expect(sizeOf(reader, plain, 300_000)).rejects.toMatchObject({ status: 400 })
    expect(await sizeOf(reader, plain)).toEqual({ width: 640, height: 480 })
  })

  test('receives an image and returns the output completely in any number of chunks', async () => {
    const raw = { width: 1500, height: 1500, channels: 3 as const }
    const pixels = randomBytes(raw.width * raw.height * raw.channels)
    const png = await sharp(pixels, { raw }).png().toBuffer()
    const kept = await made(open(), sent(png, { format: 'png', isHevc: false }))
    expect(Math.min(png.length, kept.length)).toBeGreaterThan(PIECE_BYTES)
    expect(pixels.equals(await sharp(kept).raw().toBuffer())).toBe(true)
  })

  test('refuses an image when a decoder is out of memory, and decodes the next', () => {
    const file = tiled(4, 4)
    expect(openLibheif().decode(file, 50_000_000)).toMatchObject({ width: 2560, height: 1920 })
    const small = openLibheif({ maxMemory: 20 * 2 ** 20 })
    expect(() => small.decode(file, 50_000_000)).toThrow()
    expect(small.decode(plain, 50_000_000)).toMatchObject({ width: 640, height: 480 })
  })

  test('reads or refuses any damaged file, and reads the next one', async () => {
    const reader = open()
    const files = [plain, heifFixture('p3.heic'), tiled(2, 1, [irot(1)])]
    const change = fc.record({
      at: fc.double({ min: 0, max: 0.999, noNaN: true }),
      to: fc.integer({ min: 0, max: 255 }),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...files),
        fc.array(change, { minLength: 1, maxLength: 6 }),
        fc.double({ min: 0.1, max: 1, noNaN: true }),
        async (file, changes, kept) => {
          const broken = new Uint8Array(file)
          for (const { at, to } of changes) broken[Math.floor(at * broken.length)] = to
          const cut = broken.slice(0, Math.ceil(kept * 1.3 * broken.length))
          await sizeOf(reader, cut).catch((error) => expect(error).toMatchObject({ status: 400 }))
        },
      ),
      { numRuns: 400 },
    )
    expect(await sizeOf(reader, plain)).toEqual({ width: 640, height: 480 })
  })

  test.each([
    ['loops', LOOP, 503],
    ['throws', THROW, 400],
    ['ends', EXIT, 400],
  ])(
    'a process that %s fails only its own image: the next is read by a new one',
    { tags: ['long'] },
    async (_, what, status) => {
      const reader = open({ script })
      const first = await ask(reader, ANSWER)
      await expect(ask(reader, what, what === LOOP ? 5 : 60)).rejects.toMatchObject({ status })
      expect((await ask(reader, ANSWER)).width).not.toBe(first.width)
    },
  )

  test('keeps a process for the next image, and ends it with its memory when idle', async () => {
    const staying = open({ script })
    expect(await ask(staying, ANSWER)).toEqual(await ask(staying, ANSWER))
    const short = open({ script, idleMs: 1 })
    const first = await ask(short, ANSWER)
    await expect.poll(() => ask(short, ANSWER)).not.toEqual(first)
  })

  test('ends an idle process even if the next image never arrives', async () => {
    const reader = open({ script, idleMs: 200 })
    const { width: pid } = await ask(reader, ANSWER)
    const gone = (async function* () {
      yield* await Promise.reject<Uint8Array[]>(new Error('gone'))
    })()
    await expect(reader.measure({ ...sent(plain), bytes: gone }, effort)).rejects.toThrow('gone')
    await expect
      .poll(() => {
        try {
          return process.kill(pid, 0)
        } catch {
          return false
        }
      })
      .toBe(false)
  })
})
