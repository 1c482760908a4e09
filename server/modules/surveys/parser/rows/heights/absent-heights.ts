import type { WarningCode } from '../../errors.ts'
import { truncate } from '../../truncate.ts'

/** The different cells that the notice names. */
const MAX_CELLS = 3

/** Counts the points whose cell of the height has a word for none, such as `#N/A`, `NaN` or `-`. */
export function absentHeights() {
  const cells = new Set<string>()
  let count = 0
  return {
    add(cell: string): void {
      count++
      if (cells.size < MAX_CELLS) cells.add(truncate(cell, 20))
    },
    /** The notice for the whole file; undefined if there is no such point. */
    get notice(): { code: WarningCode; message: string } | undefined {
      if (count === 0) return undefined
      const words = [...cells].map((cell) => `"${cell}"`).join(' or ')
      const message = `${count} ${count === 1 ? 'point has' : 'points have'} ${words} as height, which was read as none: write the height if there is one`
      return { code: 'HEIGHTS_NOT_READ', message }
    },
  }
}
