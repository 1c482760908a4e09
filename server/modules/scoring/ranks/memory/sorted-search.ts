/** Counts how many of the first `count` ascending values are less than `x`. */
export function lowerBound(values: Float64Array, count: number, x: number): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (values[middle]! < x) low = middle + 1
    else high = middle
  }
  return low
}

/** Counts how many of the first `count` ascending values are at most `x`. */
export function upperBound(values: Float64Array, count: number, x: number): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (values[middle]! > x) high = middle
    else low = middle + 1
  }
  return low
}
