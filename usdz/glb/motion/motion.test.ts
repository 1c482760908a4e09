import { NodeIO } from '@gltf-transform/core'
import { validateBytes } from 'gltf-validator'
import { describe, expect, test } from 'vitest'
import { convertToGlb } from '../../index.ts'
import { drawsOf } from '../../test/reference/draws.ts'
import { openGlb } from '../../test/reference/gltf.ts'
import { poseAt } from '../../test/reference/pose.ts'
import { square, textPackage } from '../../test/text-package.ts'

const timed = (codes: string) => `metersPerUnit = 1\n    upAxis = "Y"\n    ${codes}`

async function moving(contents: string, codes = 'timeCodesPerSecond = 10') {
  const { glb, report } = await convertToGlb(textPackage(contents, [], timed(codes)))
  const file = openGlb(glb)
  return {
    glb,
    report,
    codes: report.notes.map(({ code }) => code),
    /** The corners of the first mesh at a time in seconds. */
    at: (seconds: number): number[] =>
      [...drawsOf(file)[0]!.cornersIn(poseAt(file, report.duration === undefined ? undefined : 0, seconds))].map(
        (value) => Number(value.toFixed(4)) + 0,
      ),
  }
}
const second = (corners: readonly number[]) => corners.slice(3, 6)

describe('transforms', () => {
  test('a rotation by angles turns all the way between two keys', async () => {
    const { at, report } = await moving(
      square(
        'Sheet',
        'float xformOp:rotateZ.timeSamples = { 0: 0, 40: 360 }\n    uniform token[] xformOpOrder = ["xformOp:rotateZ"]',
      ),
    )
    expect(report.duration).toBe(4)
    expect([second(at(0)), second(at(1)), second(at(2)), second(at(3))]).toEqual([
      [1, 0, 0],
      [0, 1, 0],
      [-1, 0, 0],
      [0, -1, 0],
    ])
  })

  test('a rotation of a whole turn within one time code turns all the way', async () => {
    const { at } = await moving(
      square(
        'Sheet',
        'float xformOp:rotateY.timeSamples = { 0: 0, 1: 360 }\n    uniform token[] xformOpOrder = ["xformOp:rotateY"]',
      ),
      'timeCodesPerSecond = 1',
    )
    expect([second(at(0.25)), second(at(0.5)), second(at(0.75))]).toEqual([
      [0, 0, -1],
      [-1, 0, 0],
      [0, 0, 1],
    ])
  })

  test('an orientation of another length than 1 turns only', async () => {
    const { at, codes } = await moving(
      square(
        'Sheet',
        `quatf xformOp:orient = (2, 0, 0, 2)
    float3 xformOp:scale = (1, 1, 1)
    uniform token[] xformOpOrder = ["xformOp:scale", "xformOp:orient"]`,
      ),
    )
    expect([second(at(0)), at(0).slice(6, 9), codes]).toEqual([[0, 1, 0], [-1, 1, 0], []])
  })

  test('a pivot with its inverse turns a mesh around a point', async () => {
    const { at } = await moving(
      square(
        'Sheet',
        `float3 xformOp:translate:pivot = (1, 0, 0)
    float xformOp:rotateZ.timeSamples = { 0: 0, 10: 180 }
    uniform token[] xformOpOrder = ["xformOp:translate:pivot", "xformOp:rotateZ", "!invert!xformOp:translate:pivot"]`,
      ),
    )
    expect([at(1).slice(0, 3), second(at(1))]).toEqual([
      [2, 0, 0],
      [1, 0, 0],
    ])
  })

  test('ops of one axis move and scale along it', async () => {
    const { at, codes } = await moving(
      square(
        'Sheet',
        `double xformOp:translateY = 2
    double xformOp:scaleX = 3
    uniform token[] xformOpOrder = ["xformOp:translateY", "xformOp:scaleX"]`,
      ),
    )
    expect([at(0).slice(0, 3), second(at(0)), codes]).toEqual([[0, 2, 0], [3, 2, 0], []])
  })

  test('ops of unknown kinds and with values of other sizes are left out with a note', async () => {
    const { glb, codes } = await moving(
      square(
        'Sheet',
        `double3 xformOp:shear = (1, 2, 3)
    float xformOp:scale.timeSamples = { 0: 1, 10: 2 }
    uniform token[] xformOpOrder = ["xformOp:shear", "xformOp:scale"]`,
      ),
    )
    const { messages } = (await validateBytes(glb)).issues
    expect([codes, messages.filter(({ severity }) => severity === 0)]).toEqual([['transform_op'], []])
  })

  test('a mesh in a camera is drawn at its place, without the camera', async () => {
    const { at, codes } = await moving(`def Camera "Eye" {
  double3 xformOp:translate = (5, 0, 0)
  uniform token[] xformOpOrder = ["xformOp:translate"]
  ${square('Sheet')}
}`)
    expect([second(at(0)), codes]).toEqual([[6, 0, 0], ['prim_type']])
  })

  test('a sheared matrix is exact, by two nodes', async () => {
    const { at, codes } = await moving(
      square(
        'Sheet',
        `matrix4d xformOp:transform = ( (1, 0.5, 0, 0), (0, 2, 0, 0), (0, 0, 1, 0), (3, 0, 0, 1) )
    uniform token[] xformOpOrder = ["xformOp:transform"]`,
      ),
    )
    expect(at(0).slice(0, 9)).toEqual([3, 0, 0, 4, 0.5, 0, 4, 2.5, 0])
    expect(codes).toEqual([])
  })

  test('a reset transform stack places a prim in the world', async () => {
    const { at } = await moving(`def Xform "Away" {
  double3 xformOp:translate = (10, 0, 0)
  uniform token[] xformOpOrder = ["xformOp:translate"]
  ${square('Sheet', 'uniform token[] xformOpOrder = ["!resetXformStack!"]')}
}`)
    expect(second(at(0))).toEqual([1, 0, 0])
  })
})

