type Complex = [re: number, im: number]

const STEPS = 60
/** Of two roots that are nearly equal, rounding makes a pair of complex ones. */
const NEARLY_REAL = 0.05

/** The real roots of a polynomial, lowest power first, by the method of Weierstrass (E. Durand, 1960; I. Kerner, 1966). */
export function realRoots(coefficients: readonly number[]): number[] {
  const largest = Math.max(...coefficients.map(Math.abs))
  const degree = coefficients.findLastIndex((coefficient) => Math.abs(coefficient) > 1e-14 * largest)
  if (degree < 1) return []
  const monic = coefficients.slice(0, degree + 1).map((coefficient) => coefficient / coefficients[degree]!)
  const radius = 1 + Math.max(...monic.slice(0, degree).map(Math.abs))
  const roots = Array.from({ length: degree }, (_, at): Complex => {
    const angle = (2 * Math.PI * at) / degree + 0.4
    return [radius * 0.5 * Math.cos(angle), radius * 0.5 * Math.sin(angle)]
  })
  for (let step = 0; step < STEPS; step++) {
    let moved = 0
    for (const [at, root] of roots.entries()) {
      let divisor: Complex = [1, 0]
      for (const [other, value] of roots.entries())
        if (other !== at) divisor = multiply(divisor, [root[0] - value[0], root[1] - value[1]])
      const shift = divide(valueAt(monic, root), divisor)
      roots[at] = [root[0] - shift[0], root[1] - shift[1]]
      moved = Math.max(moved, Math.hypot(...shift) / (1 + Math.hypot(...root)))
    }
    if (moved < 1e-12) break
  }
  return roots.filter(([re, im]) => Math.abs(im) <= NEARLY_REAL * (1 + Math.abs(re))).map(([re]) => re)
}

/** W. Horner, 1819. */
const valueAt = (monic: readonly number[], at: Complex): Complex =>
  monic.reduceRight<Complex>(
    (value, coefficient) => {
      const [re, im] = multiply(value, at)
      return [re + coefficient, im]
    },
    [0, 0],
  )

const multiply = ([a, b]: Complex, [c, d]: Complex): Complex => [a * c - b * d, a * d + b * c]

function divide([a, b]: Complex, [c, d]: Complex): Complex {
  const norm = c * c + d * d || Number.MIN_VALUE
  return [(a * c + b * d) / norm, (b * c - a * d) / norm]
}
