import { describe, expect, test } from 'vitest'
import { ConversionError, convertToGlb } from '../index.ts'
import { writePackage } from '../package/zip.ts'
import { image } from '../test/content/models.ts'
import { material, square, textLayer, textPackage, texture } from '../test/content/text-package.ts'
import { crateOf } from '../test/judges/composed.ts'

const contents = `${material('Paint', 'color3f inputs:diffuseColor.connect = </Root/Paint/Color.outputs:rgb>', texture('Paint', 'Color', 'color.png'))}
${square('Sheet', 'rel material:binding = </Root/Paint>\n    double3 xformOp:translate.timeSamples = {\n        0: (0, 0, 0),\n        12.5: (1, 2, 3),\n    }\n    uniform token[] xformOpOrder = ["xformOp:translate"]')}`

test('a text layer gives the GLB of the binary layer that OpenUSD makes of it', { tags: ['long'] }, async () => {
  const files = [{ name: 'color.png', parts: [await image([1, 2, 3])] }]
  const binary = await crateOf(textLayer(contents), '0.8.0')
  const [text, crate] = [
    await convertToGlb(textPackage(contents, files)),
    await convertToGlb(writePackage([{ name: 'model.usdc', parts: [binary] }, ...files])),
  ]
  expect(text.report).toMatchObject({ triangles: 2, textures: 1, notes: [] })
  expect(text.report).toEqual(crate.report)
  expect(Buffer.compare(text.glb, crate.glb)).toBe(0)
})

test('a package of the exporter of three.js becomes a GLB', async () => {
  const { BoxGeometry, Mesh, MeshStandardMaterial, Scene } = await import('three')
  const path = 'three/examples/jsm/exporters/USDZExporter.js'
  const { USDZExporter } = (await import(path)) as {
    USDZExporter: new () => { parseAsync(scene: object): Promise<Uint8Array> }
  }
  const scene = new Scene()
  scene.add(new Mesh(new BoxGeometry(), new MeshStandardMaterial({ color: 'red', roughness: 0.25 })))
  const { report } = await convertToGlb(await new USDZExporter().parseAsync(scene))
  expect(report).toMatchObject({ triangles: 12, meshes: 1, materials: 1 })
})

test('a selected variant counts, the others are noted; opinions outside variants are stronger', async () => {
  const layer = (selected: string, outside = '') => `#usda 1.0
( metersPerUnit = 1 upAxis = "Y" )
def Xform "Root" (
    variants = { string size = "${selected}" }
    prepend variantSets = "size"
)
{
    ${square('Sheet', outside)}
    variantSet "size" = {
        "large" {
            over "Sheet" {
                float3 xformOp:scale = (5, 5, 5)
                uniform token[] xformOpOrder = ["xformOp:scale"]
            }
        }
        "small" { def Xform "Marker" { } }
    }
}`
  const nodes = async (text: string) => {
    const { glb, report } = await convertToGlb(writePackage([{ name: 'a.usda', parts: [Buffer.from(text)] }]))
    const json = JSON.parse(Buffer.from(glb.subarray(20, 20 + Buffer.from(glb).readUInt32LE(12))).toString())
    return { nodes: json.nodes as { name: string; scale?: number[] }[], codes: report.notes.map(({ code }) => code) }
  }
  const large = await nodes(layer('large'))
  expect(large.nodes.find(({ name }) => name === 'Sheet')!.scale).toEqual([5, 5, 5])
  expect(large.codes).toEqual(['variants'])
  expect((await nodes(layer('small'))).nodes.map(({ name }) => name)).toContain('Marker')
  const own = await nodes(layer('large', 'float3 xformOp:scale = (2, 2, 2)'))
  expect(own.nodes.find(({ name }) => name === 'Sheet')!.scale).toEqual([2, 2, 2])
})

