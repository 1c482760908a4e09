import { countAxes, type Pair } from '../axes.ts'
import type { InZone } from '../layout.ts'

/** A survey does not reach further; a room measured in metres does. */
const MAX_REACH_DEGREES = 2
/** 0.0001° is 11 m: nobody surveys coarser. Metres are given to the millimetre. */
const DECIMALS = /[.,]\d{4}/

const reach = (values: readonly number[]): number => Math.max(...values) - Math.min(...values)

/**
 * Whether figures in columns that do not say degrees, and that no reference system explains, are degrees all the same:
 * they lead to the zone, or they are fine enough for degrees, close together and not around 0, 0, where a site's own
 * metres begin. `cells` are the figures as they stand.
 */
export function areSurelyDegrees(
  pairs: readonly Pair[],
  cells: readonly string[],
  inZone: InZone | undefined,
): boolean {
  if (pairs.length === 0 || pairs.flat().some((value) => Math.abs(value) > 180)) return false
  if (cells.every((cell) => /[°º]|\d ?[NSEWO]$|^[NSEWO] ?\d/i.test(cell.trim()))) return true
  const { asIs, swapped, of } = countAxes(pairs, undefined, inZone)
  if (inZone && (asIs === of || swapped === of)) return true
  if (!cells.some((cell) => DECIMALS.test(cell))) return false
  if (pairs.every((pair) => pair.every((value) => Math.abs(value) < MAX_REACH_DEGREES))) return false
  const turned = (values: number[]) => values.map((value) => (value < 0 ? value + 360 : value))
  return ([0, 1] as const).every((i) => {
    const values = pairs.map((pair) => pair[i])
    return Math.min(reach(values), reach(turned(values))) <= MAX_REACH_DEGREES
  })
}
