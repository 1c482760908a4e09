import { writePackage } from '../../package/zip.ts'
import { image } from './models.ts'
import { material, square, texture } from './text-package.ts'

const identity = '( (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1) )'
const box = 'float3[] extent = [(0, 0, 0), (1, 1, 0)]'

/** Layers of a package that follow every rule together, besides that of the only binary layer. */
const layers = (): Record<string, string> => ({
  'scene.usda': `#usda 1.0
(
    defaultPrim = "Root"
    metersPerUnit = 1
    upAxis = "Y"
    startTimeCode = 0
    endTimeCode = 10
    subLayers = [@changes.usda@]
)
def Xform "Root"
{
    def "Chair" (
        references = @parts/chair.usda@
    )
    {
        double3 xformOp:translate = (1, 0, 0)
        uniform token[] xformOpOrder = ["xformOp:translate"]
        over "Seat"
        {
            rel material:binding = </Root/Chair/Cloth>
        }
    }
    def "Second" (
        payload = @parts/chair.usda@
    )
    {
    }
    ${square('Floor', box)}
}
`,
  'changes.usda':
    '#usda 1.0\nover "Root" { double3 xformOp:scale = (2, 2, 2)\n uniform token[] xformOpOrder = ["xformOp:scale"] }\n',
  'parts/chair.usda': `#usda 1.0
(
    defaultPrim = "Root"
)
def SkelRoot "Root" (
    prepend apiSchemas = ["SkelBindingAPI"]
)
{
    ${square(
      'Seat',
      `${box}
    rel skel:skeleton = </Root/Bones>
    int[] primvars:skel:jointIndices = [0, 0, 0, 0] (elementSize = 1
        interpolation = "vertex")
    float[] primvars:skel:jointWeights = [1, 1, 1, 1] (elementSize = 1
        interpolation = "vertex")`,
    ).replace('["MaterialBindingAPI"]', '["MaterialBindingAPI", "SkelBindingAPI"]')}
    def Skeleton "Bones"
    {
        uniform token[] joints = ["Hip"]
        uniform matrix4d[] bindTransforms = [${identity}]
        uniform matrix4d[] restTransforms = [${identity}]
    }
    ${material(
      'Cloth',
      'color3f inputs:diffuseColor.connect = </Root/Cloth/Picture.outputs:rgb>',
      texture('Cloth', 'Picture', 'stone.png'),
    )}
}
`,
})

const stone = await image([1, 0.5, 0], 'png')

/** The package, with texts of its layers changed. */
export function layeredPackage(change: (layers: Record<string, string>) => void = () => {}): Uint8Array {
  const changed = layers()
  change(changed)
  return writePackage([
    ...Object.entries(changed).map(([name, text]) => ({ name, parts: [Buffer.from(text)] })),
    { name: 'parts/stone.png', parts: [stone] },
  ])
}

/** The package with one text of a layer replaced. */
export const replaced = (layer: string, from: string, to: string): Uint8Array =>
  layeredPackage((layers) => {
    if (!layers[layer]?.includes(from)) throw new Error(`${layer} does not have ${from}.`)
    layers[layer] = layers[layer].replace(from, to)
  })