describe('prims of elsewhere', () => {
  const part = `#usda 1.0
( defaultPrim = "Part" )
def Xform "Part" {
    def Material "Paint" {
        token outputs:surface.connect = </Part/Paint/Surface.outputs:surface>
        def Shader "Surface" {
            uniform token info:id = "UsdPreviewSurface"
            color3f inputs:diffuseColor.connect = </Part/Paint/Color.outputs:rgb>
            token outputs:surface
        }
        def Shader "Color" {
            uniform token info:id = "UsdUVTexture"
            asset inputs:file = @color.png@
            float3 outputs:rgb
        }
    }
    ${square('Sheet', 'rel material:binding = </Part/Paint>')}
}`
  const withPart = async (contents: string, root?: string) => [
    { name: 'root.usda', parts: [Buffer.from(root ?? textLayer(contents))] },
    { name: 'parts/part.usda', parts: [Buffer.from(part)] },
    { name: 'parts/color.png', parts: [await image([9, 8, 7])] },
  ]
  const report = async (contents: string, root?: string) =>
    (await convertToGlb(writePackage(await withPart(contents, root)))).report

  test('a reference has the meshes, materials and images of another layer, relative to it', async () => {
    const found = await report('def "A" ( prepend references = @./parts/part.usda@</Part> ) { }')
    expect(found).toMatchObject({ triangles: 2, materials: 1, textures: 1 })
    expect(found.notes.map(({ code }) => code)).toEqual(['texture_sampling'])
  })

  test('payloads, default prims, classes and sublayers count, and twins share their mesh', async () => {
    expect(
      await report(`def "A" ( payload = @parts/part.usda@ ) { }
    def "B" ( references = [@parts/part.usda@] ) { }
    def "C" ( inherits = </Root/_class> ) { }
    class "_class" { def Xform "Inner" { ${square('Sheet')} } }`),
    ).toMatchObject({ triangles: 4, meshes: 2, materials: 2 })
    expect(await report('', '#usda 1.0\n( subLayers = [@parts/part.usda@] )\n')).toMatchObject({ triangles: 2 })
  })

  test('local opinions are stronger than those of a reference', async () => {
    const found = await report(`def "A" ( references = @parts/part.usda@ ) {
      over "Sheet" { token visibility = "invisible" }
    }`)
    expect([found.triangles, found.notes.map(({ code }) => code)]).toEqual([0, ['hidden']])
  })

  test('the layer that OpenUSD writes has the same references', { tags: ['long'] }, async () => {
    const contents = `def "A" ( prepend references = [</Root/B>] ) { }
    def "B" { ${square('Sheet')} }
    def "C" ( prepend payload = </Root/B> ) { }
    def "D" ( prepend inherits = </Root/B> ) { }`
    const crate = await crateOf(textLayer(contents), '0.8.0')
    const { report: found } = await convertToGlb(writePackage([{ name: 'a.usdc', parts: [crate] }]))
    expect(found).toEqual((await convertToGlb(textPackage(contents))).report)
    expect(found).toMatchObject({ triangles: 2, nodes: 9 })
  })

  test('what is not in the package is noted, and circles are refused', async () => {
    const found = await report(`def "A" ( references = @none.usda@ ) { }
    def "B" ( references = </Root/None> ) { }
    def "C" ( references = @parts/color.png@ ) { }`)
    expect(found.notes.map(({ count }) => count)).toEqual([2, 1])
    for (const [circle, cause] of [
      ['def "A" ( references = </Root/A> ) { }', /^\/Root\/A refers to itself/],
      ['def "A" ( references = </Root/B> ) { }\n def "B" ( references = </Root/A> ) { }', /refers to itself/],
      ['def "A" { def "B" ( references = </Root> ) { } }', /500 deep|200000 prims|1000 opinions|refers to itself/],
    ] as const) {
      const error = await convertToGlb(textPackage(circle)).catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(ConversionError)
      expect((error as Error).message).toMatch(cause)
    }
  })
})

test('a long comment, many lines of them, and a long text are read over', { tags: ['long'] }, async () => {
  const text = `/* a\nb */ // c\n${'#\n'.repeat(2_000_000)} string note = "${'\\"a'.repeat(2_000_000)}"\n${square('Sheet')}`
  expect((await convertToGlb(textPackage(text))).report.triangles).toBe(2)
})

test('comments, quotes, separators, metadata and values of other types are read over', async () => {
  const { report } = await convertToGlb(
    textPackage(`# a comment
    custom int größe:höhe = 3
    custom string note = """many
lines " of 'text'""" (doc = 'why'; hidden = true)
    asset[] files = [@a.png@, @@@b@c.png@@@]
    bool[] flags = [true, false, 1]
    matrix3d unknown = ( (1, 0, 0), (0, 1, 0), (0, 0, 1) )
    double[] odd = [inf, -inf, nan, 1e-3, .5, -2.]
    prepend rel others = [</Root>, </Nowhere>]
    dictionary about = { string a = "b"; dictionary c = { int d = 1 } }
    reorder properties = ["note"]
    ${square('Sheet')}`),
  )
  expect([report.triangles, report.notes]).toEqual([2, []])
})

describe('a text layer that cannot be read is refused with its line', () => {
  test.each([
    ['a mark that is none', 'int a = 1\n    %', /^model.usda: Line 11 of the text layer cannot be read at "%/],
    [
      'a brace that is missing',
      'def Xform "A" {',
      /^model.usda: The text layer ends in line 12, before what it begins/,
    ],
    ['a tuple of another size', 'float3 a = (1, 2)', /Line 10 /],
    ['text that does not end', 'string a = """never', /Line 10 /],
    ['a list that does not end', 'int[] a = [1, 2', /cannot be read/],
    ['two prims of one name', 'def "A" { }\n def "A" { }', /two prims of one name/],
    ['prims in prims', 'def "A" {'.repeat(2000), /500 deep/],
    ['values in values', `x a = ${'['.repeat(5000)}`, /fifty deep/],
  ])('%s', async (_name, text, cause) => {
    const error = await convertToGlb(textPackage(text)).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ConversionError)
    expect((error as Error).message).toMatch(cause)
  })
})

test('a text layer of millions of words is refused', { tags: ['long'] }, async () => {
  const error = await convertToGlb(textPackage(`x a = [${'b '.repeat(2_100_000)}]`)).catch((reason: unknown) => reason)
  expect((error as ConversionError).message).toMatch(/2000000 words/)
})
