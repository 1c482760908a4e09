import { NodeIO } from '@gltf-transform/core'
import { describe, expect, test } from 'vitest'
import { ConversionError, convertToGlb } from '../index.ts'
import { writePackage } from '../package/zip.ts'
import { composed, metres } from '../test/content/composed-layers.ts'
import { square } from '../test/content/text-package.ts'
import { crateOfText } from '../text/text-crate.ts'

const scaled = (size: number) =>
  `float3 xformOp:scale = (${size}, ${size}, ${size})\n uniform token[] xformOpOrder = ["xformOp:scale"]`
const many = (count: number, of: (at: number) => string) => Array.from({ length: count }, (_, at) => of(at)).join('\n')
const paint = (name: string, path: string, red: number) => `def Material "${name}" {
  token outputs:surface.connect = <${path}/Surface.outputs:surface>
  def Shader "Surface" {
    uniform token info:id = "UsdPreviewSurface"
    color3f inputs:diffuseColor = (${red}, 0, 0)
    token outputs:surface
  }
}`

describe('the strength of opinions', () => {
  test('a sublayer is stronger than what the layer above it refers to', async () => {
    const { sizeOf } = await composed({
      'root.usda': `( ${metres}\n subLayers = [@changes.usda@] )\ndef "A" ( references = @part.usda@ ) { }`,
      'changes.usda': `over "A" { ${scaled(3)} }`,
      'part.usda': `( defaultPrim = "Part" )\ndef Xform "Part" { ${scaled(2)}\n ${square('Sheet')} }`,
    })
    expect(sizeOf('A')).toBe(3)
  })

  test('a reference brings in the sublayers of its layer, and classes of theirs', async () => {
    const { sizeOf, report } = await composed({
      'root.usda': `( ${metres} )\ndef "A" ( references = @part.usda@ ) { }`,
      'part.usda': '( defaultPrim = "Part"\n subLayers = [@below.usda@] )\ndef Xform "Part" ( inherits = </_big> ) { }',
      'below.usda': `class "_big" { ${scaled(4)} }\nover "Part" { ${square('Sheet')} }`,
    })
    expect([report.triangles, sizeOf('A')]).toEqual([2, 4])
  })

  test('a layer selects variants of what it refers to', async () => {
    const part = `( defaultPrim = "Part" )
def Xform "Part" ( variants = { string size = "small" }\n prepend variantSets = "size" ) {
  ${square('Sheet')}
  variantSet "size" = {
    "small" { ${scaled(1)} }
    "large" { ${scaled(5)} }
  }
}`
    const root = (more: string) => `( ${metres} )\ndef "A" ( references = @part.usda@\n ${more} ) { }`
    const size = async (more: string) => (await composed({ 'root.usda': root(more), 'part.usda': part })).sizeOf('A')
    expect([await size(''), await size('variants = { string size = "large" }')]).toEqual([1, 5])
  })

  test('a value is stronger than the samples of a weaker layer', async () => {
    const { sizeOf, report } = await composed({
      'root.usda': `( ${metres} )\ndef "A" ( references = @part.usda@ ) { float3 xformOp:scale = (2, 2, 2) }`,
      'part.usda': `( defaultPrim = "Part" )
def Xform "Part" {
  float3 xformOp:scale.timeSamples = { 0: (1, 1, 1), 24: (9, 9, 9) }
  uniform token[] xformOpOrder = ["xformOp:scale"]
  ${square('Sheet')}
}`,
    })
    expect([sizeOf('A'), report.duration]).toEqual([2, undefined])
  })
})

