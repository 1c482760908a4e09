import { NodeIO } from '@gltf-transform/core'
import { describe, expect, test } from 'vitest'
import { ConversionError, convertToGlb, inspectPackage, readUsdzPreview } from '../index.ts'
import { type Entry, writePackage } from '../package/zip.ts'
import { image } from '../test/content/models.ts'
import { material, square, textLayer, textPackage, texture } from '../test/content/text-package.ts'

const written = async (usdz: Uint8Array) => {
  const { glb, report } = await convertToGlb(usdz)
  const root = (await new NodeIO().readBinary(glb)).getRoot()
  return {
    report,
    codes: report.notes.map(({ code }) => code),
    materials: root.listMaterials(),
    nodes: root.listNodes(),
  }
}
const packed = (text: string, ...files: Entry[]) =>
  writePackage([{ name: 'scene.usda', parts: [Buffer.from(`#usda 1.0\n${text}`)] }, ...files])

const stone = await image([1, 0.5, 0], 'png')

describe('a package in a package, as Reality Composer Pro refers to one', () => {
  const chair = textPackage(
    square('Seat', 'rel material:binding = </Root/Stone>') +
      material(
        'Stone',
        'color3f inputs:diffuseColor.connect = </Root/Stone/Picture.outputs:rgb>',
        texture('Stone', 'Picture', 'images/stone.png'),
      ),
    [{ name: 'images/stone.png', parts: [stone] }],
  )
  const scene = (file: string) => `(
    customLayerData = {
        string creator = "Reality Composer Pro Version 2.0"
    }
    defaultPrim = "Root"
    metersPerUnit = 1
    upAxis = "Y"
)
def Xform "Root"
{
    reorder nameChildren = ["Chair", "Second"]
    def "Chair" (
        active = true
        prepend references = @${file}@
    )
    {
        float3 xformOp:translate = (1, 0, 0)
        uniform token[] xformOpOrder = ["xformOp:translate"]
        def RealityKitComponent "InputTarget"
        {
            uniform token info:id = "RealityKit.InputTarget"
        }
        over "Stone"
        {
            token outputs:realitykit:vertex
            float2 ui:nodegraph:realitykit:subgraphOutputs:pos = (335.25, 100.5)
        }
    }
}
`
  const within = (name: string, usdz: Uint8Array, file = name) => packed(scene(file), { name, parts: [usdz] })

  test('brings in its first layer, and its images', async () => {
    const { report, materials, codes } = await written(within('Chair.usdz', chair))
    expect(report).toMatchObject({ triangles: 2, textures: 1 })
    expect(materials[0]!.getBaseColorTexture()!.getName()).toBe('stone')
    expect(codes).toEqual(['prim_type'])
    expect((await readUsdzPreview(within('Chair.usdz', chair))).meshes).toHaveLength(1)
  })

  test('is named with the file in it, and may have packages in it', async () => {
    expect((await written(within('a.usdz', chair, 'a.usdz[model.usda]'))).report.triangles).toBe(2)
    const deeper = writePackage([
      { name: 'root.usda', parts: [Buffer.from(textLayer('def "Inner" ( references = @b.usdz@ ) { }'))] },
      { name: 'b.usdz', parts: [chair] },
    ])
    expect((await written(within('a.usdz', deeper))).report).toMatchObject({ triangles: 2, textures: 1 })
  })

  test('is checked with the layers around it', () => {
    const found = inspectPackage(within('Chair.usdz', chair)).filter(({ state }) => state === 'failed')
    expect(found.map(({ rule }) => rule)).toEqual(['ARKitRootLayerChecker', 'Extent'])
    expect(found[1]!.messages).toEqual(['/Root/Chair/Seat has no extent.'])
  })

  test('is refused when it cannot be read, or is too deep', async () => {
    const refusal = async (usdz: Uint8Array) => {
      const error: unknown = await convertToGlb(usdz).catch((reason: unknown) => reason)
      return error instanceof ConversionError ? [error.code, error.message] : error
    }
    expect(await refusal(within('Chair.usdz', new Uint8Array(100)))).toEqual([
      'malformed',
      expect.stringMatching(/^The package Chair\.usdz cannot be read/),
    ])
    let deep = chair
    for (let depth = 0; depth < 5; depth++) deep = within('Chair.usdz', deep)
    expect(await refusal(deep)).toEqual(['too_large', expect.stringMatching(/packages deep/)])
  })
})

