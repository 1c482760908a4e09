import { NodeIO } from '@gltf-transform/core'
import { KHRMaterialsVariants } from '@gltf-transform/extensions'
import { expect, test } from 'vitest'
import { convert, convertToGlb } from '../index.ts'
import { writePackage } from '../package/zip.ts'
import { givenModel } from '../test/content/models.ts'
import { material, square, textPackage } from '../test/content/text-package.ts'

test('names that no prim can have, extras, author and copyright come back', async () => {
  const model = givenModel()
  const paint = model.document.createMaterial('rot & blau').setExtras({ finish: 'matt' })
  const mesh = model.mesh('Tür 1', model.square(paint)).setExtras({ part: 7 })
  model.node('2 Türen', mesh).setExtras({ floor: [1, 2] })
  const asset = model.document.getRoot().getAsset()
  asset.copyright = '2026 A. Author'
  asset.extras = { author: 'A. Author', license: 'CC-BY-4.0' }
  const { glb } = await convertToGlb((await convert(await model.glb())).usdz)

  const root = (await new NodeIO().readBinary(glb)).getRoot()
  const [found, material] = [root.listMeshes()[0]!, root.listMaterials()[0]!]
  expect([found.getName(), found.getExtras()]).toEqual(['Tür 1', { part: 7 }])
  expect([material.getName(), material.getExtras()]).toEqual(['rot & blau', { finish: 'matt' }])
  const node = root.listNodes().find((each) => each.getName() === '2 Türen')!
  expect(node.getExtras()).toEqual({ floor: [1, 2] })
  expect(root.getAsset()).toMatchObject({
    copyright: '2026 A. Author',
    extras: { author: 'A. Author', license: 'CC-BY-4.0' },
  })
})

test.each(['quicklook', 'spec', 'realitykit'] as const)(
  'names of variants that USD does not allow come back from %s',
  async (profile) => {
    const model = givenModel()
    const extension = model.document.createExtension(KHRMaterialsVariants)
    const list = extension.createMappingList()
    const names = ['Midnight Blue', 'Türkis/Weiß', 'Midnight-Blue', 'Plain']
    for (const [at, name] of names.entries()) {
      const material = model.document.createMaterial(name).setRoughnessFactor(at / 4)
      list.addMapping(extension.createMapping().setMaterial(material).addVariant(extension.createVariant(name)))
    }
    const shown = list.listMappings()[3]!.getMaterial()!
    model.node('Shoe', model.mesh('Shoe', model.square(shown).setExtension('KHR_materials_variants', list)))
    const { usdz } = await convert(await model.glb(), { profile })
    expect((await convertToGlb(usdz)).report.variants.map(({ name }) => name)).toEqual(names)
  },
)

test('names of variants in the metadata of a text layer count for the set of a converted GLB alone', async () => {
  const sets = (set: string) => `#usda 1.0
def Xform "Root" (
  customData = { dictionary gltfVariants = { string Sky_Blue = "Sky Blue" } }
  variants = { string ${set} = "Sky_Blue" }
  prepend variantSets = "${set}"
) {
  ${square('Seat')}
  ${material('Paint', '')}
  variantSet "${set}" = { "Sky_Blue" { } "Plain" { over "Seat" { rel material:binding = </Root/Paint> } } }
}`
  const namesOf = async (set: string) => {
    const usdz = writePackage([{ name: 'model.usda', parts: [Buffer.from(sets(set))] }])
    return (await convertToGlb(usdz)).report.variants.map(({ name }) => name)
  }
  expect(await namesOf('materialVariant')).toEqual(['Sky Blue', 'Plain'])
  expect(await namesOf('other')).toEqual(['Sky_Blue', 'Plain'])
})

test.each([
  [1, ['quick_look_light']],
  [2, []],
] as const)('a package that asks AR Quick Look for the light %i has the notes %o', async (version, codes) => {
  const model = givenModel()
  model.node('Sheet', model.mesh('Sheet', model.square(model.document.createMaterial())))
  const { usdz } = await convert(await model.glb(), { preferredIblVersion: version })
  const light = `customLayerData = { dictionary Apple = { int preferredIblVersion = ${version} } }`
  for (const each of [usdz, textPackage(square('Sheet'), [], `metersPerUnit = 1\n upAxis = "Y"\n ${light}`)]) {
    expect((await convertToGlb(each)).report.notes.map(({ code }) => code)).toEqual(codes)
  }
})

test('the name that programs display counts before that of the prim', async () => {
  const { glb } = await convertToGlb(textPackage(`def Xform "A" ( displayName = "Ärmel" ) { ${square('Sheet')} }`))
  const names = (await new NodeIO().readBinary(glb))
    .getRoot()
    .listNodes()
    .map((node) => node.getName())
  expect(names).toEqual(expect.arrayContaining(['Root', 'Ärmel', 'Sheet']))
})
