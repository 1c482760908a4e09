import { NodeIO } from '@gltf-transform/core'
import { describe, expect, test } from 'vitest'
import { square } from '../../test/content/text-package.ts'
import { moving, second } from '../../test/moving.ts'

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
