import { helpfulGrids, type UnusableGrid } from '../accuracy.ts'
import { inArea } from '../in-area.ts'
import type { Proj } from '../proj/library.ts'
import type { Operation, Transformation, WantedOperation } from '../proj/operations.ts'
import { unusableGridsOf } from './unusable-grids.ts'

/** The missing grids that a transformation could use; looked up on first use. */
export function missingGrids(library: Proj, way: () => Transformation) {
  let lacking: WantedOperation[] | undefined
  let damaged: UnusableGrid[] | undefined
  const all = (): WantedOperation[] => {
    lacking ??= way().missing()
    return lacking
  }
  /** Files in the folder of grids that operations need but that cannot be used. */
  const unusable = (wanted: readonly Operation[]): UnusableGrid[] => {
    damaged ??= unusableGridsOf(library, all())
    return damaged.filter(({ grid }) => wanted.some(({ grids }) => grids.includes(grid)))
  }
  return {
    unusable,
    /** Operations more accurate than an accuracy in metres (null if unknown) at a place in degrees. */
    betterAt: (accuracy: number | null, longitude: number, latitude: number): WantedOperation[] =>
      all().filter(
        (one) =>
          (accuracy === null || (one.accuracy !== null && one.accuracy < accuracy)) &&
          (!one.area || inArea(one.area, longitude, latitude)),
      ),
    /** The grids that would help if no operation exists, as a suffix of the reason. */
    help: (): string => helpfulGrids(all(), unusable(all())),
  }
}
