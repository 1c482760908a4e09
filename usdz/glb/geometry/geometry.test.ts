import { NodeIO } from '@gltf-transform/core'
import { expect, test } from 'vitest'
import { convertToGlb } from '../../index.ts'
import { material, square, textPackage } from '../../test/content/text-package.ts'
import { drawsOf } from '../../test/reference/draws.ts'
import { openGlb } from '../../test/reference/gltf.ts'
import { poseAt } from '../../test/reference/pose.ts'

async function converted(usdz: Uint8Array) {
  const { glb, report } = await convertToGlb(usdz)
  const file = openGlb(glb)
  const pose = poseAt(file, undefined, 0)
  const draws = drawsOf(file).map((draw) => [...draw.cornersIn(pose)].map((value) => Number(value.toFixed(5)) + 0))
  const document = await new NodeIO().readBinary(glb)
  return { draws, report, root: document.getRoot(), codes: report.notes.map(({ code }) => code) }
}

/** The area of triangles in a plane with the normal z: negative for those that are seen from behind. */
function areas(corners: readonly number[]): number[] {
  return Array.from({ length: corners.length / 9 }, (_, i) => {
    const [ax, ay, , bx, by, , cx, cy] = corners.slice(i * 9) as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ]
    return ((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)) / 2
  })
}
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const polygon = (points: readonly (readonly [number, number])[], more = '') => `def Mesh "Polygon"
{
    int[] faceVertexCounts = [${points.length}]
    int[] faceVertexIndices = [${points.map((_, i) => i)}]
    point3f[] points = [${points.map(([x, y]) => `(${x}, ${y}, 0)`)}]
    uniform token subdivisionScheme = "none"
    ${more}
}`

test('a stage in centimetres with z up becomes metres with y up', async () => {
  const { draws } = await converted(textPackage(square('Sheet'), [], 'metersPerUnit = 0.01\n    upAxis = "Z"'))
  expect(draws[0]).toEqual([0, 0, 0, 0.01, 0, 0, 0.01, 0, -0.01, 0, 0, 0, 0.01, 0, -0.01, 0, 0, -0.01])
})

test('without units a stage is in centimetres', async () => {
  const { draws } = await converted(textPackage(square('Sheet'), [], 'upAxis = "Y"'))
  expect(Math.max(...draws[0]!)).toBe(0.01)
})

test('faces of a left-handed mesh turn around', async () => {
  const { draws } = await converted(textPackage(square('Sheet', 'uniform token orientation = "leftHanded"')))
  expect(areas(draws[0]!)).toEqual([-0.5, -0.5])
})

test('a large mesh of thousands of subsets takes the time of its faces', { tags: ['long'] }, async () => {
  const [size, parts] = [300, 3000]
  const at = (x: number, y: number) => y * (size + 1) + x
  const faces = Array.from({ length: size * size }, (_, face) => [face % size, Math.floor(face / size)] as const)
  const { report } = await converted(
    textPackage(`def Mesh "Plane" {
  int[] faceVertexCounts = [${faces.map(() => 4)}]
  int[] faceVertexIndices = [${faces.map(([x, y]) => [at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y + 1)])}]
  point3f[] points = [${Array.from({ length: (size + 1) ** 2 }, (_, i) => `(${i % (size + 1)}, ${i}, 0)`)}]
  uniform token subdivisionScheme = "none"
  ${faces
    .slice(0, parts)
    .map((_, face) => `def GeomSubset "Part${face}" { int[] indices = [${face}] rel material:binding = </Root/Paint> }`)
    .join('\n')}
} ${material('Paint', '')}`),
  )
  expect([report.triangles, report.materials]).toEqual([size * size * 2, 2])
})

