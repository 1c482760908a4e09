import { NodeIO } from '@gltf-transform/core'
import { expect, test } from 'vitest'
import { convert, convertToGlb } from '../index.ts'
import { givenModel } from '../test/content/models.ts'
import { square, textPackage } from '../test/content/text-package.ts'

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

test('the name that programs display counts before that of the prim', async () => {
  const { glb } = await convertToGlb(textPackage(`def Xform "A" ( displayName = "Ärmel" ) { ${square('Sheet')} }`))
  const names = (await new NodeIO().readBinary(glb))
    .getRoot()
    .listNodes()
    .map((node) => node.getName())
  expect(names).toEqual(expect.arrayContaining(['Root', 'Ärmel', 'Sheet']))
})
