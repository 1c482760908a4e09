import type { WarningCode } from '../../errors.ts'
import { looksLikeNumber } from '../../rows/values/numbers.ts'
import { truncate } from '../../truncate.ts'
import type { Columns } from '../columns.ts'

const HEIGHT =
  /height|hgt|h(?:ö|oe)he|elev|altit|hauteur|altura|altezza|\bcota\b|\bquota\b|hoogte|wysoko|v(?:ý|y)[sš]k|высот|標高|高程|\bhae\b|\bmsl\b/i
/** Heights of an instrument, differences of heights, and their errors. */
const OTHER =
  /antenna|instr|rod|pole|target|tilt|stick|rms|std|sd\b|sigma|accur|precis|err|separation|undul|geoid|diff|delta|offset|unit|datum|operation/i

/** The notice for a file without heights that has numbers under a header that seems to name some. */
export function unreadHeights(
  columns: Columns,
  header: readonly string[],
  rows: readonly string[][],
): { code: WarningCode; message: string }[] {
  if (columns.h ?? columns.altitude ?? columns.z) return []
  const taken = new Set(Object.values(columns).flatMap((list) => list.map(({ index }) => index)))
  const found = header.findIndex((name, index) => {
    if (taken.has(index) || name.length > 60 || !HEIGHT.test(name) || OTHER.test(name)) return false
    const cells = rows.map((fields) => fields[index]?.trim() ?? '').filter((cell) => cell !== '')
    return cells.length > 0 && cells.every(looksLikeNumber)
  })
  if (found < 0) return []
  const message = `no column was read as heights, although "${truncate(header[found]!.trim(), 60)}" seems to have some: import with header= and h (above the ellipsoid), altitude (above the sea) or z (of unknown datum) in its place`
  return [{ code: 'HEIGHTS_NOT_READ', message }]
}