describe('the time of the stage', () => {
  const slide = (samples: string) =>
    square(
      'Sheet',
      `float3 xformOp:translate.timeSamples = { ${samples} }\n    uniform token[] xformOpOrder = ["xformOp:translate"]`,
    )

  test('the animation begins at the start time code and ends at the end time code', async () => {
    const range = 'timeCodesPerSecond = 10\n    startTimeCode = 10\n    endTimeCode = 20'
    const { at, report } = await moving(slide('0: (0, 0, 0), 40: (4, 0, 0)'), range)
    expect(report.duration).toBe(1)
    expect([second(at(0)), second(at(0.5)), second(at(1))]).toEqual([
      [2, 0, 0],
      [2.5, 0, 0],
      [3, 0, 0],
    ])
  })

  test('frames per second count without time codes per second, and 24 without both', async () => {
    const samples = '0: (0, 0, 0), 24: (1, 0, 0)'
    expect((await moving(slide(samples), 'framesPerSecond = 12')).report.duration).toBe(2)
    expect((await moving(slide(samples), '')).report.duration).toBe(1)
  })

  test('blocked samples are left out', async () => {
    const { at } = await moving(slide('0: (0, 0, 0), 5: None, 10: (1, 0, 0)'))
    expect(second(at(0.5))).toEqual([1.5, 0, 0])
  })
})

const body = (mesh: string, animation: string) => `def SkelRoot "Body" (
    prepend apiSchemas = ["SkelBindingAPI"]
)
{
    rel skel:skeleton = </Root/Body/Bones>
    def Skeleton "Bones" (
        prepend apiSchemas = ["SkelBindingAPI"]
    )
    {
        uniform token[] joints = ["Hip", "Hip/Leg"]
        uniform matrix4d[] bindTransforms = [( (1,0,0,0), (0,1,0,0), (0,0,1,0), (0,0,0,1) ), ( (1,0,0,0), (0,1,0,0), (0,0,1,0), (1,0,0,1) )]
        uniform matrix4d[] restTransforms = [( (1,0,0,0), (0,1,0,0), (0,0,1,0), (0,0,0,1) ), ( (1,0,0,0), (0,1,0,0), (0,0,1,0), (1,0,0,1) )]
        rel skel:animationSource = </Root/Body/Bones/Walk>
        def SkelAnimation "Walk"
        {
            ${animation}
        }
    }
    ${mesh}
}`
const walk = `uniform token[] joints = ["Hip/Leg"]
            float3[] translations.timeSamples = { 0: [(1, 0, 0)], 10: [(1, 2, 0)] }
            quatf[] rotations = [(1, 0, 0, 0)]
            half3[] scales = [(1, 1, 1)]`
const bound = (more: string) =>
  square(
    'Skin',
    `${more}\n    matrix4d primvars:skel:geomBindTransform = ( (1,0,0,0), (0,1,0,0), (0,0,1,0), (0,0,0,1) )`,
  )

