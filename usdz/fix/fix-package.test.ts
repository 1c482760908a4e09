import { describe, expect, test } from 'vitest'
import { inspectPackage } from '../check/check-package.ts'
import type { RuleName, RuleResult } from '../check/rules/rules.ts'
import { convert } from '../index.ts'
import { readZip } from '../layers/read-zip.ts'
import { writePackage } from '../package/zip.ts'
import { broken } from '../test/content/broken-packages.ts'
import { deflated } from '../test/content/deflated-package.ts'
import { extendedPackage } from '../test/content/extended-package.ts'
import { givenModel, image, squareGlb } from '../test/content/models.ts'
import { material, square, textLayer, textPackage, texture } from '../test/content/text-package.ts'
import { composed, crateOf } from '../test/judges/composed.ts'
import { openUsdz } from '../test/open-usdz.ts'
import { fixPackage } from './fix-package.ts'

const failedIn = (rules: readonly RuleResult[]) =>
  rules.filter(({ state }) => state === 'failed').map(({ rule }) => rule)

async function texturedGlb(): Promise<Uint8Array> {
  const model = givenModel()
  const bytes = new Uint8Array(await image([255, 0, 0]))
  const texture = model.document.createTexture('stone').setImage(bytes).setMimeType('image/png')
  const material = model.document.createMaterial('Paint').setBaseColorTexture(texture)
  model.node('Square', model.mesh('Square', model.square(material)))
  return await model.glb()
}

/** What is broken, and the words of the repair. */
const repairs: [RuleName, string, RegExp][] = [
  ['Archive', 'a checksum that does not fit', /may be damaged/],
  ['Archive', 'two headers that name different methods', /written anew/],
  ['Archive', 'the extended form', /without the extended \(ZIP64\) format/],
  ['ByteAlignmentChecker', 'files shifted by one byte', /multiples of 64 bytes: model\.usdc/],
  ['ARKitFileExtensionChecker', 'a JPEG named .jpeg', /photo\.jpeg is renamed to photo\.jpg/],
  ['TextureChecker', 'a PNG named .jpg', /renamed to really\.png/],
  ['MissingReferenceChecker', 'a texture with other capital letters', /Bumps\.PNG is named textures\/bumps\.png/],
  ['ARKitPackageEncapsulationChecker', 'a texture of another computer', /^C:\/models\/bumps\.png is named textures/],
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

const sheet = 'float3[] extent = [(0, 0, 0), (1, 1, 0)]'

describe('repairing', () => {
  test('leaves a path that several files of the package could be meant by, and addresses of servers', () => {
    const layer = (path: string) => square('Sheet', sheet) + material('Paint', '', texture('Paint', 'Map', path))
    const maps = ['a/map.png', 'b/map.png', 'photo.png'].map((name) => ({ name, parts: [Buffer.from('')] }))
    for (const path of ['C:/map.png', 'https://example.org/photo.png', 'more.usdz[photo.png]', '../../none.png']) {
      expect(fixPackage(textPackage(layer(path), maps))!.fixes).toEqual([])
    }
    expect(fixPackage(textPackage(layer('D:\\\\maps\\\\Photo.png'), maps))!.fixes).toHaveLength(1)
  })

  test('leaves paths of layers, which could bring in each other', () => {
    const layer = (file: string) => `def "Chair" ( references = @C:/models/${file}@</Root/Part> ) { }`
    const part = { name: 'part.usda', parts: [Buffer.from(textLayer(layer('Model.usda')))] }
    expect(fixPackage(textPackage(layer('Model.usda')))!.fixes).toEqual([])
    expect(fixPackage(textPackage(layer('Part.usda'), [part]))!.fixes).toEqual([])
  })

  test('finds a file whose path has other capital letters, and one that is renamed', async () => {
    const parts = [await image([255, 0, 0])]
    const layer = (path: string) => square('Sheet', sheet) + material('Paint', '', texture('Paint', 'Map', path))
    const maps = ['a/map.png', 'b/map.png', 'c/photo.jpg'].map((name) => ({ name, parts }))
    const namedAnew = (path: string) => fixPackage(textPackage(layer(path), maps))!.fixes.at(-1)
    expect(namedAnew('B/Map.png')).toBe('B/Map.png is named b/map.png, which is in the package.')
    expect(namedAnew('C:/Photo.jpg')).toBe('C:/Photo.jpg is named c/photo.png, which is in the package.')
  })

  test('does not read an extended archive whose sizes are wrong', () => {
    const whole = textPackage('')
    expect(fixPackage(extendedPackage(whole))!.fixes).toHaveLength(1)
    expect(fixPackage(extendedPackage(whole, (size) => size + 2 ** 33))).toBeUndefined()
  })

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

  test('removes folders and files of other systems, and divides paths by slashes', async () => {
    const { usdz } = await convert(await texturedGlb())
    const files = readZip(usdz).map(({ name, data }) => ({ name: name.replace('/', '\\'), parts: [data] }))
    const empty = { parts: [new Uint8Array()] }
    const others = ['textures/', 'textures\\', '__MACOSX/._model.usdc', '.DS_Store', 'textures/Thumbs.db']
    const {
      fixes,
      rules,
      usdz: fixed,
    } = fixPackage(writePackage([...others.map((name) => ({ name, ...empty })), ...files]))!
    expect(failedIn(rules)).toEqual([])
    expect(readZip(fixed).map(({ name }) => name)).toEqual(readZip(usdz).map(({ name }) => name))
    expect(fixes[0]).toBe(
      'What no layer reads is removed: textures/, textures\\, __MACOSX/._model.usdc, .DS_Store, textures/Thumbs.db.',
    )
    expect(fixes[1]).toMatch(/^textures\\.*is renamed to textures\//)
  })

  test.each(['..\\..\\x.png', 'textures\\..\\x.png', 'C:\\x.png', '\\x.png', 'a\\\\x.png', '.\\x.png'])(
    'keeps the backslashes of %s, whose path with slashes is not within the package, and says so',
    async (name) => {
      const layer = readZip((await convert(await squareGlb())).usdz)[0]!
      const photo = { name, parts: [new Uint8Array(await image([255, 0, 0]))] }
      const { usdz, fixes, left } = fixPackage(writePackage([{ name: layer.name, parts: [layer.data] }, photo]))!
      expect(readZip(usdz).map((file) => file.name)).toEqual([layer.name, name])
      expect(fixes).toEqual([])
      expect(left).toEqual([expect.stringContaining(`${name} keeps its backslashes`)])
    },
  )

  test('leaves what it cannot repair to the rules, and bytes that are no archive alone', () => {
    const [, , text] = broken.find(([, name]) => name === 'a text layer')!
    expect(failedIn(fixPackage(text)!.rules)).toEqual(['ARKitRootLayerChecker', 'StageMetadataChecker'])
    expect(fixPackage(new Uint8Array(200))).toBeUndefined()
  })

  test('leaves an archive of a few bytes that unpacks to gigabytes alone', { tags: ['long'] }, () => {
    expect(fixPackage(deflated('model.usdc', new Uint8Array(2 ** 28 + 1)))).toBeUndefined()
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
