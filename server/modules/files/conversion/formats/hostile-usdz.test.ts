import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readZip } from '../../../../../usdz/layers/read-zip.ts'
import { writePackage } from '../../../../../usdz/package/zip.ts'
import { packageOf, wholeLayer } from '../../../../../usdz/test/content/packages.ts'
import { material, square, textPackage, texture } from '../../../../../usdz/test/content/text-package.ts'
import { convertBy } from '../../../../test/content/conversions.ts'
import { type Service, startService } from '../../../../test/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const send = (bytes: Uint8Array) => convertBy(service.anonymous, { name: 'chair.usdz', bytes }, 'format=glb')

/** A package with two files, of which the second has other flags or another method in the directory of the archive. */
function secondFile(at: 8 | 10, value: number): Uint8Array {
  const usdz = Buffer.from(packageOf(wholeLayer(), { name: 'more.png', parts: [Buffer.alloc(1000)] }))
  const end = usdz.length - 22
  let entry = usdz.readUInt32LE(end + 16)
  for (let file = 1; file < usdz.readUInt16LE(end + 10); file++) entry += 46 + usdz.readUInt16LE(entry + 28)
  usdz.writeUInt16LE(value, entry + at)
  return usdz
}

/** A package whose layer has bytes of its section of tokens changed. */
function withTokens(change: (layer: Buffer, start: number) => void): Uint8Array {
  const { name, data } = readZip(packageOf(wholeLayer()))[0]!
  const layer = Buffer.from(data)
  const entry = layer.lastIndexOf('TOKENS\0')
  change(layer, Number(layer.readBigUInt64LE(entry + 16)))
  return writePackage([{ name, parts: [layer] }])
}

/** The header of a PNG of 60,000 × 60,000 pixels, without the pixels. */
const hugePng = () => {
  const header = Buffer.alloc(33)
  header.write('\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR', 'latin1')
  header.writeUInt32BE(60_000, 16)
  header.writeUInt32BE(60_000, 20)
  header[24] = 8
  return header
}
const doubling = Array.from(
  { length: 30 },
  (_, at) =>
    `def "P${at}" { def "L" ( references = </Root/P${at + 1}> ) { }\n def "R" ( references = </Root/P${at + 1}> ) { } }`,
).join('\n')

describe('a USDZ that is damaged is 400 with the cause, and nothing is stored', () => {
  const whole = packageOf(wholeLayer())
  test.each([
    ['an archive without its directory', whole.subarray(0, whole.length - 30), 'is not a ZIP archive'],
    ['a crate that is cut off', cutLayer(), 'cannot be read'],
    ['a layer of zeros', writePackage([{ name: 'a.usdc', parts: [new Uint8Array(500)] }]), 'It is not a USD layer'],
    [
      'tokens that unpack to a terabyte',
      withTokens((layer, start) => layer.writeBigUInt64LE(2n ** 40n, start + 8)),
      'It unpacks to more data than allowed',
    ],
    [
      'more tokens than bytes',
      withTokens((layer, start) => layer.writeBigUInt64LE(2n ** 60n, start)),
      'tokens and holds 93',
    ],
    ['text that is no USD', textPackage('def Mesh "A" { int[] = '), 'model.usda'],
  ])('%s', async (_what, bytes, cause) => {
    const kept = (await service.objectsKept()).length
    expect(await send(bytes)).toMatchObject({ status: 400, body: { error: expect.stringContaining(cause) } })
    expect((await service.objectsKept()).length).toBe(kept)
  })
})

/** Two images that share a texture of the GLB, which would have to be decoded. */
function hugeImages(): Uint8Array {
  const images = ['roughness', 'metallic'].map((name) => ({ name: `${name}.png`, parts: [hugePng()] }))
  const inputs = `float inputs:roughness.connect = </Root/Paint/A.outputs:r>
    float inputs:metallic.connect = </Root/Paint/B.outputs:r>`
  const paint = material(
    'Paint',
    inputs,
    `${texture('Paint', 'A', 'roughness.png')} ${texture('Paint', 'B', 'metallic.png')}`,
  )
  return textPackage(`${square('Seat', 'rel material:binding = </Root/Paint>')} ${paint}`, images)
}

describe('a USDZ that is readable but not convertible is stored, with status FAILED and the cause', () => {
  const expectFailed = async (bytes: Uint8Array, cause: string) =>
    expect(await send(bytes)).toMatchObject({
      status: 200,
      body: { status: 'FAILED', error: expect.stringContaining(cause), options: { format: 'glb' } },
    })

  test.each([
    ['an encrypted file', secondFile(8, 1), 'more.png is compressed or encrypted'],
    ['a compressed file', secondFile(10, 8), 'more.png is compressed or encrypted'],
    ['images of billions of pixels', hugeImages(), 'more than 400000000 pixels'],
  ])('%s', (_what, bytes, cause) => expectFailed(bytes, cause))

  test('references that double thirty times', { tags: ['long'] }, () => expectFailed(textPackage(doubling), 'prims'))
})

/** A package whose archive is whole, and whose layer has lost its last hundred bytes. */
function cutLayer(): Uint8Array {
  const { name, data } = readZip(packageOf(wholeLayer()))[0]!
  return writePackage([{ name, parts: [data.subarray(0, data.length - 100)] }])
}
