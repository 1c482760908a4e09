import { NodeIO } from '@gltf-transform/core'
import { ALL_EXTENSIONS, KHRMaterialsVariants, type MappingList } from '@gltf-transform/extensions'
import { expect, test } from 'vitest'
import { convert, convertToGlb } from '../../index.ts'
import { writePackage } from '../../package/zip.ts'
import { givenModel } from '../../test/content/models.ts'
import { material, square, textPackage } from '../../test/content/text-package.ts'

/** Converts a package, and lists the materials of each mesh: the one that is shown, then that of each variant. */
async function looks(usdz: Uint8Array) {
  const { glb, report } = await convertToGlb(usdz)
  const document = await new NodeIO().registerExtensions(ALL_EXTENSIONS).readBinary(glb)
  const meshes = document.getRoot().listMeshes()
  const mappingsOf = (list: MappingList | null) =>
    (list?.listMappings() ?? []).flatMap((mapping) =>
      mapping.listVariants().map((variant) => `${variant.getName()}: ${mapping.getMaterial()?.getName()}`),
    )
  return {
    codes: report.notes.map(({ code }) => code),
    used: document
      .getRoot()
      .listExtensionsUsed()
      .map((extension) => extension.extensionName),
    meshes: meshes.flatMap((mesh) =>
      mesh
        .listPrimitives()
        .map((primitive) => [
          primitive.getMaterial()?.getName(),
          ...mappingsOf(primitive.getExtension<MappingList>('KHR_materials_variants')),
        ]),
    ),
  }
}

/** Two squares that are red; a variant makes one of them blue. */
async function twoSquares(): Promise<Uint8Array> {
  const model = givenModel()
  const extension = model.document.createExtension(KHRMaterialsVariants)
  const [red, blue] = ['Red', 'Blue'].map((name) => model.document.createMaterial(name)) as [never, never]
  const night = extension.createVariant('Night')
  for (const [name, isVaried] of [
    ['Plain', false],
    ['Varied', true],
  ] as const) {
    const made = model.square(red)
    const mapping = extension.createMapping().setMaterial(blue).addVariant(night)
    if (isVaried) made.setExtension('KHR_materials_variants', extension.createMappingList().addMapping(mapping))
    model.node(name, model.mesh(name, made))
  }
  return (await convert(await model.glb())).usdz
}

test('variants of materials come back, also of meshes that are alike in the one that is shown', async () => {
  expect(await looks(await twoSquares())).toEqual({
    codes: [],
    used: ['KHR_materials_variants'],
    meshes: [['Red'], ['Red', 'Night: Blue']],
  })
})

/** A square with a variant set of the default prim that another program wrote, and what its second variant says. */
function varied(night: string): Uint8Array {
  const layer = `#usda 1.0
(
    defaultPrim = "Root"
    metersPerUnit = 1
    upAxis = "Y"
)
def Xform "Root" ( variants = { string look = "day" }\n prepend variantSets = "look" )
{
    ${material('Red', 'color3f inputs:diffuseColor = (1, 0, 0)')}
    ${material('Blue', 'color3f inputs:diffuseColor = (0, 0, 1)')}
    ${square('Sheet')}
    variantSet "look" = {
        "day" { over "Sheet" { rel material:binding = </Root/Red> } }
        "night" { ${night} }
    }
}
`
  return writePackage([{ name: 'model.usda', parts: [Buffer.from(layer)] }])
}

test('variants of another program that bind materials come back, those that change more are left out', async () => {
  const bound = 'over "Sheet" { rel material:binding = </Root/Blue> }'
  expect(await looks(varied(bound))).toMatchObject({ codes: [], meshes: [['Red', 'night: Blue']] })
  for (const more of [
    'over "Sheet" { rel material:binding = </Root/Blue>\n point3f[] points = [(0, 0, 0)] }',
    `${bound}\n${square('Other')}`,
    'over "Sheet" ( active = false ) { }',
  ]) {
    expect(await looks(varied(more))).toEqual({ codes: ['variants'], used: [], meshes: [['Red']] })
  }
})

test('packages without variants have no extension for them', async () => {
  const { used } = await looks(textPackage(square('Sheet')))
  expect(used).toEqual([])
})
