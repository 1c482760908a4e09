/** Upper bounds of the histogram's buckets in milliseconds; the last bucket has none. */
export const CLASS_ENDS = [
  1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1000, 2000, 5000, 10_000,
]

/** The bucket of a response time in milliseconds. */
export function classOf(ms: number): number {
  let at = 0
  while (at < CLASS_ENDS.length && ms > CLASS_ENDS[at]!) at++
  return at
}

/**
 * Estimates the median of a histogram in milliseconds, as if the values of a bucket were evenly distributed. Returns
 * null for an empty histogram.
 */
export function medianOf(counts: number[]): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let before = 0
  for (const [at, count] of counts.entries()) {
    if (before + count >= total / 2) {
      const from = CLASS_ENDS[at - 1] ?? 0
      const to = CLASS_ENDS[at] ?? from
      return Math.round((from + ((to - from) * (total / 2 - before)) / count) * 10) / 10
    }
    before += count
  }
  return null
}
