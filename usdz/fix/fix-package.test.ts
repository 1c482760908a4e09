import { crc32, deflateRawSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { inspectPackage } from '../check/check-package.ts'
import type { RuleName, RuleResult } from '../check/rules/rules.ts'
import { convert } from '../index.ts'
import { writePackage } from '../package/zip.ts'
import { broken } from '../test/content/broken-packages.ts'
import { squareGlb } from '../test/content/models.ts'
import { composed, crateOf } from '../test/judges/composed.ts'
import { openUsdz } from '../test/open-usdz.ts'
import { fixPackage } from './fix-package.ts'

const failedIn = (rules: readonly RuleResult[]) =>
  rules.filter(({ state }) => state === 'failed').map(({ rule }) => rule)

/** What is broken, and the words of the repair. */
const repairs: [RuleName, string, RegExp][] = [
  ['Archive', 'a checksum that does not fit', /may be damaged/],
  ['Archive', 'two headers that name different methods', /written anew/],
  ['ByteAlignmentChecker', 'files shifted by one byte', /multiples of 64 bytes: model\.usdc/],
  ['ARKitFileExtensionChecker', 'a JPEG named .jpeg', /photo\.jpeg is renamed to photo\.jpg/],
  ['TextureChecker', 'a PNG named .jpg', /renamed to really\.png/],
  ['StageMetadataChecker', 'no scale', /metersPerUnit is set to 0\.01/],
  ['StageMetadataChecker', 'no default prim', /defaultPrim is set to Root/],
  ['MaterialBindingAPIAppliedChecker', 'a binding alone', /MaterialBindingAPI is applied to 1 prim/],
  ['Names', 'a prim with a space', /1 name that USD does not allow is replaced/],
  ['Names', 'a property with a dash', /1 name/],
  ['Extent', 'no extent', /The extent of 1 mesh is computed/],
  ['Extent', 'an extent that is too small', /The extent of 1 mesh is computed/],
]

test.each(repairs)('a package that breaks %s by %s follows all rules when repaired', (rule, what, words) => {
  const [, , usdz] = broken.find(([one, name]) => one === rule && name === what)!
  expect(failedIn(inspectPackage(usdz))).toContain(rule)
  const { rules, fixes } = fixPackage(usdz)!
  expect(failedIn(rules)).toEqual([])
  expect(fixes).toEqual([expect.stringMatching(words)])
})

/** A ZIP archive with one deflated file. */
function deflated(name: string, data: Uint8Array): Uint8Array {
  const coded = deflateRawSync(data)
  const text = Buffer.from(name)
  const header = (signature: number, extra: number) => {
    const out = Buffer.alloc((signature === 0x02014b50 ? 46 : 30) + text.length)
    const at = signature === 0x02014b50 ? 2 : 0
    out.writeUInt32LE(signature, 0)
    out.writeUInt16LE(8, 8 + at)
    out.writeUInt32LE(crc32(data), 14 + at)
    out.writeUInt32LE(coded.length, 18 + at)
    out.writeUInt32LE(data.length, 22 + at)
    out.writeUInt16LE(text.length, 26 + at)
    text.copy(out, out.length - text.length)
    return Buffer.concat([out, Buffer.alloc(extra)])
  }
  const local = Buffer.concat([header(0x04034b50, 0), coded])
  const central = header(0x02014b50, 0)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(local.length, 16)
  return new Uint8Array(Buffer.concat([local, central, end]))
}

describe('repairing', () => {
  test('stores compressed files as they are', async () => {
    const { files } = openUsdz((await convert(await squareGlb())).usdz)
    const squeezed = deflated('model.usdc', files[0]!.data)
    expect(failedIn(inspectPackage(squeezed))).toContain('CompressionChecker')
    const { usdz, rules, fixes } = fixPackage(squeezed)!
    expect(failedIn(rules)).toEqual([])
    expect(fixes).toEqual(['Files are stored without compression: model.usdc.'])
    expect(Buffer.from(openUsdz(usdz).files[0]!.data)).toEqual(Buffer.from(files[0]!.data))
  })

  test('puts the only layer first and names it .usdc', async () => {
    const { files } = openUsdz((await convert(await squareGlb())).usdz)
    const photo = { name: 'a.txt', parts: [new Uint8Array(3)] }
    const { usdz, fixes } = fixPackage(writePackage([photo, { name: 'scene.usd', parts: [files[0]!.data] }]))!
    expect(openUsdz(usdz).files.map(({ name }) => name)).toEqual(['scene.usdc', 'a.txt'])
    expect(fixes).toHaveLength(2)
  })

  test('changes nothing in a package that follows the rules', async () => {
    const { usdz } = await convert(await squareGlb())
    const fixed = fixPackage(usdz)!
    expect(fixed.fixes).toEqual([])
    expect(Buffer.from(fixed.usdz)).toEqual(Buffer.from(usdz))
  })

  test('leaves what it cannot repair to the rules, and bytes that are no archive alone', () => {
    const [, , text] = broken.find(([, name]) => name === 'a text layer')!
    expect(failedIn(fixPackage(text)!.rules)).toEqual(['ARKitRootLayerChecker', 'StageMetadataChecker'])
    expect(fixPackage(new Uint8Array(200))).toBeUndefined()
  })
})

/** A layer without metadata, extent and applied schema, with a texture whose name has the wrong extension. */
const layer = `#usda 1.0
def Xform "Root"
{
  def Mesh "Body"
  {
    int[] faceVertexCounts = [3]
    int[] faceVertexIndices = [0, 1, 2]
    point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 2, 0)]
    rel material:binding = </Root/Paint>
  }
  def Material "Paint"
  {
    token outputs:surface.connect = </Root/Paint/Surface.outputs:surface>
    def Shader "Surface"
    {
      uniform token info:id = "UsdPreviewSurface"
      token outputs:surface
    }
  }
}
`

describe.each(['0.4.0', '0.7.0', '0.9.0'])('a repaired crate of version %s', (version) => {
  test('is read by OpenUSD with what was added', { tags: ['long'] }, async () => {
    const data = await crateOf(layer, version)
    const { usdz, rules, fixes } = fixPackage(writePackage([{ name: 'other.usdc', parts: [data] }]))!
    expect(failedIn(rules)).toEqual([])
    expect(fixes).toHaveLength(5)
    const { text, complaints } = await composed({ 'other.usdz': usdz })
    expect(complaints).toEqual([])
    for (const line of [
      'defaultPrim = "Root"',
      'metersPerUnit = 0.01',
      'upAxis = "Y"',
      'apiSchemas = ["MaterialBindingAPI"]',
      'float3[] extent = [(0, 0, 0), (1, 2, 0)]',
      'point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 2, 0)]',
      'rel material:binding = </Root/Paint>',
    ]) {
      expect(text).toContain(line)
    }
  })
})
