import { NodeIO } from '@gltf-transform/core'
import { ALL_EXTENSIONS, type Clearcoat, type EmissiveStrength, type Specular } from '@gltf-transform/extensions'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { convertToGlb } from '../../index.ts'
import { image } from '../../test/content/models.ts'
import { material, square, textPackage, texture } from '../../test/content/text-package.ts'

const at = (shader: string, output: string) => `.connect = </Root/Paint/${shader}.outputs:${output}>`

/** Converts a square with a material, its shaders and images. */
async function painted(
  inputs: string,
  shaders: readonly string[] = [],
  images: Record<string, readonly number[]> = {},
  more = '',
) {
  const files = await Promise.all(
    Object.entries(images).map(async ([name, color]) => ({ name, parts: [await image(color)] })),
  )
  const contents =
    material('Paint', inputs, shaders.join('\n')) + square('Sheet', `rel material:binding = </Root/Paint>\n    ${more}`)
  const { glb, report } = await convertToGlb(textPackage(contents, files))
  const document = await new NodeIO().registerExtensions(ALL_EXTENSIONS).readBinary(glb)
  const [paint] = document.getRoot().listMaterials()
  return { paint: paint!, document, codes: report.notes.map(({ code }) => code) }
}

async function pixel(bytes: Uint8Array | null | undefined): Promise<number[]> {
  return [...(await sharp(bytes!).raw().toBuffer()).subarray(0, (await sharp(bytes!).metadata()).channels)]
}

test('constant values are factors', async () => {
  const { paint, codes } = await painted(`color3f inputs:diffuseColor = (0.25, 0.5, 0.75)
        float inputs:metallic = 0.125
        float inputs:roughness = 0.625
        color3f inputs:emissiveColor = (2, 4, 0)
        float inputs:clearcoat = 0.5
        float inputs:opacity = 0.5`)
  expect(paint.getBaseColorFactor()).toEqual([0.25, 0.5, 0.75, 0.5])
  expect([paint.getMetallicFactor(), paint.getRoughnessFactor(), paint.getAlphaMode()]).toEqual([0.125, 0.625, 'BLEND'])
  expect(paint.getEmissiveFactor()).toEqual([0.5, 1, 0])
  expect(paint.getExtension<EmissiveStrength>('KHR_materials_emissive_strength')!.getEmissiveStrength()).toBe(4)
  expect(paint.getExtension<Clearcoat>('KHR_materials_clearcoat')!.getClearcoatFactor()).toBe(0.5)
  expect(codes).toEqual([])
})

test('roughness and metallic of images of their own are packed into one, with their scales', async () => {
  const { paint } = await painted(
    `float inputs:roughness${at('Rough', 'r')}\n        float inputs:metallic${at('Metal', 'g')}`,
    [
      texture('Paint', 'Rough', 'rough.png', 'float4 inputs:scale = (0.5, 1, 1, 1)'),
      texture('Paint', 'Metal', './metal.png'),
    ],
    { 'rough.png': [200, 1, 2], 'metal.png': [3, 50, 4] },
  )
  expect(await pixel(paint.getMetallicRoughnessTexture()?.getImage())).toEqual([255, 100, 50])
  expect([paint.getRoughnessFactor(), paint.getMetallicFactor()]).toEqual([1, 1])
})

test('a cut-off and an opacity of another image become alpha of the base colour', async () => {
  const { paint } = await painted(
    `color3f inputs:diffuseColor${at('Color', 'rgb')}
        float inputs:opacity${at('Mask', 'r')}
        float inputs:opacityThreshold = 0.25`,
    [texture('Paint', 'Color', 'color.png'), texture('Paint', 'Mask', 'mask.png')],
    { 'color.png': [10, 20, 30], 'mask.png': [128, 0, 0] },
  )
  expect(await pixel(paint.getBaseColorTexture()?.getImage())).toEqual([10, 20, 30, 128])
  expect([paint.getAlphaMode(), paint.getAlphaCutoff()]).toEqual(['MASK', 0.25])
})

test('alpha of a colour image that the material does not read is dropped where it would show', async () => {
  const { paint } = await painted(
    `color3f inputs:diffuseColor${at('Color', 'rgb')}\n        float inputs:opacity = 0.5`,
    [texture('Paint', 'Color', 'color.png')],
    { 'color.png': [10, 20, 30, 40] },
  )
  expect(await pixel(paint.getBaseColorTexture()?.getImage())).toEqual([10, 20, 30])
  expect(paint.getBaseColorFactor()[3]).toBe(0.5)
})

test('a normal map has its strength, and its green turned where its scale is negative', async () => {
  const normal = (scale: string) =>
    painted(
      `normal3f inputs:normal${at('Bumps', 'rgb')}`,
      [
        texture(
          'Paint',
          'Bumps',
          'bumps.png',
          `float4 inputs:scale = ${scale}\n    float4 inputs:bias = (-1, -1, -1, 0)`,
        ),
      ],
      { 'bumps.png': [128, 191, 238] },
    )
  const plain = (await normal('(1, 1, 2, 1)')).paint
  expect(plain.getNormalScale()).toBe(0.5)
  const turned = (await normal('(2, -2, 2, 1)')).paint
  const [, green] = await pixel(turned.getNormalTexture()?.getImage())
  expect([turned.getNormalScale(), green]).toEqual([1, 64])
})

