/** Fewer rows prove nothing. */
const ROWS = 20
/** What decimal degrees have below 60 in two of their digits by chance. */
const CHANCE = 0.6
/** Of files of decimal degrees, one in a thousand at most may be doubted. */
const DOUBTED = 1e-3

/**
 * Whether figures have minutes and seconds below 60 more surely than decimal degrees would by chance. Points near each
 * other share their digits, so a column counts once for each degree (its minutes) and once for each hundredth of one (its
 * seconds) that it reaches, not for each row: a small site is never doubted.
 */
export function looksRunTogether(rows: readonly { latitude: string; longitude: string }[]): boolean {
  if (rows.length < ROWS) return false
  const draws = (['latitude', 'longitude'] as const).flatMap((axis) => {
    const figures = rows.map((row) => /^\D{0,3}(\d{1,3})[.,](\d\d)\d\d/.exec(row[axis]))
    // Coarser figures are not minutes and seconds.
    if (figures.some((found) => !found)) return [Number.NaN]
    const degrees = new Set(figures.map((found) => found![1]))
    const hundredths = new Set(figures.map((found) => `${found![1]}.${found![2]}`))
    return [degrees.size + hundredths.size]
  })
  return CHANCE ** draws.reduce((sum, count) => sum + count, 0) < DOUBTED
}
