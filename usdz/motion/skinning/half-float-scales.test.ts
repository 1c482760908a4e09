import fc from 'fast-check'
import { expect, test } from 'vitest'
import { convert } from '../../index.ts'
import { floatsOf } from '../../layers/read-values.ts'
import { movingModel } from '../../test/features/models/animated-model.ts'
import { openUsdz } from '../../test/open-usdz.ts'
import { type AnimatedValue, evaluate } from '../animation/curve.ts'
import { roundToHalf, splitIntoHalfs } from './half-float-scales.ts'

const product = (scale: AnimatedValue, time: number) => {
  const { first, second } = splitIntoHalfs(scale)
  const [a, b] = [evaluate(first, time), second ? evaluate(second, time) : [1, 1, 1]]
  return a.map((value, axis) => value * b[axis]!)
}

test('rounds to the nearest half, as typed arrays do', () => {
  // Halfs between 1 and 2 are a 1024th apart; below 2 ** -14 they are 2 ** -24 apart.
  expect([1.0004, 1.0006, -1.0006, 65519, 1e9, 3 * 2 ** -25, 2 ** -26].map(roundToHalf)).toEqual([
    1,
    1 + 2 ** -10,
    -1 - 2 ** -10,
    65504,
    65504,
    2 ** -23,
    0,
  ])
})

test('keeps joint scales to five hundred-thousandths of the largest, at keys and between them', () => {
  const scales = fc.array(fc.double({ min: 0.01, max: 2, noNaN: true }), { minLength: 3, maxLength: 3 })
  fc.assert(
    fc.property(scales, scales, scales, fc.double({ min: 0, max: 2, noNaN: true }), (a, b, c, part) => {
      const scale: AnimatedValue = {
        rest: a,
        curve: { times: [0, 10, 30], values: [...a, ...b, ...c], size: 3, isRotation: false },
      }
      const time = part * 15
      // During a thousandth of a time code, one pair of factors changes to the next.
      fc.pre(time <= 10 || time > 10.001)
      const largest = [0, 1, 2].map((axis) => Math.max(a[axis]!, b[axis]!, c[axis]!))
      const found = product(scale, time)
      for (const [axis, value] of evaluate(scale, time).entries()) {
        expect(Math.abs(found[axis]! - value)).toBeLessThan(5e-5 * largest[axis]!)
      }
    }),
    { numRuns: 100, seed: 1 },
  )
})

test('keeps joint scales at the times of other joints, where halfs would be rounded', () => {
  const scale: AnimatedValue = {
    rest: [1, 1, 1],
    curve: { times: [0, 16], values: [1, 1, 1, 2, 2, 1], size: 3, isRotation: false },
  }
  const times = [0, 1.3, 7.7, 16]
  const { first, second } = splitIntoHalfs(scale, times)
  expect(first.curve!.times).toEqual(expect.arrayContaining(times))
  for (const time of times) {
    const [a, b] = [evaluate(first, time), evaluate(second!, time)]
    expect(a.map(roundToHalf)).toEqual(a)
    for (const [axis, value] of evaluate(scale, time).entries()) expect(a[axis]! * b[axis]!).toBeCloseTo(value, 4)
  }
})

test('uses a single factor for a scale that halfs represent', () => {
  expect(splitIntoHalfs({ rest: [1, 0.5, 2] }).second).toBeUndefined()
  expect(splitIntoHalfs({ rest: [1, 0.3, 2] }).second).toBeDefined()
})

test('keeps a scale with tens of thousands of keys', { tags: ['long'] }, async () => {
  const model = movingModel()
  const [joint] = model.chain(1)
  model.body('Chest', model.mesh('Bar', model.bar(1)), model.skin([joint!]))
  const times = Array.from({ length: 60_000 }, (_, index) => index / 60)
  const scales = times.map((_, index) => [1 + (index % 2), 1 + (index % 3) / 2, 1])
  model.move('Breathe', joint!, 'scale', times, scales)
  const { usdz, report } = await convert(await model.glb())
  expect(report.notes).toEqual([])
  const found = openUsdz(usdz).samples('/Root/Deforming/Skeleton/Animation.scales', floatsOf)!
  expect(found.times).toHaveLength(times.length)
  // The parent joint has scale 1.
  for (const index of [0, 1, 2, 59_999]) {
    expect([...found.values[index]!].slice(-3)).toEqual(scales[index]!.map((value) => value / 2))
  }
})
