import type { Crs } from '../../../reference-systems/crs.ts'
import { hasProjection, listOfSystems, type NamedSystem } from '../../../reference-systems/crs-choices.ts'
import { isSameDatum } from '../../../reference-systems/horizontal-datum.ts'
import { SurveyFileError } from '../errors.ts'
import { truncate } from '../truncate.ts'
import { packedFormOf, readPacked } from './angles/packed.ts'
import { areMostlyIn, fittingSystems, type Pair } from './axes.ts'
import type { InZone, LayoutContext } from './layout.ts'

const MAX_SHOWN = 3

/**
 * The error of a file with grid coordinates without a system, or with one in degrees; includes the systems that would
 * fit the zone.
 */
export function missingCrs(pairs: readonly Pair[], context: LayoutContext, inDegrees?: Crs): SurveyFileError {
  const { unreadCrs, vagueCrs, table, inZone, hasLines, usual } = context
  const small = pairs.length > 0 && pairs.flat().every((value) => Math.abs(value) <= 180)
  const named = unreadCrs ?? (small ? undefined : vagueCrs)
  const { systems: likely, areFitting } = small
    ? { systems: [], areFitting: false }
    : likelySystems(pairs, inDegrees?.name ?? named, context)
  const which = likely.length > 0 ? listOfSystems(likely) : undefined
  const why = inDegrees
    ? `the file has grid coordinates but names ${inDegrees.name}, which is in degrees${which ? ` (theirs may be in ${which})` : ''}`
    : named
      ? `the file ${unreadCrs === undefined ? 'has the line' : 'names its reference system'} "${truncate(named, 60)}", which ${which ? `may be ${which}` : 'the EPSG register does not have'}`
      : small
        ? 'the coordinates could be metres or degrees, and the file names no reference system'
        : 'the file has grid coordinates but names no reference system'
  const fitting = inZone ? fittingOf(inZone) : []
  const [system = likely[0]?.[0] ?? usual?.codes[0] ?? 'EPSG:25833'] = fitting
  // Only the zone identifies a system: otherwise the code is an example.
  const hint =
    fitting.length > 0
      ? ` (in ${fitting.slice(0, MAX_SHOWN).join(' or ')} the points would be in their zone)`
      : `, with the code of its own system instead${usual ? `: ${usual.names}` : ''}`
  const line = `put a line such as ${system} above the header${hint}${inDegrees ? ' in its place' : `, or import with crs=${system}`}`
  const mend = hasLines ? line : `import with crs=${system}${hint}`
  const packed = small || inDegrees ? undefined : packedPair(pairs, inZone)
  const other = small
    ? '; if they are degrees, call the columns lat and lon in a header line'
    : packed
      ? `; if ${pairs[0]!.join(' and ')} are packed degrees, minutes and seconds (${packed.join(' and ')}), import with angles=dms-packed`
      : ''
  return new SurveyFileError(packed && inZone ? 'AMBIGUOUS_ANGLES' : 'UNKNOWN_CRS', `${why}: ${mend}${other}`)

  /** The systems to propose: in another than the file names, the points may be in their zone, but hundreds of metres off. */
  function fittingOf(zone: InZone): readonly string[] {
    if (areFitting) return likely.map(([code]) => code)
    if (named !== undefined && (/\d/.test(named) || hasProjection(named))) return []
    const found = fittingSystems(pairs.slice(0, 10), table.find, zone, usual?.codes)
    if (inDegrees === undefined) return found
    return found.filter((code) => {
      const crs = table.find(code)
      return typeof crs === 'object' && isSameDatum(crs.datum(), inDegrees.datum())
    })
  }
}

/** The most systems that are tried on the coordinates. */
const MAX_TRIED = 40

/** The systems that a vague name or a datum may mean: those in whose area the coordinates are, if there are any. */
function likelySystems(
  pairs: readonly Pair[],
  named: string | undefined,
  { table, inZone }: LayoutContext,
): { systems: readonly NamedSystem[]; areFitting: boolean } {
  const found = named === undefined ? [] : table.projectedLike(named)
  const fitting = found.slice(0, MAX_TRIED).filter(([code]) => {
    const crs = table.find(code)
    return typeof crs === 'object' && areMostlyIn(pairs.slice(0, 10), crs, inZone)
  })
  return fitting.length > 0 ? { systems: fitting, areFitting: true } : { systems: found, areFitting: false }
}

/**
 * The first pair as packed degrees, minutes and seconds, if all pairs can be read so and, if there is a zone, most of
 * them are in it.
 */
function packedPair(pairs: readonly Pair[], inZone: InZone | undefined) {
  const readings = [false, true].map((isNorthFirst) => {
    const order = pairs.map(([a, b]) => (isNorthFirst ? ([a, b] as const) : ([b, a] as const)))
    const form = packedFormOf(
      order.map(([latitude]) => latitude),
      order.map(([, longitude]) => longitude),
    )
    const angleOf = (value: number) => readPacked(String(value), form, '.')?.degrees ?? Number.NaN
    return order.map(([north, east], i) => ({
      pair: pairs[i]!.map(angleOf),
      latitude: angleOf(north),
      longitude: angleOf(east),
    }))
  })
  const isPlace = ({ latitude, longitude }: Place) => Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
  const isHere = (place: Place) => !inZone || inZone(place.latitude, place.longitude)
  const found = readings.find(
    (places) => places.length > 0 && places.every(isPlace) && places.filter(isHere).length * 2 > places.length,
  )?.[0]
  return found?.pair.map((degrees) => `${Math.round(degrees * 1e7) / 1e7}°`)
}

type Place = { pair: number[]; latitude: number; longitude: number }
