import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { coded, heifFixture, heifOf, irot, ispe, tiled } from '../../test/content/heif.ts'
import { ANSWER, EXIT, LOOP, THROW } from '../../test/processes/work-script.ts'
import { createHeifReader, type HeifReader } from './heif.ts'
import { openLibheif } from './libheif.ts'

const readers: HeifReader[] = []
const open = (options: Parameters<typeof createHeifReader>[0] = {}) => {
  const reader = createHeifReader(options)
  readers.push(reader)
  return reader
}
afterAll(() => Promise.all(readers.map((reader) => reader.close())))

const bytes = (file: Uint8Array) => async () => new Uint8Array(file)
const sizeOf = async (reader: HeifReader, file: Uint8Array) =>
  reader.decode(bytes(file), 50_000_000, async ({ width, height, data, channels }) => {
    expect(data).toHaveLength(width * height * channels)
    return { width, height }
  })
const plain = heifFixture('plain.heic')

const script = new URL('../../test/processes/work-script.ts', import.meta.url)
const ask = (reader: HeifReader, what: number) => reader.measure(async () => new Uint8Array([what]))

describe('the reader of HEIC', () => {
  test('the size by the headers is that of the pixels, turned and put together', async () => {
    const reader = open()
    for (const file of [plain, heifFixture('deep.heic'), heifOf([coded([irot(1)])]), tiled(3, 2)])
      expect(await reader.measure(bytes(file))).toEqual(await sizeOf(reader, file))
  })

  test('its memory is bounded, whatever a file says of itself', async () => {
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
    // The headers are true, and the bound is lower.
    await expect(reader.decode(bytes(plain), 300_000, async () => {})).rejects.toMatchObject({ status: 400 })
    expect(await sizeOf(reader, plain)).toEqual({ width: 640, height: 480 })
  })

  test('a decoder that has no memory left refuses the image, and decodes the next', () => {
    const file = tiled(4, 4)
    expect(openLibheif().decode(file, 50_000_000)).toMatchObject({ width: 2560, height: 1920 })
    const small = openLibheif({ mostMemory: 20 * 2 ** 20 })
    expect(() => small.decode(file, 50_000_000)).toThrow()
    expect(small.decode(plain, 50_000_000)).toMatchObject({ width: 640, height: 480 })
  })

  test('whatever is done to a file, it is read or refused, and the next one is read', async () => {
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
  ])('a process that %s fails its own image only: the next is read by a new one', async (_, what, status) => {
    const reader = open({ script, seconds: what === LOOP ? 5 : 60 })
    const first = await ask(reader, ANSWER)
    await expect(ask(reader, what)).rejects.toMatchObject({ status })
    expect((await ask(reader, ANSWER)).width).not.toBe(first.width)
  })

  test('a process stays for the next image, and without one ends after a while, its memory with it', async () => {
    const staying = open({ script })
    expect(await ask(staying, ANSWER)).toEqual(await ask(staying, ANSWER))
    const short = open({ script, idleMs: 1 })
    const first = await ask(short, ANSWER)
    await expect.poll(() => ask(short, ANSWER)).not.toEqual(first)
  })

  test('a process ends after a while also when the next image never came', async () => {
    const reader = open({ script, idleMs: 200 })
    const { width: pid } = await ask(reader, ANSWER)
    await expect(reader.measure(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone')
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