test('the specular workflow becomes a dielectric with a specular colour', async () => {
  const { paint } = await painted(
    'int inputs:useSpecularWorkflow = 1\n        color3f inputs:specularColor = (0.04, 0.02, 0)',
  )
  const specular = paint.getExtension<Specular>('KHR_materials_specular')!.getSpecularColorFactor()
  expect(paint.getMetallicFactor()).toBe(0)
  expect(specular.map((value) => Number(value.toFixed(5)))).toEqual([1, 0.5, 0])
})

test('colours of points are written where the material reads them, and noted where it does not', async () => {
  const colors = 'color3f[] primvars:displayColor = [(1, 0, 0)] (interpolation = "constant")'
  const reader = `def Shader "Colors" {
    uniform token info:id = "UsdPrimvarReader_float3"
    string inputs:varname = "displayColor"
    float3 outputs:result
  }`
  const shown = await painted(`color3f inputs:diffuseColor${at('Colors', 'result')}`, [reader], {}, colors)
  const [primitive] = shown.document.getRoot().listMeshes()[0]!.listPrimitives()
  expect([...primitive!.getAttribute('COLOR_0')!.getArray()!.subarray(0, 3)]).toEqual([1, 0, 0])
  expect(shown.paint.getBaseColorFactor()).toEqual([1, 1, 1, 1])
  expect((await painted('', [], {}, colors)).codes).toEqual(['vertex_colors'])
})

test('colours of another primvar are written, and the fallback of the reader for a mesh without them', async () => {
  const reader = `def Shader "Colors" {
    uniform token info:id = "UsdPrimvarReader_float3"
    string inputs:varname = "Col"
    float3 inputs:fallback = (0, 0.5, 0)
    float3 outputs:result
  }`
  const shown = async (more: string) => {
    const { document, codes } = await painted(
      `color3f inputs:diffuseColor${at('Colors', 'result')}`,
      [reader],
      {},
      more,
    )
    const color = document.getRoot().listMeshes()[0]!.listPrimitives()[0]!.getAttribute('COLOR_0')!
    return [[...color.getArray()!.subarray(0, 3)], codes]
  }
  const red = 'color3f[] primvars:Col = [(1, 0, 0)] (interpolation = "constant")'
  expect(await shown(red)).toEqual([[1, 0, 0], []])
  expect(await shown('')).toEqual([[0, 0.5, 0], []])
})

test('a mesh without a material shows its own opacity', async () => {
  const alpha = 'float[] primvars:displayOpacity = [0.25] (interpolation = "constant")'
  const { glb } = await convertToGlb(textPackage(square('Sheet', alpha) + square('Solid')))
  const root = (await new NodeIO().readBinary(glb)).getRoot()
  expect(root.listMaterials().map((each) => each.getAlphaMode())).toEqual(['BLEND', 'OPAQUE'])
  const color = root.listMeshes()[0]!.listPrimitives()[0]!.getAttribute('COLOR_0')!
  expect([...color.getArray()!.subarray(0, 4)]).toEqual([1, 1, 1, 0.25])
})

test('a missing image of opacity is opaque without a fallback, and has that of its channel', async () => {
  const missing = async (channel: string, more = '') => {
    const mask = texture('Paint', 'Mask', 'none.png', more)
    return (await painted(`float inputs:opacity${at('Mask', channel)}`, [mask])).paint.getBaseColorFactor()[3]
  }
  expect(await missing('a')).toBe(1)
  expect(await missing('r', 'float4 inputs:fallback = (0.5, 0, 0, 1)')).toBe(0.5)
})

test('a material for previews counts before others, also on a subset', async () => {
  const subset = `def GeomSubset "Part" {
    uniform token elementType = "face"
    int[] indices = [0]
    rel material:binding:preview = </Root/Green>
  }`
  const green = material('Green', 'color3f inputs:diffuseColor = (0, 1, 0)')
  const { document } = await painted('', [], {}, `${subset}\n} ${green}\n def Xform "End" {`)
  const [primitive] = document.getRoot().listMeshes()[0]!.listPrimitives()
  expect(primitive!.getMaterial()!.getBaseColorFactor()).toEqual([0, 1, 0, 1])
})

test('inputs that read other values of meshes are noted, and values that do not fit', async () => {
  const reader = `def Shader "Values" {
    uniform token info:id = "UsdPrimvarReader_float"
    string inputs:varname = "wear"
    float outputs:result
  }`
  expect((await painted(`float inputs:roughness${at('Values', 'result')}`, [reader])).codes).toEqual(['shader'])
  const short = 'color3f[] primvars:displayColor = [(1, 0, 0)] (interpolation = "vertex")'
  expect((await painted('', [], {}, short)).codes).toEqual(['primvar'])
  expect((await painted('', [], {}, 'color3f[] primvars:displayColor')).codes).toEqual([])
})

