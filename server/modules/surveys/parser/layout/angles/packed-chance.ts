/** Minimum rows: fewer prove nothing. */
const ROWS = 20
/** Probability that two digits of decimal degrees are below 60. */
const CHANCE = 0.6
/** Maximum probability of a false warning for decimal degrees: one in a thousand files. */
const DOUBTED = 1e-3

/**
 * Whether numbers have valid minutes and seconds more often than chance explains. Nearby points share digits, so a
 * column counts once for each degree (minutes) and once for each hundredth of a degree (seconds) that it covers, not
 * for each row: a small site gives no warning.
 */
export function looksPacked(rows: readonly { latitude: string; longitude: string }[]): boolean {
  if (rows.length < ROWS) return false
  const draws = (['latitude', 'longitude'] as const).flatMap((axis) => {
    const figures = rows.map((row) => /^\D{0,3}(\d{1,3})[.,](\d\d)\d\d/.exec(row[axis]))
    // Coarser values are not minutes and seconds.
    if (figures.some((found) => !found)) return [Number.NaN]
    const degrees = new Set(figures.map((found) => found![1]))
    const hundredths = new Set(figures.map((found) => `${found![1]}.${found![2]}`))
    return [degrees.size + hundredths.size]
  })
  return CHANCE ** draws.reduce((sum, count) => sum + count, 0) < DOUBTED
}
