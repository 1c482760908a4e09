import { describe, expect, test } from 'vitest'
import { trackOf } from '../../test/track.ts'
import { angleBetween, slerp } from '../math/quaternion.ts'
import { type ReductionLimits, reduceKeyframes, stepDuration } from './keyframe-reduction.ts'
import { interpolateSegment } from './track.ts'

const fit: ReductionLimits = {
  curveTolerance: 1e-5,
  dropTolerance: 1e-6,
  maxRotation: Math.PI / 18,
  countKeys: () => {},
}
describe('keyframe reduction', () => {
  test('writes two keys for each step', () => {
    const { times, values } = reduceKeyframes(
      trackOf('translation', 'STEP', [0, 1, 2], [0, 0, 0, 5, 0, 0, 5, 0, 0], 3),
      fit,
    )
    expect(times).toEqual([0, 1 - stepDuration, 1, 2])
    expect(values.map(([x]) => x)).toEqual([0, 0, 5, 5])
  })

  test('keeps only the ends of a line', () => {
    const times = [0, 0.5, 1, 2, 2.5]
    const keys = reduceKeyframes(
      trackOf(
        'translation',
        'LINEAR',
        times,
        times.flatMap((t) => [t, 2 * t, 0]),
        3,
      ),
      fit,
    )
    expect(keys.times).toEqual([0, 2.5])
  })

  test('keeps a curve within the tolerance', () => {
    // In-tangent, value, out-tangent.
    const curve = trackOf('scale', 'CUBICSPLINE', [0, 2], [0, 0, 0, 1, 1, 1, 9, 0, 3, 0, -7, 2, 2, 1, 1, 0, 0, 0], 3)
    const { times, values } = reduceKeyframes(curve, fit)
    for (let step = 0; step <= 1000; step++) {
      const time = step / 500
      const at = Math.max(
        1,
        times.findIndex((key) => key >= time),
      )
      const part = (time - times[at - 1]!) / (times[at]! - times[at - 1]!)
      for (const [axis, value] of interpolateSegment(curve, 0, time / 2).entries()) {
        const [from, to] = [values[at - 1]![axis]!, values[at]![axis]!]
        expect(Math.abs(from + (to - from) * part - value)).toBeLessThan(3e-5)
      }
    }
  })

  test('keeps rotations below ten degrees a key, on the short arc, with consistent signs', () => {
    const [a, b] = [
      [0, 0, 0, 1],
      [0, -Math.sin(1.2), 0, -Math.cos(1.2)],
    ]
    const { times, values } = reduceKeyframes(trackOf('rotation', 'LINEAR', [0, 1], [...a!, ...b!], 4), fit)
    for (const [index, value] of values.entries()) {
      expect(angleBetween(value, slerp(a!, b!, times[index]!))).toBeLessThan(1e-6)
      if (index === 0) continue
      expect(angleBetween(values[index - 1]!, value)).toBeLessThan(fit.maxRotation + 1e-9)
      expect(value.reduce((sum, number, k) => sum + number * values[index - 1]![k]!, 0)).toBeGreaterThan(0)
    }
    expect(angleBetween(values.at(-1)!, a!)).toBeCloseTo(2.4, 5)
  })

  test('normalizes cubic rotations', () => {
    const still = [0, 0, 0, 0]
    const cubic = [...still, ...[0, 0, 0, 3], ...still, ...still, ...[0, 2, 0, 2], ...still]
    for (const value of reduceKeyframes(trackOf('rotation', 'CUBICSPLINE', [0, 1], cubic, 4), fit).values) {
      expect(Math.hypot(...value)).toBeCloseTo(1, 9)
    }
  })
})
