import type { Operation } from './proj/operations.ts'

/** The accuracy in metres from which an operation is reported as a warning. */
const NOTABLE_METRES = 0.5
/** The `maxError` in metres that accepts an operation without a datum shift whose error is unknown. */
const BALLPARK_METRES = 1000
/** The most grids that one message names. */
const MAX_NAMED = 3

/** Whether an operation is reported as a warning: its accuracy is unknown, or 0.5 m or worse. */
export const isCoarse = ({ accuracy }: Operation): boolean => accuracy === null || accuracy >= NOTABLE_METRES

/**
 * The reason why an operation may not be used, or undefined. Without `maxError`, refuses only operations without a datum
 * shift; one defined in the file is accepted without a known accuracy.
 */
export function refusalReason({ isBallpark, accuracy }: Operation, maxError: number | undefined): string | undefined {
  if (isBallpark) {
    const needed = accuracy ?? BALLPARK_METRES
    if (maxError !== undefined && maxError >= needed) return undefined
    const error =
      accuracy === null
        ? 'the coordinates alone may be off by hundreds of metres'
        : `the coordinates alone are accurate to some ${accuracy} m, as its datum is of satellite geodesy too`
    return `no transformation to WGS84 is known, and ${error}; to accept that, import with maxError=${needed}`
  }
  if (maxError === undefined || (accuracy !== null && accuracy <= maxError)) return undefined
  return accuracy === null
    ? `the accuracy of its transformation to WGS84 is unknown, and maxError is ${maxError}`
    : `its transformation to WGS84 is accurate to ${accuracy} m, and maxError is ${maxError}`
}

/** A grid file of the folder that cannot be used, its PROJ name, and the reason as the end of a sentence: `it ends early`. */
export type UnusableGrid = { file: string; grid: string; why: string }

/** Describes the accuracy of an operation in one sentence, and the grid files that would improve it. */
export const accuracySentence = (
  name: string,
  operation: Operation,
  better: readonly Operation[],
  unusable: readonly UnusableGrid[] = [],
): string =>
  `${neededGrids(name, operation, better)} (by "${operation.name}")${noValue(operation)}${unusableGrids(unusable)}`

/**
 * `EPSG:27700 needs uk_os_OSTN15_NTv2_OSGBtoETRS.tif for 1 m; without it, positions are accurate to 2 m`; without a better
 * grid, only the accuracy. Used in warnings of imports, errors and the doctor.
 */
export function neededGrids(
  name: string,
  usable: Pick<Operation, 'accuracy' | 'isBallpark'>,
  better: readonly Operation[],
): string {
  if (better.length === 0) return `${name}: ${positions(usable)}`
  return `${name} needs ${gridNames(better)}; without it, ${positions(usable)}`
}

/** The grids that would help a system that cannot be used, as a suffix of the reason. */
export const helpfulGrids = (better: readonly Operation[], unusable: readonly UnusableGrid[]): string =>
  `${better.length === 0 ? '' : `; it needs ${gridNames(better)}, in the folder of grids`}${unusableGrids(unusable)}`

const positions = ({ accuracy, isBallpark }: Pick<Operation, 'accuracy' | 'isBallpark'>): string => {
  if (isBallpark)
    return accuracy === null
      ? 'positions may be off by hundreds of metres, as the difference of the datums is left out'
      : `positions are accurate to some ${accuracy} m, as the difference of the datums is left out`
  return accuracy === null ? 'the accuracy of positions is unknown' : `positions are accurate to ${accuracy} m`
}

function gridNames(better: readonly Operation[]): string {
  const named = better.map(({ grids, accuracy }) => {
    const files = grids.join(' and ')
    return accuracy === null ? files : `${files} for ${accuracy} m`
  })
  return [...new Set(named)].slice(0, MAX_NAMED).join(', or ')
}

const noValue = ({ without = [] }: Operation): string =>
  without.length === 0 ? '' : `; ${without.join(' and ')} has no value for this place`

const unusableGrids = (unusable: readonly UnusableGrid[]): string =>
  unusable.map(({ file, why }) => `; the file ${file} in the folder of grids cannot be used: ${why}`).join('')
