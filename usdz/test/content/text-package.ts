import { type Entry, writePackage } from '../../package/zip.ts'

/** A package of a text layer, y up and in metres, with the contents of its root prim, and other files. */
export const textPackage = (contents: string, files: readonly Entry[] = [], metadata = ''): Uint8Array =>
  writePackage([{ name: 'model.usda', parts: [Buffer.from(textLayer(contents, metadata))] }, ...files])

/** A text layer with the contents of its root prim. */
export const textLayer = (contents: string, metadata = ''): string => `#usda 1.0
(
    defaultPrim = "Root"
    ${metadata === '' ? 'metersPerUnit = 1\n    upAxis = "Y"' : metadata}
)

def Xform "Root"
{
${contents}
}
`

/** A square of one face, from (0 0 0) to (1 1 0), with more lines for its prim. */
export const square = (name: string, more = '') => `def Mesh "${name}" (
    prepend apiSchemas = ["MaterialBindingAPI"]
)
{
    int[] faceVertexCounts = [4]
    int[] faceVertexIndices = [0, 1, 2, 3]
    point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
    normal3f[] normals = [(0, 0, 1), (0, 0, 1), (0, 0, 1), (0, 0, 1)] (interpolation = "vertex")
    texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1), (0, 1)] (interpolation = "vertex")
    uniform token subdivisionScheme = "none"
    ${more}
}
`

/** A material with inputs of its surface, and shaders beside it. */
export const material = (name: string, inputs: string, shaders = '') => `def Material "${name}"
{
    token outputs:surface.connect = </Root/${name}/Surface.outputs:surface>
    def Shader "Surface"
    {
        uniform token info:id = "UsdPreviewSurface"
        ${inputs}
        token outputs:surface
    }
    def Shader "Reader"
    {
        uniform token info:id = "UsdPrimvarReader_float2"
        string inputs:varname = "st"
        float2 outputs:result
    }
    ${shaders}
}
`

/** A texture shader of a material that reads the primvar st. */
export const texture = (material: string, name: string, file: string, more = '') => `def Shader "${name}"
{
    uniform token info:id = "UsdUVTexture"
    asset inputs:file = @${file}@
    float2 inputs:st.connect = </Root/${material}/Reader.outputs:result>
    token inputs:wrapS = "repeat"
    token inputs:wrapT = "repeat"
    ${more}
    float outputs:r
    float outputs:g
    float outputs:b
    float outputs:a
    float3 outputs:rgb
}
`
