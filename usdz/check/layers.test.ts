import { describe, expect, test } from 'vitest'
import { writePackage } from '../package/zip.ts'
import { layeredPackage, replaced } from '../test/content/layered-package.ts'
import { square, textPackage } from '../test/content/text-package.ts'
import { crateOfText } from '../text/text-crate.ts'
import { inspectPackage } from './check-package.ts'
import type { RuleName } from './rules/rules.ts'

/** The findings of all rules but that of the only layer. */
const findingsIn = (usdz: Uint8Array) =>
  inspectPackage(usdz)
    .filter(({ rule, state }) => rule !== 'ARKitRootLayerChecker' && state !== 'passed')
    .map(({ rule, state, messages }) => [rule, state, ...messages])

test('text layers that refer to each other follow the rules together', () => {
  expect(findingsIn(layeredPackage())).toEqual([])
})

test('a text layer named .usd is read as one', () => {
  const text = Buffer.from(`#usda 1.0\n(\n defaultPrim = "Root"\n metersPerUnit = 1\n upAxis = "Y"\n)
def Xform "Root" { ${square('Face')} }\n`)
  expect(findingsIn(writePackage([{ name: 'model.usd', parts: [text] }]))).toEqual([
    ['Extent', 'failed', '/Root/Face has no extent.'],
  ])
})

const scene = 'scene.usda'
const chair = 'parts/chair.usda'
const broken: [RuleName, string, Uint8Array, RegExp][] = [
  ['Layer', 'a text that cannot be read', replaced(chair, 'def Skeleton', 'def ('), /parts\/chair\.usda: Line \d+/],
  [
    'Layer',
    'layers that refer to each other',
    replaced(chair, 'def Skeleton "Bones"', 'def Skeleton "Bones" (references = @../scene.usda@)'),
    /more than 500 deep/,
  ],
  [
    'MissingReferenceChecker',
    'a sublayer',
    replaced(scene, '@changes.usda@', '@gone.usda@'),
    /scene\.usda names gone\.usda/,
  ],
  [
    'MissingReferenceChecker',
    'a reference',
    replaced(scene, '= @parts/chair.usda@', '= @parts/stool.usda@'),
    /\/Root\/Chair names/,
  ],
  ['MissingReferenceChecker', 'a texture', replaced(chair, 'stone.png', 'gone.png'), /Picture\.inputs:file names/],
  [
    'ARKitPackageEncapsulationChecker',
    'a payload outside',
    replaced(scene, 'payload = @parts', 'payload = @../parts'),
    /\/Root\/Second names/,
  ],
  ['TextureChecker', 'another format', replaced(chair, 'stone.png', 'stone.webp'), /neither/],
  ['StageMetadataChecker', 'no scale', replaced(scene, 'metersPerUnit = 1', ''), /metersPerUnit/],
  [
    'PrimEncapsulationChecker',
    'a mesh of a reference in a mesh',
    replaced(scene, 'over "Seat"\n        {', 'over "Seat"\n        { def "Inner" (references = </Root/Floor>) { }'),
    /\/Root\/Chair\/Seat\/Inner/,
  ],
  [
    'ARKitPrimTypeChecker',
    'a light',
    replaced(chair, 'def Skeleton', 'def DomeLight "Sky" { }\n def Skeleton'),
    /\/Root\/Chair\/Sky is a DomeLight/,
  ],
  [
    'MaterialBindingAPIAppliedChecker',
    'a binding above a schema',
    replaced(chair, '["MaterialBindingAPI", "SkelBindingAPI"]', '["SkelBindingAPI"]'),
    /\/Root\/Chair\/Seat/,
  ],
  [
    'ARKitMaterialBindingChecker',
    'a material of no layer',
    replaced(scene, '</Root/Chair/Cloth>', '</Root/Cloth>'),
    /bound to \/Root\/Cloth/,
  ],
  [
    'ARKitShaderChecker',
    'an output of no layer',
    replaced(chair, 'Picture.outputs:rgb>', 'Photo.outputs:rgb>'),
    /\/Root\/Chair\/Cloth\/Surface\.inputs:diffuseColor is connected to \/Root\/Chair\/Cloth\/Photo/,
  ],
  [
    'Names',
    'a name with a space',
    replaced(chair, 'def Skeleton', 'def Xform "a b" { }\n def Skeleton'),
    /\/Root\/a b/,
  ],
  ['FiniteValues', 'an infinite value', replaced('changes.usda', '(2, 2, 2)', '(inf, 2, 2)'), /scale/],
  [
    'TimeSamples',
    'samples of what never changes',
    replaced(
      'changes.usda',
      'double3 xformOp:scale =',
      'uniform double3 xformOp:scale.timeSamples = { 1: (1, 1, 1) }\n double3 xformOp:scale =',
    ),
    /uniform/,
  ],
  [
    'Transforms',
    'an operation of no layer',
    replaced(scene, '["xformOp:translate"]', '["xformOp:scale"]'),
    /\/Root\/Chair lists xformOp:scale/,
  ],
  [
    'Mesh',
    'an index beyond the points of another layer',
    replaced(scene, 'over "Seat"\n        {', 'over "Seat"\n        { int[] faceVertexIndices = [0, 1, 2, 9]'),
    /\/Root\/Chair\/Seat names the point 9/,
  ],
  [
    'Extent',
    'points of a stronger layer',
    replaced(
      scene,
      'over "Seat"\n        {',
      'over "Seat"\n        { point3f[] points = [(0, 0, 0), (5, 0, 0), (1, 1, 0), (0, 1, 0)]',
    ),
    /\/Root\/Chair\/Seat has points outside/,
  ],
  [
    'Skeleton',
    'a joint too many',
    replaced(scene, 'over "Seat"', 'over "Bones" { uniform token[] joints = ["Hip", "Leg"] }\n over "Seat"'),
    /\/Root\/Chair\/Bones has 2 joints/,
  ],
  [
    'SkelBinding',
    'a joint of no skeleton',
    replaced(chair, '= [0, 0, 0, 0]', '= [0, 0, 0, 7]'),
    /\/Root\/Chair\/Seat names the joint 7/,
  ],
  [
    'SkelAnimation',
    'values of another number',
    replaced(
      chair,
      'def Skeleton "Bones"',
      'def SkelAnimation "Walk" { uniform token[] joints = ["Hip"]\n float3[] translations = []\n quatf[] rotations = [(1, 0, 0, 0)]\n half3[] scales = [(1, 1, 1)] }\n def Skeleton "Bones"',
    ),
    /0 translations/,
  ],
  [
    'BlendShape',
    'a shape of no layer',
    replaced(
      chair,
      'rel skel:skeleton',
      'uniform token[] skel:blendShapes = ["up"]\n rel skel:blendShapeTargets = </Root/Up>\n rel skel:skeleton',
    ),
    /targets \/Root\/Chair\/Up/,
  ],
  [
    'NormalMapTextureChecker',
    'a texture of colours',
    replaced(
      chair,
      'color3f inputs:diffuseColor.connect',
      'normal3f inputs:normal.connect = </Root/Cloth/Picture.outputs:rgb>\n color3f inputs:diffuseColor.connect',
    ),
    /Picture/,
  ],
]

