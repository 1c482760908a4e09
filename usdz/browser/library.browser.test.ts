import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConversionReport, checkPackage, convert, convertToGlb, type Profile } from '../index.ts'
import { readZip } from '../layers/read-zip.ts'
import { deflated } from '../test/content/deflated-package.ts'
import { givenModel, squareGlb } from '../test/content/models.ts'
import { rows } from '../test/features/table.ts'
import { buildForBrowsers } from './build.ts'
import { openPage } from './serve.ts'

let folder: string
let opened: Awaited<ReturnType<typeof openPage>>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'usdz-browser-'))
  await buildForBrowsers(folder)
  opened = await openPage(folder)
})
afterAll(async () => {
  await opened.close()
  await rm(folder, { recursive: true, force: true })
})

type Answer = { made: string; report: ConversionReport; fixes?: string[] } | { code: string; message: string }

type Made = { usdz?: Uint8Array; glb?: Uint8Array; report: ConversionReport; fixes?: string[] }
type Library = Record<string, (bytes: Uint8Array, options?: object) => Promise<Made>>

/** Calls a function of the library in the page: bytes, then options. */
async function inPage(name: string, bytes: Uint8Array, options?: object) {
  const answer = await opened.page.evaluate(
    async ([name, text, options]): Promise<Answer> => {
      const { library } = globalThis as unknown as { library: Library }
      const given = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
      try {
        const { usdz, glb, report, fixes } = await library[name]!(given, options)
        let characters = ''
        for (const byte of (usdz ?? glb)!) characters += String.fromCharCode(byte)
        return { made: btoa(characters), report, ...(fixes && { fixes }) }
      } catch (error) {
        return { code: String((error as { code?: string }).code), message: String(error) }
      }
    },
    [name, Buffer.from(bytes).toString('base64'), options] as const,
  )
  return 'made' in answer ? { ...answer, made: new Uint8Array(Buffer.from(answer.made, 'base64')) } : answer
}

const raw = async (data: Uint8Array) => {
  const { data: pixels, info } = await sharp(data).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return { pixels, width: info.width, height: info.height }
}
const differenceOf = (one: Buffer, other: Buffer) =>
  one.reduce((sum, value, at) => sum + Math.abs(value - other[at]!), 0) / one.length

describe('the build for browsers converts as the library in Node', () => {
  test.each(rows.map(({ feature }) => [feature.name, feature] as const))('%s', async (_name, feature) => {
    const glb = await feature.glb()
    for (const profile of ['quicklook', 'spec'] satisfies Profile[]) {
      const here = await convert(glb, { profile })
      const there = await inPage('convert', glb, { profile })
      if (!('made' in there)) throw new Error(there.message)
      expect(there.report).toEqual(JSON.parse(JSON.stringify(here.report)))
      expect(checkPackage(there.made)).toEqual([])
      const [ours, theirs] = [readZip(here.usdz), readZip(there.made)]
      expect(theirs.map(({ name }) => name)).toEqual(ours.map(({ name }) => name))
      expect(Buffer.from(theirs[0]!.data).equals(ours[0]!.data)).toBe(true)
      for (const [at, { name, data }] of ours.entries()) {
        if (at === 0) continue
        const [one, other] = [await raw(data), await raw(theirs[at]!.data)]
        expect([name, other.width, other.height]).toEqual([name, one.width, one.height])
        // JPEG encoders differ, and so does what decoders make of CMYK without a profile.
        const most = name.endsWith('.png') ? 0.5 : feature.name.includes('CMYK') ? 40 : 4
        expect([name, differenceOf(one.pixels, other.pixels) < most]).toEqual([name, true])
      }
    }
  })
})

test('colours of transparent pixels stay', async () => {
  const pixels = Uint8Array.from({ length: 32 * 32 * 4 }, (_, i) => [200, 100, 50, 0][i % 4]!)
  const png = await sharp(pixels, { raw: { width: 32, height: 32, channels: 4 } })
    .png()
    .toBuffer()
  const model = givenModel()
  const texture = model.document.createTexture('glass').setImage(new Uint8Array(png)).setMimeType('image/png')
  const material = model.document.createMaterial('Glass').setBaseColorTexture(texture).setAlphaMode('BLEND')
  model.node('Square', model.mesh('Square', model.square(material)))
  const there = await inPage('convert', await model.glb(), { maxTextureSize: 16 })
  if (!('made' in there)) throw new Error(there.message)
  const image = readZip(there.made).find(({ name }) => name.endsWith('.png'))!
  const { data, info } = await sharp(image.data).raw().toBuffer({ resolveWithObject: true })
  expect([info.width, info.channels]).toEqual([16, 4])
  for (const [k, value] of [200, 100, 50, 0].entries()) expect(Math.abs(data[k]! - value)).toBeLessThanOrEqual(1)
})

test.each(['jpeg', 'png', 'webp'] as const)('the orientation of a %s is ignored, as in Node', async (format) => {
  const pixels = Uint8Array.from({ length: 64 * 32 * 3 }, (_, i) => [(i / 3) % 64, i / 192, 20][i % 3]! * 4)
  const turned = await sharp(pixels, { raw: { width: 64, height: 32, channels: 3 } })
    .toFormat(format, { quality: 100 })
    .withMetadata({ orientation: 6 })
    .toBuffer()
  const model = givenModel()
  const bytes = new Uint8Array(turned)
  const texture = model.document.createTexture('photo').setImage(bytes).setMimeType(`image/${format}`)
  const material = model.document.createMaterial('Paint').setBaseColorTexture(texture)
  model.node('Square', model.mesh('Square', model.square(material.setBaseColorFactor([0.5, 0.5, 0.5, 1]))))
  for (const options of [{}, { maxTextureSize: 32 }]) {
    const here = await convert(await model.glb(), options)
    const there = await inPage('convert', await model.glb(), options)
    if (!('made' in there)) throw new Error(there.message)
    const [one, other] = [await raw(readZip(here.usdz)[1]!.data), await raw(readZip(there.made)[1]!.data)]
    expect([other.width, other.height]).toEqual([one.width, one.height])
    expect(differenceOf(one.pixels, other.pixels)).toBeLessThan(4)
  }
})

test('a USDZ becomes the same GLB, and a damaged model has the same error', async () => {
  const { usdz } = await convert(await squareGlb())
  const there = await inPage('convertToGlb', usdz)
  expect('made' in there && Buffer.from(there.made).equals((await convertToGlb(usdz)).glb)).toBe(true)
  const message = await convert(new Uint8Array(4)).catch((error: unknown) => String(error))
  expect(await inPage('convert', new Uint8Array(4))).toEqual({ code: 'malformed', message })
})

test('a compressed package is repaired', async () => {
  const { usdz } = await convert(await squareGlb())
  const there = await inPage('fixPackage', deflated('model.usdc', readZip(usdz)[0]!.data))
  expect(there).toMatchObject({ fixes: [expect.stringMatching(/without compression/)] })
  expect('made' in there && checkPackage(there.made)).toEqual([])
})
