import { compose, multiply } from '../../scene/matrix.ts'
import { affineMatrix, type Linear, linearPart } from './affine.ts'
import { singularValues } from './singular-values.ts'

/** Stretches are rounded to this part of their largest value: those that differ by an error of rounding are equal. */
const stretchPrecision = 2 ** -23
/** The same for what follows, as doubles have it. */
const turnPrecision = 2 ** -44

/**
 * Splits a singular linear map into a rotation with a uniform scale, and the stretch before it (polar decomposition). The
 * stretch has the largest singular value 1, and is equal for maps that differ only in what follows it.
 */
export function rotationAndStretch(l: Linear): { turned: Linear; stretch: Linear } {
  const { outer, scale, inner } = singularValues(l)
  const sizes = scale.map(Math.abs)
  const size = Math.max(...sizes)
  if (!(size > 0)) return { turned: [1, 0, 0, 0, 1, 0, 0, 0, 1], stretch: l.map(() => 0) }
  const signs = scale.map((value) => (value < 0 ? -1 : 1))
  // A mirror of the axis that is flattened changes nothing.
  if (signs.includes(-1)) signs[sizes.indexOf(Math.min(...sizes))] = -1
  const after = affineMatrix(inner)
  const before = affineMatrix(inner.map((_, k) => inner[(k % 3) * 3 + Math.floor(k / 3)]!))
  const diagonal = (values: readonly number[]) => compose([0, 0, 0], [0, 0, 0, 1], values)
  const turned = multiply(
    multiply(compose([0, 0, 0], outer, [1, 1, 1]), diagonal(signs.map((sign) => sign * size))),
    after,
  )
  const stretch = multiply(multiply(before, diagonal(sizes.map((value) => value / size))), after)
  return {
    turned: rounded(linearPart(turned), 2 ** Math.ceil(Math.log2(size)) * turnPrecision),
    stretch: rounded(linearPart(stretch), stretchPrecision),
  }
}

const rounded = (l: Linear, step: number): Linear => l.map((value) => Math.round(value / step) * step)