test('a layer as Blender writes it: Z up, with materials beside the meshes and properties of its own', async () => {
  const { report, codes, nodes } = await written(
    packed(`(
    defaultPrim = "root"
    doc = "Blender v4.5.0"
    metersPerUnit = 1
    upAxis = "Z"
)
def Xform "root" (
    customData = {
        dictionary Blender = {
            bool generated = 1
        }
    }
)
{
    def Xform "Cube"
    {
        custom string userProperties:blender:object_name = "Cube"
        float3 xformOp:rotateXYZ = (90, -0, 0)
        float3 xformOp:scale = (2, 2, 2)
        double3 xformOp:translate = (0, 0, 1)
        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateXYZ", "xformOp:scale"]
        ${square('Cube', 'custom string userProperties:blender:data_name = "Cube"\n uniform bool doubleSided = 1\n rel material:binding = </root/_materials/Paint>')}
    }
    def Scope "_materials"
    {
        ${material('Paint', 'color3f inputs:diffuseColor = (0.8, 0.2, 0.1)\n float inputs:ior = 1.5\n int inputs:useSpecularWorkflow = 0').replaceAll('/Root/', '/root/_materials/')}
    }
    def DomeLight "env_light"
    {
        float inputs:intensity = 1
        asset inputs:texture:file = @./textures/color_121212.hdr@
        float3 xformOp:rotateXYZ = (90, 1.2722219e-14, 90)
    }
}
`),
  )
  expect(report).toMatchObject({ triangles: 2, materials: 1 })
  expect(codes).toEqual(['prim_type'])
  expect(nodes.some((node) => node.getScale()[0] === 2)).toBe(true)
})

test('a layer as Omniverse writes it: materials of MDL, settings of the viewer, and matrices', async () => {
  const { report, codes, materials } = await written(
    packed(`(
    customLayerData = {
        dictionary cameraSettings = {
            dictionary Front = {
                double3 position = (0, 0, 50000)
                double radius = 500
            }
            string boundCamera = "/OmniverseKit_Persp"
        }
        dictionary omni_layer = {
            dictionary muteness = {
            }
        }
        dictionary renderSettings = {
            float "rtx:post:lensDistortion:cameraFocalLength" = 18.1475
        }
    }
    defaultPrim = "World"
    endTimeCode = 100
    metersPerUnit = 0.01
    startTimeCode = 0
    timeCodesPerSecond = 24
    upAxis = "Y"
)
def Xform "World"
{
    def Xform "Group"
    {
        matrix4d xformOp:transform = ( (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 5, 0, 1) )
        uniform token[] xformOpOrder = ["xformOp:transform"]
        ${square('Cube', 'custom uniform vector3d omni:kit:centerOfInterest = (0, 0, -5)\n custom rel omni:rel\n int64 omni:id = 4294967296\n rel material:binding = </World/Looks/OmniPBR> (\n bindMaterialAs = "weakerThanDescendants"\n )')}
    }
    def Scope "Looks"
    {
        def Material "OmniPBR"
        {
            token outputs:mdl:displacement.connect = </World/Looks/OmniPBR/Shader.outputs:out>
            token outputs:mdl:surface.connect = </World/Looks/OmniPBR/Shader.outputs:out>
            def Shader "Shader"
            {
                uniform token info:implementationSource = "sourceAsset"
                uniform asset info:mdl:sourceAsset = @OmniPBR.mdl@
                uniform token info:mdl:sourceAsset:subIdentifier = "OmniPBR"
                color3f inputs:diffuse_color_constant = (0.25, 0.5, 0.75) (
                    customData = {
                        float3 default = (0.2, 0.2, 0.2)
                    }
                    displayGroup = "Albedo"
                    hidden = false
                )
                token outputs:out (
                    renderType = "material"
                )
            }
        }
    }
}
over "OmniverseKit_Persp" (
    hide_in_stage_window = true
    no_delete = true
)
{
    float clippingRange:far = 1e7
}
`),
  )
  expect(report.triangles).toBe(2)
  expect([codes, materials.length]).toEqual([['material'], 1])
})
