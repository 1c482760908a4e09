import type { Linear } from './affine.ts'
import { linearDeterminant } from './affine.ts'
import { type Quaternion, quaternionFromColumns } from './quaternion.ts'

/**
 * Decomposes a linear map into rotation · scale · rotation (singular values), with right-handed rotations. It expresses
 * shears with translations, rotations and scales only. Method: one-sided Jacobi (Hestenes).
 */
export function singularValues(l: Linear): { outer: Quaternion; scale: readonly number[]; inner: Linear } {
  const columns = [l.slice(0, 3), l.slice(3, 6), l.slice(6, 9)]
  const right = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ]
  for (let sweep = 0; sweep < 30; sweep++) {
    let turned = false
    for (const [p, q] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const) {
      const [a, b] = [columns[p]!, columns[q]!]
      const [aa, bb, ab] = [product(a, a), product(b, b), product(a, b)]
      if (Math.abs(ab) <= 1e-15 * Math.sqrt(aa * bb)) continue
      turned = true
      const ratio = (bb - aa) / (2 * ab)
      const t = (ratio < 0 ? -1 : 1) / (Math.abs(ratio) + Math.sqrt(1 + ratio * ratio))
      const cos = 1 / Math.sqrt(1 + t * t)
      rotate(columns, p, q, cos, cos * t)
      rotate(right, p, q, cos, cos * t)
    }
    if (!turned) break
  }
  const scale = columns.map((column) => Math.hypot(...column))
  const left = orthonormal(columns, scale)
  // Rotations must be right-handed, so mirroring goes into the scale. `right` starts right-handed and is only rotated.
  if (linearDeterminant(left.flat()) < 0) {
    left[0] = left[0]!.map((value) => -value)
    scale[0] = -scale[0]!
  }
  // `right` holds V by columns; the inner factor is its transpose.
  const inner = [0, 1, 2].flatMap((row) => [0, 1, 2].map((column) => right[column]![row]!))
  return { outer: quaternionFromColumns(left.flat()), scale, inner }
}

/** Normalises the columns; zero columns are replaced by orthogonal directions. */
function orthonormal(columns: number[][], lengths: readonly number[]): number[][] {
  const largest = Math.max(...lengths)
  const out = columns.map((column, k) =>
    lengths[k]! > 1e-12 * largest ? column.map((value) => value / lengths[k]!) : undefined,
  )
  for (let k = 0; k < 3; k++) {
    if (out[k]) continue
    const others = out.filter((column) => column !== undefined)
    if (others.length === 2) {
      const [a, b] = [out[(k + 1) % 3]!, out[(k + 2) % 3]!]
      out[k] = cross(a, b)
    } else {
      const axis = others[0] ?? [0, 0, 1]
      const least = axis.map(Math.abs).indexOf(Math.min(...axis.map(Math.abs)))
      const across = cross(
        axis,
        [0, 1, 2].map((i) => (i === least ? 1 : 0)),
      )
      out[k] = across.map((value) => value / Math.hypot(...across))
    }
  }
  return out as number[][]
}

const product = (a: readonly number[], b: readonly number[]) => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!
const cross = (a: readonly number[], b: readonly number[]) => [
  a[1]! * b[2]! - a[2]! * b[1]!,
  a[2]! * b[0]! - a[0]! * b[2]!,
  a[0]! * b[1]! - a[1]! * b[0]!,
]

function rotate(columns: number[][], p: number, q: number, cos: number, sin: number): void {
  for (let k = 0; k < 3; k++) {
    const [a, b] = [columns[p]![k]!, columns[q]![k]!]
    columns[p]![k] = cos * a - sin * b
    columns[q]![k] = sin * a + cos * b
  }
}
