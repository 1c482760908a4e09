import { withoutOutliers } from '../outliers.ts'
import type { AngleParts } from './parts.ts'

/** A number without a sign: degrees, or packed degrees, minutes and seconds. */
const FIGURE = /^\d{1,7}[.,]\d{1,12} ?[°º]?$/
const NORTH_SOUTH = /^[NS]$/i
const EAST_WEST = /^[EW]$/i
/** The largest packed latitude and longitude; larger figures are metres. */
const LARGEST_LATITUDE = 906_000
const LARGEST_LONGITUDE = 1_806_000
/** Maximum fields before the coordinates: a title and two texts. */
const MAX_BEFORE = 3

/**
 * Two numbers with the letter of their hemisphere in a field of its own, in rows without a header: `A,33.4,S,70.6,W`; or
 * metres of a grid with the letter of their axis, `A,391716.15,E,5820072.3,N`.
 */
export function letteredParts(rows: readonly string[][]): AngleParts[] | undefined {
  for (const letter of ['after', 'before'] as const)
    for (let at = 0; at <= MAX_BEFORE; at++) {
      const is = (fields: string[]) => {
        const [first, second] = [pairAt(fields, at, letter), pairAt(fields, at + 2, letter)]
        return (
          [first, second].every((pair) => FIGURE.test(pair.figure)) &&
          [NORTH_SOUTH, EAST_WEST].some((one) => one.test(first.side) && !one.test(second.side)) &&
          [NORTH_SOUTH, EAST_WEST].some((one) => one.test(second.side))
        )
      }
      if (rows.length > 0 && withoutOutliers(rows, is).every(is)) {
        const large = rows.filter((fields) => [at, at + 2].some((start) => isLarge(pairAt(fields, start, letter))))
        const isGrid = large.length * 2 > rows.length
        return [at, at + 2].map((start) => ({ at: start, count: 2, letter, ...(isGrid && { isGrid }) }))
      }
    }
  return undefined
}

function pairAt(fields: readonly string[], at: number, letter: 'before' | 'after') {
  const cells = [fields[at] ?? '', fields[at + 1] ?? ''].map((text) => text.trim().slice(0, 40))
  const [figure, side] = letter === 'after' ? cells : cells.toReversed()
  return { figure: figure!, side: side! }
}

const isLarge = ({ figure, side }: { figure: string; side: string }): boolean =>
  Number.parseFloat(figure) > (NORTH_SOUTH.test(side) ? LARGEST_LATITUDE : LARGEST_LONGITUDE)

/** One field of both: `33.4 S`, or metres, `391716.15 mE`. */
export function withLetter(cells: readonly string[], letter: 'before' | 'after', isGrid = false): string {
  const { figure, side } = pairAt(cells, 0, letter)
  return `${figure} ${isGrid && side !== '' && /\d/.test(figure) ? 'm' : ''}${side}`.trim()
}
