import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compose, determinant, multiply } from '../../scene/matrix.ts'
import { affineMatrix, inverse, isIdentityWithin, linearPart, uniformScaleAndRotation } from '../math/affine.ts'
import { singularValues } from '../math/singular-values.ts'

const numbers = fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: 9, maxLength: 9 })

test('any linear map is a rotation, a scale and a rotation', () => {
  const flat = [
    [1, 2, 3, 2, 4, 6, -1, -2, -3],
    [0, 0, 0, 0, 0, 0, 0, 0, 0],
    [1, 0, 0, 0, 0, 0, 0, 0, 0],
    [-1, 0, 0, 0, 1, 0, 0, 0, 1],
  ]
  fc.assert(
    fc.property(numbers, (l) => {
      const { outer, scale, inner } = singularValues(l)
      const size = Math.max(1e-3, ...l.map(Math.abs))
      const again = linearPart(multiply(compose([0, 0, 0], outer, scale), affineMatrix(inner)))
      for (const [k, value] of again.entries()) expect(Math.abs(value - l[k]!)).toBeLessThan(1e-6 * size)
      expect(Math.hypot(...outer)).toBeCloseTo(1, 9)
      expect(determinant(affineMatrix(inner))).toBeCloseTo(1, 6)
      expect(uniformScaleAndRotation(inner)!.scale).toBeCloseTo(1, 6)
    }),
    { numRuns: 300, seed: 1, examples: flat.map((l) => [l]) },
  )
})

test('a uniform scale with a rotation is distinguished from a non-uniform one; a mirror is a negative scale', () => {
  const turned = (scale: number[]) => linearPart(compose([0, 0, 0], [0.5, 0.5, 0.5, 0.5], scale))
  expect(uniformScaleAndRotation(turned([2, 2, 2]))!.scale).toBeCloseTo(2)
  expect(uniformScaleAndRotation(turned([2, 2, 2.001]))).toBeUndefined()
  const mirror = uniformScaleAndRotation(turned([-2, 2, 2]))!
  const again = compose([0, 0, 0], mirror.rotation, [mirror.scale, mirror.scale, mirror.scale])
  for (const [k, value] of linearPart(again).entries()) expect(value).toBeCloseTo(turned([-2, 2, 2])[k]!)
  expect(mirror.scale).toBeCloseTo(-2)
})

test('the inverse of a matrix reverses it; a singular one has none', () => {
  const matrix = compose([1, 2, 3], [0.5, 0.5, 0.5, 0.5], [0.01, 200, -3])
  expect(isIdentityWithin(multiply(matrix, inverse(matrix)!), 1e-12, 1e-9)).toBe(true)
  expect(inverse(compose([0, 0, 0], [0, 0, 0, 1], [1, 0, 1]))).toBeUndefined()
})
