import { describe, expect, test } from 'vitest'
import { convertToGlb } from '../index.ts'
import { readZip } from '../layers/read-zip.ts'
import { writePackage } from '../package/zip.ts'
import { layeredPackage, replaced } from '../test/content/layered-package.ts'
import { image } from '../test/content/models.ts'
import { square } from '../test/content/text-package.ts'
import { crateOfText } from '../text/text-crate.ts'
import { fixPackage } from './fix-package.ts'

const fixed = (usdz: Uint8Array) => {
  const { usdz: bytes, fixes, left, rules } = fixPackage(usdz)!
  const failed = rules.filter(({ state }) => state === 'failed').map(({ rule }) => rule)
  const files = readZip(bytes)
  const text = (name: string) => Buffer.from(files.find((file) => file.name === name)!.data).toString()
  return { bytes, fixes, left, failed, files: files.map(({ name }) => name), text }
}
const packed = (files: Record<string, Uint8Array | string>) =>
  writePackage(Object.entries(files).map(([name, data]) => ({ name, parts: [Buffer.from(data)] })))
const sheet = square('Sheet').replace(/\n {4}rel .*/, '')

describe('a text layer', () => {
  test('gets the metadata and the extents that it lacks, and keeps all else as it is written', () => {
    const text = `#usda 1.0\n# By hand.\ndef Xform "Root"\n{\n    ${sheet}\n    custom int other = 7 # kept\n}\n`
    const { fixes, failed, left, text: of } = fixed(packed({ 'model.usda': text }))
    expect(fixes).toEqual([
      'upAxis is set to Y, which readers assume.',
      'metersPerUnit is set to 0.01, which readers assume.',
      'defaultPrim is set to Root, the first prim.',
      'The extent of 1 mesh is computed from the points.',
    ])
    expect([failed, left]).toEqual([['ARKitRootLayerChecker'], []])
    const repaired = of('model.usda')
    expect(repaired).toContain('(\n    upAxis = "Y"\n    metersPerUnit = 0.01\n    defaultPrim = "Root"\n)')
    expect(repaired).toContain('float3[] extent = [(0, 0, 0), (1, 1, 0)]')
    expect(repaired.length - text.length).toBeLessThan(200)
    expect(repaired).toContain('custom int other = 7 # kept')
  })

  test('keeps the metadata that it has', () => {
    const { fixes, text } = fixed(replaced('scene.usda', 'metersPerUnit = 1', ''))
    expect(fixes).toEqual(['scene.usda: metersPerUnit is set to 0.01, which readers assume.'])
    expect(text('scene.usda').match(/upAxis/g)).toHaveLength(1)
  })

  test('follows an image that is renamed, also from another folder', async () => {
    const photo = await image([1, 0, 0], 'jpeg')
    const usdz = layeredPackage((layers) => {
      layers['parts/chair.usda'] = layers['parts/chair.usda']!.replace('@stone.png@', '@../images/photo.jpeg@')
    })
    const files = Object.fromEntries(readZip(usdz).map(({ name, data }) => [name, data]))
    const { failed, text } = fixed(packed({ ...files, 'images/photo.jpeg': photo }))
    expect(failed).toEqual(['ARKitRootLayerChecker'])
    expect(text('parts/chair.usda')).toContain('@../images/photo.jpg@')
  })

  test('is said to be one where a rule stays broken that is repaired in binary layers', () => {
    const usdz = replaced('parts/chair.usda', '["MaterialBindingAPI", "SkelBindingAPI"]', '["SkelBindingAPI"]')
    const { failed, left } = fixed(usdz)
    expect(failed).toEqual(['ARKitRootLayerChecker', 'MaterialBindingAPIAppliedChecker'])
    expect(left).toEqual([expect.stringMatching(/^scene\.usda.* are text layers: .*MaterialBindingAPI.*usdcat/)])
  })
})

describe('several layers', () => {
  const part = `#usda 1.0\n(\n    defaultPrim = "Part"\n)\ndef Xform "Part" { ${sheet} }\n`
  const root = `#usda 1.0\n(\n    upAxis = "Y"\n    metersPerUnit = 1\n    defaultPrim = "Root"\n)
def "Root" ( references = @part.usd@ ) { }\n`

  test('the one that no other refers to becomes the first file', async () => {
    const { bytes, fixes, files } = fixed(packed({ 'a.txt': 'x', 'part.usd': part, 'scene.usd': root }))
    expect(fixes[0]).toBe('scene.usd, which no other layer refers to, is the first file.')
    expect(files).toEqual(['scene.usd', 'a.txt', 'part.usd'])
    expect((await convertToGlb(bytes)).report.triangles).toBe(2)
  })

  test('layers that refer to each other stay in their order', () => {
    const files = {
      'a.txt': 'x',
      'part.usd': part.replace('def Xform', 'def "X" (references = @scene.usd@) { }\ndef Xform'),
      'scene.usd': root,
    }
    expect(fixed(packed(files)).files).toEqual(Object.keys(files))
  })

  test('a binary layer that another refers to gets extents, and no stage metadata', () => {
    const { fixes, failed } = fixed(packed({ 'scene.usda': root, 'part.usd': crateOfText(Buffer.from(part)) }))
    expect(fixes).toEqual(['part.usd: The extent of 1 mesh is computed from the points.'])
    expect(failed).toEqual(['ARKitRootLayerChecker'])
  })
})