describe('targets of a text layer', () => {
  const part = `( defaultPrim = "Part" )\ndef Xform "Part" { ${paint('Red', '/Part/Red', 0.75)}\n ${square('Sheet')} }`

  test('a mesh is bound to the material of a reference', async () => {
    const { red, report } = await composed({
      'root.usda': `( ${metres} )
def "A" ( references = @part.usda@ ) { over "Sheet" { rel material:binding = </A/Red> } }`,
      'part.usda': part,
    })
    expect([report.materials, red()]).toEqual([1, 0.75])
  })

  test('a mesh is bound to the material of a variant', async () => {
    const { red } = await composed({
      'root.usda': `( ${metres} )
def Xform "A" ( variants = { string look = "red" }\n prepend variantSets = "look" ) {
  ${square('Sheet', 'rel material:binding = </A/Red>')}
  variantSet "look" = { "red" { ${paint('Red', '/A/Red', 0.5)} } }
}`,
    })
    expect(red()).toBe(0.5)
  })

  test('a relative target begins at its prim', async () => {
    const { red } = await composed({
      'root.usda': `( ${metres} )
def Xform "A" { ${square('Sheet', 'rel material:binding = <../Red>')}
 ${paint('Red', '/A/Red', 0.25).replace('</A/Red/Surface.', '<Surface.')} }`,
    })
    expect(red()).toBe(0.25)
  })

  test('what a list operation deletes is no target', async () => {
    const { red } = await composed({
      'root.usda': `( ${metres} )\ndef "A" ( references = @part.usda@ ) { over "Sheet" {
  rel material:binding = </A/Red>
  delete rel material:binding = </A/Blue>
} }`,
      'part.usda': part,
    })
    expect(red()).toBe(0.75)
  })
})

test('prims that are not active are left out with all below them, and a stronger layer may activate them', async () => {
  const part = `( defaultPrim = "Part" )
def Xform "Part" { def Xform "Off" ( active = false ) { ${square('Sheet')} } }`
  const off = await composed({
    'root.usda': `( ${metres} )\ndef "A" ( references = @part.usda@ ) { }`,
    'part.usda': part,
  })
  expect([off.report.triangles, off.report.nodes, off.codes]).toEqual([0, 1, ['inactive']])
  const on = await composed({
    'root.usda': `( ${metres} )\ndef "A" ( references = @part.usda@ ) { over "Off" ( active = true ) { } }`,
    'part.usda': part,
  })
  expect([on.report.triangles, on.codes]).toEqual([2, []])
})

test('a binding that is stronger than those below it wins', async () => {
  const { red } = await composed({
    'root.usda': `( ${metres} )
def Xform "A" {
  rel material:binding = </A/Red> ( bindMaterialAs = "strongerThanDescendants" )
  ${paint('Red', '/A/Red', 0.5)}
  ${paint('Blue', '/A/Blue', 0.25)}
  ${square('Sheet', 'rel material:binding = </A/Blue>')}
}`,
  })
  expect(red()).toBe(0.5)
})

test('copies of a reference have the materials that each binds to its subsets', async () => {
  const { report } = await composed({
    'root.usda': `( ${metres} )
def "A" ( references = @part.usda@ ) { }
def "B" ( references = @part.usda@ ) { over "Paint" { over "Surface" { color3f inputs:diffuseColor = (1, 0, 0) } } }`,
    'part.usda': `( defaultPrim = "Part" )
def Xform "Part" {
  ${square('Sheet').replace(/}\s*$/, 'def GeomSubset "Half" { int[] indices = [0]\n rel material:binding = </Part/Paint> } }')}
  ${paint('Paint', '/Part/Paint', 0.5)}
}`,
  })
  expect([report.meshes, report.materials]).toEqual([2, 2])
})

describe('a text layer', () => {
  const part = `( defaultPrim = "Part" )
def Xform "Part" {
  ${paint('Red', '/Part/Red', 0.5)}
  ${square('Sheet', 'rel material:binding = </Part/Red>')}
}`
  const boundIn = async (over: string) => {
    const files = { 'root.usda': `( ${metres} )\ndef "A" ( references = @part.usda@ ) { ${over} }`, 'part.usda': part }
    const { report, red } = await composed(files)
    return [report.materials, red()]
  }

  test.each<[string, string, number]>([
    ['deletes the target of a weaker layer', 'over "Sheet" { delete rel material:binding = </A/Red> }', 1],
    ['keeps it when it deletes another', 'over "Sheet" { delete rel material:binding = </A/Blue> }', 0.5],
    ['keeps it when it declares the relationship alone', 'over "Sheet" { rel material:binding }', 0.5],
    ['replaces all targets by none', 'over "Sheet" { rel material:binding = None }', 1],
  ])('%s', async (_, over, red) => {
    expect((await boundIn(over))[1]).toBe(red)
  })
})