describe('skeletons', () => {
  test('a mesh follows its joints, an animation may move some of them', async () => {
    const { at, report } = await moving(
      body(
        bound(`int[] primvars:skel:jointIndices = [0, 1, 1, 0] (elementSize = 1, interpolation = "vertex")
    float[] primvars:skel:jointWeights = [1, 1, 1, 1] (elementSize = 1, interpolation = "vertex")`),
        walk,
      ),
    )
    expect([at(0.5).slice(0, 3), second(at(0.5))]).toEqual([
      [0, 0, 0],
      [1, 1, 0],
    ])
    expect(report.skins).toBe(1)
  })

  test('joints of the mesh itself are in its own order, and constant joints move all of it', async () => {
    const { at } = await moving(
      body(
        bound(`uniform token[] skel:joints = ["Hip/Leg", "Hip"]
    int[] primvars:skel:jointIndices = [0] (elementSize = 1, interpolation = "constant")
    float[] primvars:skel:jointWeights = [1] (elementSize = 1, interpolation = "constant")`),
        walk,
      ),
    )
    expect([at(1).slice(0, 3), second(at(1))]).toEqual([
      [0, 2, 0],
      [1, 2, 0],
    ])
  })

  test('a joint whose rest matrix is a little sheared stays upright', async () => {
    const mesh = bound(`int[] primvars:skel:jointIndices = [0] (elementSize = 1, interpolation = "constant")
    float[] primvars:skel:jointWeights = [1] (elementSize = 1, interpolation = "constant")`)
    const rest = 'restTransforms = [( (1,0,0,0), (0,1,0,0)'
    const sheared = body(mesh, '').replace(rest, rest.replace('(0,1,0,0)', '(0.001,1,0,0)'))
    const corners = (await moving(sheared)).at(0)
    for (const [k, value] of [0, 0, 0, 1, 0, 0, 1, 1, 0].entries()) expect(corners[k]).toBeCloseTo(value, 2)
  })

  test('joints and the bind transform may be those of a prim above the mesh', async () => {
    const { at } = await moving(
      body(
        square(
          'Skin',
          `int[] primvars:skel:jointIndices = [0] (elementSize = 1, interpolation = "constant")
    float[] primvars:skel:jointWeights = [1] (elementSize = 1, interpolation = "constant")`,
        ),
        walk,
      ).replace(
        'rel skel:skeleton',
        `uniform token[] skel:joints = ["Hip/Leg", "Hip"]
    matrix4d primvars:skel:geomBindTransform = ( (1,0,0,0), (0,1,0,0), (0,0,1,0), (0,0,5,1) )
    rel skel:skeleton`,
      ),
    )
    expect(at(1).slice(0, 3)).toEqual([0, 2, 5])
  })

  test('blend shapes are morph targets with their names, moved by the animation', async () => {
    const { at, glb, report } = await moving(
      body(
        square(
          'Face',
          `uniform token[] skel:blendShapes = ["Smile"]
    rel skel:blendShapeTargets = </Root/Body/Face/Smile>
    def BlendShape "Smile"
    {
        uniform vector3f[] offsets = [(0, 0, 4)]
        uniform int[] pointIndices = [1]
    }`,
        ),
        'uniform token[] blendShapes = ["Frown", "Smile"]\n            float[] blendShapeWeights.timeSamples = { 0: [1, 0], 10: [1, 0.5] }',
      ),
    )
    expect([at(1).slice(0, 3), second(at(1))]).toEqual([
      [0, 0, 0],
      [1, 0, 2],
    ])
    const document = await new NodeIO().readBinary(glb)
    expect(document.getRoot().listMeshes()[0]!.getExtras()).toEqual({ targetNames: ['Smile'] })
    expect(report.morphTargets).toBe(1)
  })

  test.each(['token visibility = "invisible"', 'uniform token purpose = "guide"'])(
    'a skeleton moves its meshes although its bones are not drawn: %s',
    async (hidden) => {
      const mesh = bound(`int[] primvars:skel:jointIndices = [0, 1, 1, 0] (elementSize = 1, interpolation = "vertex")
    float[] primvars:skel:jointWeights = [1, 1, 1, 1] (elementSize = 1, interpolation = "vertex")`)
      const { at, codes, report } = await moving(
        body(mesh, walk).replace('uniform token[] joints', `${hidden}\n        uniform token[] joints`),
      )
      expect([second(at(0.5)), codes, report.skins]).toEqual([[1, 1, 0], [], 1])
    },
  )

  test('what a skin or its animation does not fit is noted', async () => {
    const rigid = `int[] primvars:skel:jointIndices = [0] (elementSize = 1, interpolation = "constant")
    float[] primvars:skel:jointWeights = [1] (elementSize = 1, interpolation = "constant")`
    const codes = async (mesh: string, animation: string) => (await moving(body(bound(mesh), animation))).codes
    expect(await codes(rigid, walk)).toEqual([])
    expect(await codes(rigid.replace('Weights = [1]', 'Weights = [1, 1]'), walk)).toEqual(['skin_weights'])
    const samples = walk.replace('10: [(1, 2, 0)]', '10: [(1, 2, 0), (3, 4, 5)]')
    expect(await codes(rigid, samples)).toEqual(['animation_values'])
    const method = 'uniform token primvars:skel:skinningMethod = "dualQuaternion"'
    expect(await codes(`${rigid}\n    ${method}`, walk)).toEqual(['skinning_method'])
  })

  test('a skeleton without bind transforms moves nothing, and is noted', async () => {
    const mesh = bound(`int[] primvars:skel:jointIndices = [0, 0, 0, 0] (elementSize = 1, interpolation = "vertex")
    float[] primvars:skel:jointWeights = [1, 1, 1, 1] (elementSize = 1, interpolation = "vertex")`)
    const { codes, report } = await moving(body(mesh, walk).replace('bindTransforms', 'otherTransforms'))
    expect([codes, report.skins, report.triangles]).toEqual([['skin'], 0, 2])
  })
})