test.each(broken)('%s finds %s in a package of text layers, and says how to repair it', (rule, _, usdz, words) => {
  const result = inspectPackage(usdz).find((one) => one.rule === rule)!
  expect(result).toMatchObject({ state: 'failed', repair: expect.any(String) })
  expect(result.messages).toContainEqual(expect.stringMatching(words))
})

describe('layers of both formats', () => {
  test('a binary root layer is checked with what it refers to', () => {
    const text =
      '#usda 1.0\n(\n defaultPrim = "Root"\n metersPerUnit = 1\n upAxis = "Y"\n)\ndef "Root" ( references = @part.usda@ ) { }'
    const part = `#usda 1.0\n(\n defaultPrim = "Part"\n)\ndef Xform "Part" { ${square('Face')} }`
    const usdz = writePackage([
      { name: 'model.usdc', parts: [crateOfText(Buffer.from(text))] },
      { name: 'part.usda', parts: [Buffer.from(part)] },
    ])
    expect(findingsIn(usdz)).toEqual([['Extent', 'failed', '/Root/Face has no extent.']])
  })

  test('a mesh that many references bring in is named once', () => {
    const tree = `def Xform "Tree" { ${square('Crown')} }`
    const copies = Array.from({ length: 30 }, (_, at) => `def "Tree${at}" ( references = </Root/Tree> ) { }`)
    expect(findingsIn(textPackage(`${tree}\n${copies.join('\n')}`))).toEqual([
      ['Extent', 'failed', '/Root/Tree/Crown has no extent.'],
    ])
  })
})