test('a subdivision surface without normals is smooth, another mesh is flat', async () => {
  const roof = (scheme: string, orientation = 'rightHanded') => `def Mesh "Roof" {
    int[] faceVertexCounts = [4, 4]
    int[] faceVertexIndices = [0, 1, 2, 3, 1, 4, 5, 2]
    point3f[] points = [(-1, 0, 0), (0, 1, 0), (0, 1, -1), (-1, 0, -1), (1, 0, 0), (1, 0, -1)]
    uniform token subdivisionScheme = "${scheme}"
    uniform token orientation = "${orientation}"
  }`
  const normal = async (...given: Parameters<typeof roof>) => {
    const { root } = await converted(textPackage(roof(...given)))
    const [primitive] = root.listMeshes()[0]!.listPrimitives()
    const [points, normals] = ['POSITION', 'NORMAL'].map((name) => primitive!.getAttribute(name))
    const ridge = Array.from({ length: points!.getCount() }, (_, i) => points!.getElement(i, [])).findIndex(
      ([x]) => x === 0,
    )
    return normals?.getElement(ridge, []).map((value) => Math.round(value * 1000) / 1000 + 0)
  }
  expect([await normal('catmullClark'), await normal('loop', 'leftHanded')]).toEqual([
    [0, 1, 0],
    [0, -1, 0],
  ])
  expect([await normal('none'), await normal('bilinear')]).toEqual([undefined, undefined])
})

test('a concave face becomes triangles inside it', async () => {
  const { draws } = await converted(
    textPackage(
      polygon([
        [0, 0],
        [3, 0],
        [3, 3],
        [2, 3],
        [2, 1],
        [1, 1],
        [1, 3],
        [0, 3],
      ]),
    ),
  )
  const found = areas(draws[0]!)
  expect([found.length, found.every((area) => area > 0), sum(found)]).toEqual([6, true, 7])
})

test('a polygon that crosses itself becomes as many triangles as it has corners less two', async () => {
  const { report } = await converted(
    textPackage(
      polygon([
        [0, 0],
        [2, 2],
        [2, 0],
        [0, 2],
        [1, 5],
      ]),
    ),
  )
  expect(report.triangles).toBe(3)
})

test('holes are not drawn', async () => {
  const { codes, report } = await converted(textPackage(square('Sheet', 'int[] holeIndices = [0]')))
  expect([report.triangles, codes]).toEqual([0, []])
})

test('corners with equal values share a vertex, those with different values do not', async () => {
  const box = (uvs: string) => `def Mesh "Box"
{
    int[] faceVertexCounts = [3, 3]
    int[] faceVertexIndices = [0, 1, 2, 0, 2, 3]
    point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
    texCoord2f[] primvars:st = [${uvs}] (interpolation = "faceVarying")
    uniform token subdivisionScheme = "none"
}`
  const vertices = async (uvs: string) => {
    const { root } = await converted(textPackage(box(uvs)))
    return root.listMeshes()[0]!.listPrimitives()[0]!.getAttribute('POSITION')!.getCount()
  }
  expect(await vertices('(0, 0), (1, 0), (1, 1), (0, 0), (1, 1), (0, 1)')).toBe(4)
  expect(await vertices('(0, 0), (1, 0), (1, 1), (0.5, 0), (1, 1), (0, 1)')).toBe(5)
})

test('indexed values and v upwards: texture coordinates are those of glTF', async () => {
  const more =
    'texCoord2f[] primvars:map = [(0.25, 0.75)] (interpolation = "faceVarying")\n    int[] primvars:map:indices = [0, 0, 0, 0]'
  const { root } = await converted(textPackage(square('Sheet', more)))
  const primitive = root.listMeshes()[0]!.listPrimitives()[0]!
  const uvs = (set: number) => [...primitive.getAttribute(`TEXCOORD_${set}`)!.getArray()!]
  expect(uvs(0)).toEqual([0, 1, 1, 1, 1, 0, 0, 0])
  expect(uvs(1)).toEqual([0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25])
})

