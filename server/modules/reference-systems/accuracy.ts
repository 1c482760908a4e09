import type { Operation } from './proj/operations.ts'

/** From so many metres on, what an operation may be off is said. */
export const NOTABLE_METRES = 0.5
/** What an operation counts as being off, in metres, when it leaves the difference of two datums out. */
export const BALLPARK_METRES = 1000

/** Whether an operation may be off by more than is passed over in silence, or nobody says by how much. */
export const isCoarse = ({ accuracy }: Operation): boolean => accuracy === null || accuracy >= NOTABLE_METRES

/**
 * Why an operation may not be used, or undefined. Without `maxError` only those are refused that leave the difference of
 * the datums out; what a file's own definition leads by is taken, though nobody states its accuracy.
 */
export function whyRefused({ isBallpark, accuracy }: Operation, maxError: number | undefined): string | undefined {
  if (isBallpark)
    return maxError !== undefined && maxError >= BALLPARK_METRES
      ? undefined
      : `no transformation to WGS84 is known, and the coordinates alone may be off by hundreds of metres; to accept that, import with maxError=${BALLPARK_METRES}`
  if (maxError === undefined || (accuracy !== null && accuracy <= maxError)) return undefined
  return accuracy === null
    ? `nobody states how accurate its transformation to WGS84 is, and maxError is ${maxError}`
    : `its transformation to WGS84 is accurate to ${accuracy} m, and maxError is ${maxError}`
}

/** In a sentence: what an operation may be off, and what would make it better. */
export const accuracySentence = (
  name: string,
  { accuracy, isBallpark, name: operation }: Operation,
  better: readonly Operation[],
) =>
  `${name} was brought to WGS84 by "${operation}", ${
    isBallpark
      ? 'which leaves the difference of the datums out: points may be off by hundreds of metres'
      : accuracy === null
        ? 'whose accuracy nobody states'
        : `which is accurate to ${accuracy} m`
  }${betterGrids(better)}`

/** `; with fr_ign_ntf_r93.tif 1 m`: the grids that would make it better. */
export function betterGrids(better: readonly Operation[]): string {
  if (better.length === 0) return ''
  const named = better.slice(0, 3).map(({ grids, accuracy }) => `${grids.join(' and ')} ${accuracy} m`)
  return `; with the grid ${named.join(', or with ')} (put it into the folder of grids)`
}
