import { expect, test } from 'vitest'
import { primsOf } from './parse-usda.ts'
import { posing } from './pose-skeleton.ts'

const identity = '( (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1) )'
const at = (x: number, y: number) => `( (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (${x}, ${y}, 0, 1) )`

/** As OpenUSD prints it: a triangle whose corners follow the root, the tip, and both equally. */
const stage = `#usda 1.0
(
    doc = """Generated from
composed stage"""
    timeCodesPerSecond = 60
)

def Xform "Root" (
    customData = {
        dictionary inner = {
            string word = "a } b"
        }
    }
)
{
    double3 xformOp:translate = (10, 0, 0)
    uniform token[] xformOpOrder = ["xformOp:translate"]

    def Skeleton "Bones"
    {
        uniform matrix4d[] bindTransforms = [${identity}, ${at(0, 1)}]
        uniform token[] joints = ["root", "root/tip"]
        uniform matrix4d[] restTransforms = [${identity}, ${at(0, 1)}]
        rel skel:animationSource = </Root/Moves>
    }

    def SkelAnimation "Moves"
    {
        uniform token[] blendShapes = ["other", "up"]
        float[] blendShapeWeights = [0, 0]
        float[] blendShapeWeights.timeSamples = {
            0: [0, 0],
            10: [9, 1],
        }
        uniform token[] joints = ["root/tip"]
        quatf[] rotations.timeSamples = {
            0: [(1, 0, 0, 0)],
            60: [(0.70710677, 0, 0, 0.70710677)],
        }
        half3[] scales = [(1, 1, 1)]
        float3[] translations = [(0, 1, 0)]
    }

    def Mesh "Skin"
    {
        int[] faceVertexCounts = [3]
        int[] faceVertexIndices = [0, 1, 2]
        point3f[] points = [(0, 0, 0), (1, 1, 0), (1, 1, 0)]
        matrix4d primvars:skel:geomBindTransform = ${identity}
        int[] primvars:skel:jointIndices = [0, 1, 1, 0, 0, 1] (
            elementSize = 2
            interpolation = "vertex"
        )
        float[] primvars:skel:jointWeights = [1, 0, 1, 0, 0.5, 0.5] (
            elementSize = 2
            interpolation = "vertex"
        )
        uniform token[] skel:blendShapes = ["up"]
        rel skel:blendShapeTargets = </Root/Skin/up>
        rel skel:skeleton = </Root/Bones>

        def BlendShape "up"
        {
            uniform vector3f[] offsets = [(0, 0, 4)]
            uniform int[] pointIndices = [0]
        }
    }
}
`

test('a mesh is morphed, then moved by its joints, then placed with its skeleton', () => {
  const skel = posing(primsOf(stage))
  expect(skel.isBound('/Root/Skin')).toBe(true)
  expect(skel.isBound('/Root/Bones')).toBe(false)
  const rounded = (time: number) => [...skel.cornersAt('/Root/Skin', time)].map((value) => Number(value.toFixed(6)) + 0)
  expect(rounded(0)).toEqual([10, 0, 0, 11, 1, 0, 11, 1, 0])
  // Half of the quarter turn about the tip, by slerp; the blend shape is fully applied from 10.
  const half = Number(Math.SQRT1_2.toFixed(6))
  const [x, y] = [10 + half, 1 + half].map((value) => Number(value.toFixed(6)))
  const middle = [(11 + x!) / 2, (1 + y!) / 2].map((value) => Number(value.toFixed(6)))
  const found = rounded(30)
  for (const [i, value] of [10, 0, 4, x!, y!, 0, ...middle, 0].entries()) expect(found[i]).toBeCloseTo(value, 5)
  for (const [i, value] of [10, 0, 4, 10, 2, 0, 10.5, 1.5, 0].entries()) expect(rounded(99)[i]).toBeCloseTo(value, 5)
})
