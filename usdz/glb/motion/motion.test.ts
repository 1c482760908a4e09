import { validateBytes } from 'gltf-validator'
import { describe, expect, test } from 'vitest'
import { convert, convertToGlb } from '../../index.ts'
import { square } from '../../test/content/text-package.ts'
import { features } from '../../test/features/all.ts'
import { moving, second } from '../../test/moving.ts'

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

test.each([
  ['autoPlay = false', ['playback']],
  ['playbackMode = "loop"', ['playback']],
  ['', []],
])('how viewers play an animation is noted: %s', async (metadata, codes) => {
  const codesPerSecond = `timeCodesPerSecond = 10\n    ${metadata}`
  const prim = (value: string) =>
    `def Xform "Car" {\n ${value}\n uniform token[] xformOpOrder = ["xformOp:translate"]\n ${square('Sheet')} }`
  const animated = prim('double3 xformOp:translate.timeSamples = { 0: (0, 0, 0), 10: (1, 0, 0) }')
  expect((await moving(animated, codesPerSecond)).codes).toEqual(codes)
  expect((await moving(prim('double3 xformOp:translate = (1, 0, 0)'), codesPerSecond)).codes).toEqual([])
})

test('how a looping package plays is noted, and nothing of one without the option', async () => {
  const model = await features['Motion']![0]!.glb()
  const codesOf = async (loop?: boolean) => {
    const { usdz } = await convert(model, loop === undefined ? {} : { loop })
    return (await convertToGlb(usdz)).report.notes.map(({ code }) => code)
  }
  expect([await codesOf(true), await codesOf(false), await codesOf()]).toEqual([['playback'], ['playback'], []])
})