test('subsets with a material are primitives, and the other faces have the material of the mesh', async () => {
  const strip = `${material('Red', 'color3f inputs:diffuseColor = (1, 0, 0)')}
${material('Blue', 'color3f inputs:diffuseColor = (0, 0, 1)')}
def Mesh "Strip"
{
    int[] faceVertexCounts = [3, 3, 3]
    int[] faceVertexIndices = [0, 1, 2, 0, 2, 3, 0, 3, 4]
    point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (-1, 1, 0)]
    uniform token subdivisionScheme = "none"
    rel material:binding = </Root/Red>
    def GeomSubset "Part"
    {
        uniform token elementType = "face"
        int[] indices = [1, 2]
        rel material:binding = </Root/Blue>
    }
}`
  const { root } = await converted(textPackage(strip))
  const parts = root.listMeshes()[0]!.listPrimitives()
  expect(parts.map((part) => [part.getMaterial()!.getName(), part.getIndices()!.getCount()])).toEqual([
    ['Blue', 6],
    ['Red', 3],
  ])
})

test('invisible prims, guides, classes and unknown prims are left out, with a note of each', async () => {
  const { report, codes } = await converted(
    textPackage(`${square('Hidden', 'token visibility = "invisible"')}${square('Guide', 'uniform token purpose = "guide"')}
class Mesh "Class" { }
def SphereLight "Sun" { }
def Sphere "Ball" { double radius = 2 }
over "Nothing" { }`),
  )
  expect([report.triangles, report.nodes]).toEqual([0, 1])
  expect(codes.toSorted()).toEqual(['hidden', 'hidden', 'prim_type', 'prim_type'])
})

test('meshes show the constant colour of a prim above them', async () => {
  const group = (name: string, red: number) => `def Xform "${name}" {
  color3f[] primvars:displayColor = [(${red}, 0, 0)]
  ${square('Sheet')}
}`
  const { root } = await converted(textPackage(group('A', 1) + group('B', 0.5)))
  const reds = root.listMeshes().map((mesh) => mesh.listPrimitives()[0]!.getAttribute('COLOR_0')!.getArray()![0])
  expect(reds).toEqual([1, 0.5])
})

test('the purpose of a mesh is stronger than that of its parent, its visibility is not', async () => {
  const below = (parent: string, mesh: string) => `def Xform "Group" { ${parent}\n ${square('Sheet', mesh)} }`
  const shown = async (parent: string, mesh: string) =>
    (await converted(textPackage(below(parent, mesh)))).report.triangles
  const guide = 'uniform token purpose = "guide"'
  expect(await shown(guide, 'uniform token purpose = "render"')).toBe(2)
  expect(await shown(guide, '')).toBe(0)
  expect(await shown('token visibility = "invisible"', 'token visibility = "inherited"')).toBe(0)
})

test('meshes with the same values are one mesh of several nodes', async () => {
  const twin = (name: string, x: number) =>
    square(name, `double3 xformOp:translate = (${x}, 0, 0)\n    uniform token[] xformOpOrder = ["xformOp:translate"]`)
  const { report, draws } = await converted(textPackage(twin('One', 0) + twin('Two', 5)))
  expect([report.meshes, report.triangles, draws.length]).toEqual([1, 2, 2])
  expect(Math.max(...draws[1]!)).toBe(6)
})

test('anchors, labels for screen readers, collections and animated values are noted', async () => {
  const anchored = `def Xform "Anchored" (
    prepend apiSchemas = ["Preliminary_AnchoringAPI", "AccessibilityAPI:default"]
)
{
    rel material:binding:collection:red = </Root/Anchored>
    ${square('Sheet', 'color3f[] primvars:displayColor.timeSamples = { 0: [(1, 0, 0)], 1: [(0, 1, 0)] }')}
}`
  const { codes } = await converted(textPackage(anchored))
  expect(codes).toEqual(['anchor', 'accessibility', 'collection', 'primvar_animation'])
})

test('a subdivision surface is noted', async () => {
  const { codes } = await converted(textPackage(square('Sheet').replace('"none"', '"catmullClark"')))
  expect(codes).toEqual(['subdivision'])
})
