import { countAxes, type Pair } from '../axes.ts'
import type { InZone } from '../layout.ts'

/** Maximum extent of a survey in degrees; a room measured in metres exceeds it. */
const MAX_REACH_DEGREES = 2
/** Minimum decimals of degrees: 0.0001° is 11 m, coarser than any survey. Metres have three decimals. */
const DECIMALS = /[.,]\d{4}/

const reach = (values: readonly number[]): number => Math.max(...values) - Math.min(...values)

/**
 * Whether values without a unit or a reference system are degrees: they are inside the zone, or they have enough
 * decimals, are close together and are not around 0, 0, where local metres begin. `cells` are the texts of the file.
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
