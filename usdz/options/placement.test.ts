import { describe, expect, test } from 'vitest'
import { convert } from '../index.ts'
import { givenModel, image, squareGlb } from '../test/content/models.ts'
import { movingModel, turn } from '../test/features/models/animated-model.ts'
import { openUsdz } from '../test/open-usdz.ts'

const opened = async (options: object, glb?: Uint8Array) => {
  const { usdz, report } = await convert(glb ?? (await squareGlb()), options)
  return { usd: openUsdz(usdz), report }
}

describe('an anchor', () => {
  test('on a plane is horizontal unless asked otherwise', async () => {
    const { usd } = await opened({ anchor: 'plane' })
    expect(usd.text('/Root.preliminary:anchoring:type')).toBe('plane')
    expect(usd.text('/Root.preliminary:planeAnchoring:alignment')).toBe('horizontal')
    expect(usd.prim('/Root')!.apiSchemas).toEqual(['Preliminary_AnchoringAPI'])
    const wall = await opened({ anchor: { type: 'plane', alignment: 'vertical' } })
    expect(wall.usd.text('/Root.preliminary:planeAnchoring:alignment')).toBe('vertical')
  })

  test('on a face has no more than its type', async () => {
    const { usd } = await opened({ anchor: 'face' })
    expect(usd.text('/Root.preliminary:anchoring:type')).toBe('face')
    expect(usd.prim('/Root')!.own.size).toBe(1)
  })

  test('on an image puts the image into the package, with its width in centimetres', async () => {
    const poster = await image([200, 10, 20])
    const { usd, report } = await opened({ anchor: { type: 'image', image: poster, width: 0.3 } })
    const target = usd.target('/Root.preliminary:imageAnchoring:referenceImage')!
    expect(usd.prim(target)!.type).toBe('Preliminary_ReferenceImage')
    expect(usd.text(`${target}.image`)).toBe('textures/anchor.png')
    expect(usd.number(`${target}.physicalWidth`)).toBeCloseTo(30, 9)
    expect(Buffer.from(usd.files.find(({ name }) => name === 'textures/anchor.png')!.data)).toEqual(Buffer.from(poster))
    expect(report.textures).toBe(0)
  })

  test.each([
    ['floor', 'The anchor must be "plane", "face", or an object of type "image".'],
    [null, 'The anchor must be "plane", "face", or an object of type "image".'],
    [{ type: 'plane', alignment: 'tilted' }, 'The alignment of a plane must be "horizontal", "vertical" or "any".'],
    [
      { type: 'image', image: new Uint8Array(9), width: 1 },
      'The image of an anchor must be the bytes of a JPEG or PNG.',
    ],
  ])('that viewers do not know is refused: %j', async (anchor, message) => {
    await expect(convert(await squareGlb(), { anchor } as object)).rejects.toMatchObject({
      code: 'unsupported',
      message,
    })
  })

  test('on an image of unknown width is refused', async () => {
    const anchor = { type: 'image', image: await image([1, 2, 3]) }
    await expect(convert(await squareGlb(), { anchor } as object)).rejects.toMatchObject({
      message: 'The width of the image of an anchor must be a number of metres above 0.',
    })
  })
})

describe('the size in the report', () => {
  test('is that of all vertices at rest, in metres, with nodes and scale', async () => {
    const model = movingModel()
    const mesh = model.mesh('Square', model.square())
    model.node('One', mesh).setScale([2, 3, 1])
    // Turned by 45 degrees, a square reaches √2 upwards.
    const two = model
      .node('Two', mesh)
      .setTranslation([10, 0, 0])
      .setRotation(turn([0, 1, 0], 45))
    model.move(
      'Go',
      two,
      'translation',
      [0, 1],
      [
        [10, 0, 0],
        [90, 0, 0],
      ],
    )
    const glb = await model.glb()
    const { size } = (await opened({}, glb)).report
    expect(size.width).toBeCloseTo(10 + Math.SQRT1_2, 6)
    expect(size).toMatchObject({ height: 3 })
    expect(size.depth).toBeCloseTo(Math.SQRT1_2, 6)
    const small = await opened({ scale: 0.01 }, glb)
    expect(small.report.size.height).toBeCloseTo(0.03, 6)
    expect(small.usd.matrix('/Root.xformOp:transform')!.slice(0, 6)).toEqual([0.01, 0, 0, 0, 0, 0.01])
  })

  test('of a model without triangles is 0', async () => {
    const model = givenModel()
    model.node('Points', model.mesh('Points', model.square().setMode(0)))
    const { report } = await opened({}, await model.glb())
    expect(report.size).toEqual({ width: 0, height: 0, depth: 0 })
  })
})

test.each([
  [true, 'loop'],
  [false, 'none'],
])('a looping of %s is the playback mode %s of an animated model', async (loop, mode) => {
  const model = movingModel()
  const node = model.node('Square', model.mesh('Square', model.square()))
  model.move(
    'Go',
    node,
    'translation',
    [0, 1],
    [
      [0, 0, 0],
      [1, 0, 0],
    ],
  )
  const { usd } = await opened({ loop }, await model.glb())
  expect(usd.stage.crate.tokens).toContain(mode)
  expect(usd.metadata('autoPlay')).toBeDefined()
  expect(usd.metadata('playbackMode')).toBeDefined()
  expect((await opened({ loop })).usd.metadata('playbackMode')).toBeUndefined()
})