test('values and names that come from inputs of the material are followed', async () => {
  const contents = `def Material "Paint"
{
    color3f inputs:tone = (0.5, 0.25, 0)
    token outputs:surface.connect = </Root/Paint/Surface.outputs:surface>
    def Shader "Surface"
    {
        uniform token info:id = "UsdPreviewSurface"
        color3f inputs:diffuseColor.connect = </Root/Paint.inputs:tone>
        token outputs:surface
    }
}
${square('Sheet', 'rel material:binding = </Root/Paint>')}`
  const { glb } = await convertToGlb(textPackage(contents))
  const document = await new NodeIO().readBinary(glb)
  expect(document.getRoot().listMaterials()[0]!.getBaseColorFactor()).toEqual([0.5, 0.25, 0, 1])
})

test('what a material loses is noted: a missing image, other shaders, displacement, animation', async () => {
  const noise = 'def Shader "Noise" {\n uniform token info:id = "Noise"\n float outputs:out\n }'
  const { codes, paint } = await painted(
    `color3f inputs:diffuseColor${at('Color', 'rgb')}
        float inputs:roughness${at('Noise', 'out')}
        float inputs:displacement = 1
        float inputs:metallic.timeSamples = { 0: 0, 10: 1 }`,
    [texture('Paint', 'Color', 'none.png', 'float4 inputs:fallback = (0.5, 0, 0, 1)'), noise],
  )
  expect(codes.toSorted()).toEqual(['displacement', 'material_animation', 'shader', 'texture_missing'])
  expect(paint.getBaseColorFactor()).toEqual([0.5, 0, 0, 1])
})

test('what textures and opacity lose is noted', async () => {
  const rough = async (more: string) =>
    (
      await painted(`float inputs:roughness${at('Rough', 'g')}`, [texture('Paint', 'Rough', 'rough.png', more)], {
        'rough.png': [200, 1, 2],
      })
    ).codes
  expect(await rough('token inputs:sourceColorSpace = "raw"')).toEqual([])
  expect(await rough('token inputs:sourceColorSpace = "sRGB"')).toEqual(['color_space'])
  const scale = 'float4 inputs:scale.timeSamples = { 0: (1, 1, 1, 1), 9: (0, 0, 0, 1) }'
  expect(new Set(await rough(scale))).toEqual(new Set(['material_animation']))
  const reader = `def Shader "Fade" {
        uniform token info:id = "UsdPrimvarReader_float"
        string inputs:varname = "fade"
        float outputs:result
    }`
  expect((await painted(`float inputs:opacity${at('Fade', 'result')}`, [reader])).codes).toEqual(['opacity_primvar'])
})

test('UsdPreviewSurface replaces MaterialX only where a material has one', async () => {
  const messages = async (paint: string) => {
    const contents = `${paint}\n${square('Sheet', 'rel material:binding = </Root/Paint>')}`
    const { report } = await convertToGlb(textPackage(contents))
    return report.notes.filter(({ code }) => code === 'materialx').map(({ message }) => message)
  }
  const output = 'token outputs:mtlx:surface'
  expect(await messages(`def Material "Paint" { ${output} }`)).toEqual(['MaterialX networks are left out.'])
  const both = material('Paint', '').replace(
    'token outputs:surface.connect',
    `${output}\n    token outputs:surface.connect`,
  )
  expect(await messages(both)).toEqual(['MaterialX networks are left out: UsdPreviewSurface is used instead.'])
})

test('constant primvars of any name are inherited by the meshes below, unless a nearer prim has other values', async () => {
  const colorsIn = async (above: string, own = '') => {
    const paint = material(
      'Paint',
      `color3f inputs:diffuseColor${at('Tint', 'result')}`,
      `def Shader "Tint"
      {
        uniform token info:id = "UsdPrimvarReader_float3"
        string inputs:varname = "tint"
        float3 outputs:result
      }`,
    )
    const contents = `${paint}
      def Xform "Group"
      {
        color3f primvars:tint = (0.25, 0.5, 1) (interpolation = "constant")
        def Xform "Inner"
        {
          ${above}
          ${square('Sheet', `rel material:binding = </Root/Paint>\n ${own}`)}
        }
      }`
    const { glb } = await convertToGlb(textPackage(contents))
    const [mesh] = (await new NodeIO().readBinary(glb)).getRoot().listMeshes()
    const colors = mesh!.listPrimitives()[0]!.getAttribute('COLOR_0')
    return colors ? [...colors.getElement(0, [])].slice(0, 3) : undefined
  }
  expect(await colorsIn('')).toEqual([0.25, 0.5, 1])
  expect(await colorsIn('color3f primvars:tint = (1, 0, 0)')).toEqual([1, 0, 0])
  expect(await colorsIn('', 'color3f primvars:tint = (0, 1, 0)')).toEqual([0, 1, 0])
  const perPoint = 'color3f[] primvars:tint = [(1, 0, 0), (1, 0, 0), (1, 0, 0), (1, 0, 0)] (interpolation = "vertex")'
  expect(await colorsIn(perPoint)).not.toEqual([1, 0, 0])
})
