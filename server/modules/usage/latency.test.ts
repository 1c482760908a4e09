import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CLASS_ENDS, classOf, medianOf } from './latency.ts'

const none = () => Array<number>(CLASS_ENDS.length + 1).fill(0)

test('the median of classes lies in the class of the true one', () => {
  const ms = fc.oneof(fc.double({ min: 0, max: 20, noNaN: true }), fc.double({ min: 0, max: 60_000, noNaN: true }))
  fc.assert(
    fc.property(fc.array(ms, { minLength: 1, maxLength: 100 }), (times) => {
      const counts = none()
      for (const time of times) counts[classOf(time)]!++
      const median = [...times].sort((a, b) => a - b)[Math.ceil(times.length / 2) - 1]!
      const at = classOf(median)
      expect(medianOf(counts)).toBeGreaterThanOrEqual(CLASS_ENDS[at - 1] ?? 0)
      expect(medianOf(counts)).toBeLessThanOrEqual(CLASS_ENDS[at] ?? CLASS_ENDS.at(-1)!)
    }),
  )
  expect(medianOf(none())).toBeNull()
})
