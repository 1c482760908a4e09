import { helpfulGrids, type UnusableGrid } from '../accuracy.ts'
import { inArea } from '../in-area.ts'
import type { Proj } from '../proj/library.ts'
import type { Operation, Transformation, WantedOperation } from '../proj/operations.ts'
import { unusableGridsOf } from './unusable-grids.ts'

/** The grids that a transformation could use and that are not there; found out when they are first asked for. */
export function missingGrids(library: Proj, way: () => Transformation) {
  let lacking: WantedOperation[] | undefined
  let damaged: UnusableGrid[] | undefined
  const all = (): WantedOperation[] => {
    lacking ??= way().missing()
    return lacking
  }
  /** Files of the folder of grids that operations need, and that cannot be used. */
  const unusable = (wanted: readonly Operation[]): UnusableGrid[] => {
    damaged ??= unusableGridsOf(library, all())
    return damaged.filter(({ grid }) => wanted.some(({ grids }) => grids.includes(grid)))
  }
  return {
    unusable,
    /** Operations that would be more accurate than an accuracy in metres, null if that is unknown, at a place in degrees. */
    betterAt: (accuracy: number | null, longitude: number, latitude: number): WantedOperation[] =>
      all().filter(
        (one) =>
          (accuracy === null || (one.accuracy !== null && one.accuracy < accuracy)) &&
          (!one.area || inArea(one.area, longitude, latitude)),
      ),
    /** Which grids would help where nothing else leads, to be put behind the reason. */
    help: (): string => helpfulGrids(all(), unusable(all())),
  }
}
