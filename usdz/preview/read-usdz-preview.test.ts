import { expect, test } from 'vitest'
import { readUsdzPreview } from '../index.ts'
import { image } from '../test/content/models.ts'
import { material, square, textLayer, textPackage, texture } from '../test/content/text-package.ts'

const placesOf = async (usdz: Uint8Array) =>
  (await readUsdzPreview(usdz)).meshes.flatMap(({ transforms }) => transforms.map((matrix) => matrix.slice(12, 15)))

test('a text layer is drawn with its image, colours and units', async () => {
  const stone = await image([1, 0.5, 0], 'png')
  const usdz = textPackage(
    `${square('Face', 'rel material:binding = </Root/Stone>')}
    ${square('Plain', 'color3f[] primvars:displayColor = [(1, 0, 0)]')}
    ${material('Stone', 'color3f inputs:diffuseColor.connect = </Root/Stone/Picture.outputs:rgb>', texture('Stone', 'Picture', 'stone.png'))}`,
    [{ name: 'stone.png', parts: [stone] }],
    'metersPerUnit = 2\n    upAxis = "Y"',
  )
  const { meshes, up, notes } = await readUsdzPreview(usdz)
  expect([up, notes]).toEqual(['y', []])
  expect(meshes.map(({ transforms }) => transforms[0]![0])).toEqual([2, 2])
  const [face, plain] = meshes
  expect((await face!.material.image!.source.pixels(4))?.width).toBeGreaterThan(0)
  expect([...face!.uvs!.slice(0, 2)]).toEqual([0, 1])
  expect([...plain!.colors!.slice(0, 3)]).toEqual([1, 0, 0])
})

test('referenced layers and selected variants are drawn where they are placed', async () => {
  const usdz = textPackage(
    `def "Chair" (references = @chair.usda@) { double3 xformOp:translate = (3, 0, 0)
      uniform token[] xformOpOrder = ["xformOp:translate"] }
    def Xform "Table" (variants = { string size = "large" }
      prepend variantSets = "size") {
      variantSet "size" = { "small" { ${square('Small')} } "large" { ${square('Large')} ${square('Leg')} } }
    }`,
    [{ name: 'chair.usda', parts: [Buffer.from(textLayer(square('Seat')))] }],
  )
  const places = await placesOf(usdz)
  expect(places).toHaveLength(3)
  expect(places).toContainEqual([3, 0, 0])
})

test('skinned meshes are drawn in the pose that their animation begins with', async () => {
  const rig = `def SkelRoot "Rig" { rel skel:skeleton = </Root/Rig/Bones>
    def Skeleton "Bones" {
      uniform token[] joints = ["Hip"]
      uniform matrix4d[] bindTransforms = [( (1,0,0,0), (0,1,0,0), (0,0,1,0), (0,0,0,1) )]
      uniform matrix4d[] restTransforms = [( (1,0,0,0), (0,1,0,0), (0,0,1,0), (0,0,0,1) )]
      rel skel:animationSource = </Root/Rig/Walk>
    }
    def SkelAnimation "Walk" {
      uniform token[] joints = ["Hip"]
      float3[] translations.timeSamples = { 0: [(0, 5, 0)], 24: [(0, 9, 0)] }
      quatf[] rotations = [(1, 0, 0, 0)]
      half3[] scales = [(1, 1, 1)]
    }
    ${square('Skin', 'int[] primvars:skel:jointIndices = [0] (elementSize = 1, interpolation = "constant")\n float[] primvars:skel:jointWeights = [1] (elementSize = 1, interpolation = "constant")')}
  }`
  const { meshes } = await readUsdzPreview(textPackage(rig))
  expect([...meshes[0]!.points.slice(0, 3)]).toEqual([0, 5, 0])
})

test('instances of one prototype share its triangles', async () => {
  const instance = (name: string, x: number) =>
    `def "${name}" (instanceable = true\n references = </Root/Tree>) { double3 xformOp:translate = (${x}, 0, 0)
      uniform token[] xformOpOrder = ["xformOp:translate"] }`
  const usdz = textPackage(`def Xform "Tree" { ${square('Crown')} } ${instance('A', 2)} ${instance('B', 4)}`)
  const { meshes } = await readUsdzPreview(usdz)
  expect(meshes).toHaveLength(1)
  expect(meshes[0]!.transforms.map((matrix) => matrix[12])).toEqual([0, 2, 4])
})

test('a package that cannot be read is refused', async () => {
  await expect(readUsdzPreview(new Uint8Array(100))).rejects.toThrow('The package cannot be read')
})
