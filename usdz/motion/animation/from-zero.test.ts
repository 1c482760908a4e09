import { expect, test } from 'vitest'
import { convert } from '../../index.ts'
import { movingModel } from '../../test/features/models/animated-model.ts'
import { trackOf } from '../../test/track.ts'
import { fromZero } from './from-zero.ts'
import { interpolateSegment, type Track } from './track.ts'

/** The value of a track at a time between its keys. */
function at(whole: Track, time: number): number[] {
  const after = Math.max(
    1,
    whole.times.findIndex((key) => key >= time),
  )
  const [from, to] = [whole.times[after - 1]!, whole.times[after]!]
  return [...interpolateSegment(whole, after - 1, (time - from) / (to - from))]
}

const turned = [0, 0, 0, 1, 0, 0.6, 0, 0.8, 0, 1, 0, 0]
const cubic = (values: number[], size: number) =>
  Array.from({ length: values.length / size }, (_, key) => {
    const value = values.slice(key * size, (key + 1) * size)
    return [value.map((_, k) => 0.3 * k - key * 0.2), value, value.map((_, k) => 0.1 * k + 0.4)]
  }).flat(2)

test.each([
  ['LINEAR', 'translation', [0, 0, 0, 4, 2, 0, 6, 6, 6], 3],
  ['LINEAR', 'rotation', turned, 4],
  ['STEP', 'scale', [1, 1, 1, 4, 2, 3, 6, 6, 6], 3],
  ['CUBICSPLINE', 'translation', cubic([0, 0, 0, 4, 2, 0, 6, 6, 6], 3), 3],
  ['CUBICSPLINE', 'rotation', cubic(turned, 4), 4],
] as const)(
  'a %s track of a %s keeps its shape after zero when the part before is cut off',
  (kind, path, values, size) => {
    const whole = trackOf(path, kind, [-1, 2, 3], [...values], size)
    const rest = { ...whole, ...fromZero(whole, path) }
    expect([...rest.times]).toEqual([0, 2, 3])
    for (const time of [0.01, 0.5, 1.3, 1.99, 2.5]) {
      for (const [k, value] of at(rest, time).entries()) expect(value).toBeCloseTo(at(whole, time)[k]!, 5)
    }
  },
)

test('a key at zero is the first, and a track that ends before zero keeps its last value', () => {
  const values = [0, 0, 0, 4, 2, 0, 6, 6, 6]
  const kept = fromZero(trackOf('translation', 'LINEAR', [-1, 0, 1], values, 3), 'translation')
  expect(kept).toEqual({ times: Float32Array.of(0, 1), values: Float32Array.from(values.slice(3)) })
  const ended = fromZero(trackOf('translation', 'LINEAR', [-3, -2, -1], values, 3), 'translation')
  expect(ended).toEqual({ times: Float32Array.of(0), values: Float32Array.of(6, 6, 6) })
})

test('a track may have more keys than a call has arguments', () => {
  const times = Array.from({ length: 1_000_000 }, (_, key) => (key - 1.5) / 60)
  const rest = fromZero(trackOf('translation', 'LINEAR', times, Array(3_000_000).fill(1), 3), 'translation')
  expect([rest.times.length, rest.values.length]).toEqual([999_999, 2_999_997])
})

test('a model with keys before zero is converted, with a note', async () => {
  const model = movingModel()
  const square = model.node('Square', model.mesh('Square', model.square()))
  model.move(
    'Go',
    square,
    'translation',
    [-1, 1],
    [
      [0, 0, 0],
      [2, 0, 0],
    ],
  )
  const { report } = await convert(await model.glb())
  expect(report.clips).toMatchObject([{ start: 0, end: 1 }])
  expect(report.notes).toMatchObject([{ code: 'animation_keys', effect: 'changed' }])
})
