import { describe, expect, test } from 'vitest'
import { convert } from '../../index.ts'
import { numberOf } from '../../layers/read-values.ts'
import { movingModel, turn } from '../../test/features/models/animated-model.ts'
import { openUsdz } from '../../test/open-usdz.ts'

/** A square moved by three different clips. */
async function dancer(): Promise<Uint8Array> {
  const model = movingModel()
  const node = model.node('Dancer', model.mesh('Dress', model.square()))
  for (const [index, clip] of ['Sit', 'Walk', 'Run'].entries()) {
    const values = [0, index + 1].map((x) => [x, 0, 0])
    model.move(clip, node, 'translation', [0, index + 0.5], values)
  }
  return await model.glb()
}

describe('clips', () => {
  test('play together where no two move the same property and none is selected, with a note', async () => {
    const model = movingModel()
    const left = model.node('Left', model.mesh('Wing', model.square()))
    const right = model.node('Right', left.getMesh()!)
    const up = [0, 1].map((y) => [0, y, 0])
    model.move('Flap left', left, 'translation', [0, 1], up)
    model.move('Flap right', right, 'translation', [0, 2], up)
    model.move('Turn right', right, 'rotation', [0, 1], [turn([0, 0, 1], 0), turn([0, 0, 1], 90)])
    const glb = await model.glb()
    const { usdz, report } = await convert(glb)
    expect(report.clips).toEqual([
      { name: 'Flap left', index: 0, start: 0, end: 1 },
      { name: 'Flap right', index: 1, start: 0, end: 2 },
      { name: 'Turn right', index: 2, start: 0, end: 1 },
    ])
    expect(report.notes.map(({ code }) => code)).toEqual(['animations_together'])
    const usd = openUsdz(usdz)
    expect(numberOf(usd.stage.crate, usd.metadata('endTimeCode'))).toBe(120)
    expect(usd.samples('/Root/Left.xformOp:translate', () => 0)?.times).toEqual([0, 60])
    const starts = async (options: object) => (await convert(glb, options)).report.clips.map(({ start }) => start)
    expect(await starts({ animations: 'sequence' })).toEqual([0, 61 / 60, 182 / 60])
    expect(await starts({ clip: 'Flap right' })).toEqual([0, 121 / 60, 182 / 60])
  })

  test('that move the same property play together on request: the first one moves it', async () => {
    const { usdz, report } = await convert(await dancer(), { animations: 'together', clip: 'Run' })
    expect(report.clips.map(({ name, start }) => [name, start])).toEqual([
      ['Run', 0],
      ['Sit', 0],
      ['Walk', 0],
    ])
    expect(report.notes.map(({ code }) => code)).toEqual(['animations_together', 'animation_conflicts'])
    const usd = openUsdz(usdz)
    expect(usd.samples('/Root/Dancer.xformOp:translate', () => 0)?.times).toEqual([0, 150])
  })
})