test('a connection is followed until a stronger layer cuts it', async () => {
  const part = `( defaultPrim = "Part" )
def Xform "Part" {
  ${paint('Red', '/Part/Red', 0.5).replace('color3f inputs:diffuseColor = (0.5, 0, 0)', 'color3f inputs:diffuseColor.connect = </Part/Red.inputs:tint>').replace('token outputs', 'color3f inputs:tint = (0.75, 0, 0)\n token outputs')}
  ${square('Sheet', 'rel material:binding = </Part/Red>')}
}`
  const red = async (over: string) =>
    (
      await composed({
        'root.usda': `( ${metres} )\ndef "A" ( references = @part.usda@ ) { ${over} }`,
        'part.usda': part,
      })
    ).red()
  const cut =
    'over "Red" { over "Surface" { color3f inputs:diffuseColor = (0.25, 0, 0)\n color3f inputs:diffuseColor.connect = None } }'
  expect([await red(''), await red(cut)]).toEqual([0.75, 0.25])
})

test('a value that a layer blocks is that of no weaker layer', async () => {
  const { sizeOf } = await composed({
    'root.usda': `( ${metres} )\ndef "A" ( references = @part.usda@ ) { float3 xformOp:scale = None }`,
    'part.usda': `( defaultPrim = "Part" )\ndef Xform "Part" { ${scaled(2)}\n ${square('Sheet')} }`,
  })
  expect(sizeOf('A')).toBe(1)
})

test('what a list operation of a binary layer deletes is not added', async () => {
  const root = (binding: string) => `( ${metres} )
def "A" ( references = @part.usda@ ) { over "Sheet" { rel material:binding = </A/${binding}> } }`
  const part = `( defaultPrim = "Part" )
def Xform "Part" {
  ${paint('Red', '/Part/Red', 0.5)}
  ${paint('Blue', '/Part/Blue', 0.25)}
  ${square('Sheet', 'rel material:binding = </Part/Red>')}
}`
  const materials = async (binding: string) => {
    const crate = Buffer.from(crateOfText(Buffer.from(`#usda 1.0\n${root(binding)}`)))
    // The only list operation of paths with one explicit item: it becomes one with a deleted item.
    const at = crate.indexOf(Buffer.from([0x03, 1, 0, 0, 0, 0, 0, 0, 0]))
    crate[at] = 0x08
    const { glb } = await convertToGlb(
      writePackage([
        { name: 'root.usdc', parts: [crate] },
        { name: 'part.usda', parts: [Buffer.from(`#usda 1.0\n${part}`)] },
      ]),
    )
    const list = (await new NodeIO().readBinary(glb)).getRoot().listMaterials()
    return list.map((material) => material.getName())
  }
  expect([await materials('Blue'), await materials('Red')]).toEqual([['Red'], ['Default']])
})

test('long names in many paths are refused', async () => {
  const error = await composed({
    'root.usda': `( ${metres} )\ndef "${'A'.repeat(100_000)}" { ${many(1100, (at) => `def "C${at}" { }`)} }`,
  }).catch((reason: unknown) => reason)
  expect((error as ConversionError).message).toMatch(/paths of the package have more than 100000000 characters/)
})

test('references that multiply opinions are refused', { tags: ['long'] }, async () => {
  const error = await composed({
    'root.usda': `( ${metres} )
def "A" ( references = [${many(900, () => '</B>,')}] ) { }
def "B" { ${many(5000, (at) => `def "C${at}" { }`)} }`,
  }).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ConversionError)
  expect((error as ConversionError).message).toMatch(/more than 400000 opinions/)
})
