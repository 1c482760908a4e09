/** Solves a system of linear equations, by elimination with pivots (C. F. Gauss). Undefined if it is singular. */
export function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] | undefined {
  const solved = eliminated(
    matrix,
    right.map((value) => [value]),
  )
  return solved?.map(([value]) => value!)
}

export function inverseOf(matrix: readonly (readonly number[])[]): number[][] | undefined {
  return eliminated(
    matrix,
    matrix.map((_, i) => matrix.map((__, j) => (i === j ? 1 : 0))),
  )
}

function eliminated(matrix: readonly (readonly number[])[], right: readonly (readonly number[])[]) {
  const size = matrix.length
  const rows = matrix.map((row, i) => [...row, ...right[i]!])
  // Columns have different units: a pivot is small beside the others of its own column.
  const scale = matrix.map((_, j) => Math.max(...matrix.map((row) => Math.abs(row[j]!))))
  for (let at = 0; at < size; at++) {
    let best = at
    for (let row = at + 1; row < size; row++) if (Math.abs(rows[row]![at]!) > Math.abs(rows[best]![at]!)) best = row
    const pivot = rows[best]![at]!
    if (!(Math.abs(pivot) > 1e-14 * scale[at]!)) return undefined
    ;[rows[at], rows[best]] = [rows[best]!, rows[at]!]
    rows[at] = rows[at]!.map((value) => value / pivot)
    for (let row = 0; row < size; row++) {
      const factor = rows[row]![at]!
      if (row !== at && factor !== 0) rows[row] = rows[row]!.map((value, j) => value - factor * rows[at]![j]!)
    }
  }
  return rows.map((row) => row.slice(size))
}
