import type { UnusableGrid } from '../accuracy.ts'
import { unusableGridsOf } from '../grids/unusable-grids.ts'
import { inArea } from '../in-area.ts'
import type { Proj } from '../proj/library.ts'
import type { Operation } from '../proj/operations.ts'
import { type HeightDatum, heightDatumOf } from './datum.ts'
import { type GeoidModel, geoidModels } from './geoid-models.ts'

/** An ellipsoidal height in metres, and its geoid model. */
export type Height = { h: number; operation: Operation }

/** Converts heights above the sea to heights above the ellipsoid. */
export type Heights = {
  /** @returns the height reference of a word, a name or a code, or the reason why it is invalid */
  find: (text: string) => HeightDatum | string
  /**
   * The ellipsoidal height at a place on WGS84, in degrees and metres. Uses the most accurate geoid model of the datum whose
   * grid is installed, otherwise EGM96, which may be off by 2 m. Undefined for an unknown datum, and for a tidal one without
   * its grid.
   */
  aboveEllipsoid: (datum: HeightDatum, latitude: number, longitude: number, metres: number) => Height | undefined
  /** Models of the datum for this place whose grids are missing, most accurate first. */
  missing: (datum: HeightDatum, latitude: number, longitude: number) => Operation[]
  /** Files in the folder of grids that operations need but that cannot be used. */
  unusable: (operations: readonly Operation[]) => UnusableGrid[]
  /** Frees PROJ's objects. */
  close: () => void
}

/** Maximum number of vertical systems of one file. */
const MAX_DATUMS = 50

/**
 * Error of EGM96 for heights of another datum, in metres: 1 of the model, as registered, and 1 between the geoid and the
 * mean sea level at a national gauge.
 */
const OTHER_DATUM_METRES = 2

const EGM96 = 'EPSG:5773'

/** Reads a datum from the register on first use. */
export function heightsOf(library: Proj): Heights {
  const { module } = library
  const datums = new Map<string, HeightDatum | string>()
  const place = module._malloc(4 * 8)

  const modelsAt = (code: string, latitude: number, longitude: number): GeoidModel[] =>
    geoidModels(library, code).filter(({ area }) => inArea(area, longitude, latitude))

  function through(code: string, latitude: number, longitude: number, metres: number): Height | undefined {
    for (const { pointer, operation, isUsable } of modelsAt(code, latitude, longitude)) {
      if (!isUsable) continue
      module.HEAPF64.set([latitude, longitude, metres, Number.POSITIVE_INFINITY], place / 8)
      module._proj_trans_array(pointer, -1, 1, place)
      const h = module.HEAPF64[place / 8 + 2]!
      if (Number.isFinite(h)) return { h, operation }
    }
    return undefined
  }

  return {
    find(text) {
      const known = datums.get(text)
      if (known !== undefined) return known
      if (datums.size >= MAX_DATUMS) return `the file names more than ${MAX_DATUMS} height datums`
      const found = heightDatumOf(library, text)
      datums.set(text, found)
      return found
    },

    aboveEllipsoid(datum, latitude, longitude, metres) {
      if (datum.name === 'unknown') return undefined
      const own = datum.system && through(datum.system, latitude, longitude, metres)
      if (own) return own
      const other = datum.isTidal ? undefined : through(EGM96, latitude, longitude, metres)
      return other && { h: other.h, operation: { ...other.operation, accuracy: OTHER_DATUM_METRES } }
    },

    missing: ({ system }, latitude, longitude) =>
      system === undefined
        ? []
        : modelsAt(system, latitude, longitude).flatMap(({ operation, isUsable }) => (isUsable ? [] : [operation])),

    unusable: (operations) => unusableGridsOf(library, operations),

    close: () => module._free(place),
  }
}
