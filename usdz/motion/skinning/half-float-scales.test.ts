import fc from 'fast-check'
import { expect, test } from 'vitest'
import { convert } from '../../index.ts'
import { floatsOf } from '../../layers/read-values.ts'
import { movingModel } from '../../test/features/models/animated-model.ts'
import { openUsdz } from '../../test/open-usdz.ts'
import { type AnimatedValue, evaluate } from '../animation/curve.ts'
import { roundToHalf, splitIntoHalfs, withChanges } from './half-float-scales.ts'

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

test('a change of factors does not delay a fast scale', () => {
  const times = [0, 6, 12, 18]
  const scale: AnimatedValue = {
    rest: [1, 1, 1],
    curve: { times, values: [1, 1, 1, -2.9, 1, 7.3, 3.1, 1, 0.1, -4, 1, 8], size: 3, isRotation: false },
  }
  for (let time = 0.01; time < 18; time += 0.01) {
    if (times.some((key) => time > key && time <= key + 0.001)) continue
    const found = product(scale, time)
    for (const [axis, value] of evaluate(scale, time).entries()) expect(found[axis]).toBeCloseTo(value, 3)
  }
})

test('keeps scales with many keys a time code, between changes of factors too', () => {
  const times = Array.from({ length: 400 }, (_, index) => index * 0.03 + (index % 3) * 0.029)
  const scale: AnimatedValue = {
    rest: [1, 1, 1],
    curve: {
      times,
      values: times.flatMap((time) => [1.9 * Math.cos(time), 1.7, 0.4 + time / 12]),
      size: 3,
      isRotation: false,
    },
  }
  const { first, second } = splitIntoHalfs(scale)
  const keys = [...new Set([...first.curve!.times, ...second!.curve!.times])].sort((one, other) => one - other)
  for (const time of keys.flatMap((key, index) => [key, (key + (keys[index + 1] ?? key)) / 2])) {
    const [a, b] = [evaluate(first, time), evaluate(second!, time)]
    for (const [axis, value] of evaluate(scale, time).entries()) {
      expect(Math.abs(a[axis]! * b[axis]! - value)).toBeLessThan(2e-4 * [1.9, 1.7, 1.4][axis]!)
    }
  }
})

test('a scale that one factor represents is split where the factors of another joint change', () => {
  const times = [0, 6, 12]
  const fast: AnimatedValue = {
    rest: [1, 1, 1],
    curve: { times, values: [1, 1, 1, 2, 2, 2, -64, 1, 1], size: 3, isRotation: false },
  }
  expect(splitIntoHalfs(fast, times).second).toBeUndefined()
  const exactAt = withChanges(times)
  const { first, second } = splitIntoHalfs(fast, times, exactAt)
  for (const time of exactAt) {
    const [a, b] = [evaluate(first, time), evaluate(second!, time)]
    for (const [axis, value] of evaluate(fast, time).entries()) {
      expect(roundToHalf(a[axis]!) * roundToHalf(b[axis]!)).toBeCloseTo(value, 3)
    }
  }
})

test('a note says that scales are rounded where joints have too many keys at different times', async () => {
  const notesOf = async (count: number, shift: number) => {
    const model = movingModel()
    const joints = model.chain(2)
    model.body('Chest', model.mesh('Bar', model.bar(2)), model.skin(joints))
    for (const [i, joint] of joints.entries()) {
      const times = Array.from({ length: count }, (_, index) => index / 60 + i * shift)
      const scales = times.map((_, index) => [1 + (index % 2), 1, 1])
      model.move('Breathe', joint, 'scale', times, scales)
    }
    const { notes } = (await convert(await model.glb())).report
    return notes.filter(({ code }) => code === 'joint_scales').map((note) => note.count)
  }
  expect(await notesOf(9000, 1 / 128)).toEqual([2])
  expect(await notesOf(9000, 0)).toEqual([])
  expect(await notesOf(90, 1 / 128)).toEqual([])
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
