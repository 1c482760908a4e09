import { helpfulGrids, isCoarse } from '../../../../reference-systems/accuracy.ts'
import type { Crs } from '../../../../reference-systems/crs.ts'
import type { HeightDatum } from '../../../../reference-systems/heights/datum.ts'
import { heightDatumInHeader } from '../../../../reference-systems/heights/datum-aliases.ts'
import type { Height, Heights } from '../../../../reference-systems/heights/heights.ts'
import { SurveyFileError } from '../../errors.ts'
import type { Layout } from '../../layout/layout.ts'
import { truncate } from '../../truncate.ts'
import { exportedHeights, hasOwnDatum, isExport } from '../cairn-export.ts'
import type { SurveyPoint } from '../point.ts'
import type { Position } from '../position.ts'
import { nothing, type Row } from '../row.ts'
import { unitOf } from '../values/units.ts'

const MAX_CRS_NAME = 255
const MAX_OPERATION = 500
/** Metres above or below the datum. */
const MAX_HEIGHT = 100_000

export type PointHeights = Pick<SurveyPoint, 'h' | 'altitude' | 'heightDatum' | 'heightTransformation'>
/** `coarse` is the error of the height, if notable; `absent` the cell that says that there is none, such as `#N/A`. */
export type ReadHeights = PointHeights & { coarse?: string | undefined; absent?: string | undefined }

type Options = {
  heights: Heights
  /** The height reference if the file does not name one. */
  heightDatum: string | undefined
  maxError: number | undefined
  /** The unit of heights in a line above the table. */
  unitAbove?: number | undefined
  /** Whether people wrote the header: a plain `h` may have any reference. */
  isFreeTable: boolean
}

/** Values that programs write for a missing height: -9999, -99999, and the minimum of 16-bit integers. */
const NO_HEIGHT = /^-(?:9{4,6}|3276[78])(?:[.,]0*)?$/

const none: PointHeights = { h: null, altitude: null, heightDatum: null, heightTransformation: null }

/** Reads the heights of one file. @throws SurveyFileError UNKNOWN_HEIGHT_DATUM for an invalid option */
export function heightReader(
  { columns, kind, heightDatum: namedAbove }: Layout,
  { heights, maxError, isFreeTable, unitAbove, ...option }: Options,
) {
  const { heightDatum: asked } = option
  const given = asked === undefined ? undefined : heights.find(asked)
  if (typeof given === 'string') throw new SurveyFileError('UNKNOWN_HEIGHT_DATUM', `heightDatum: ${given}`)
  const above = namedAbove === undefined ? undefined : found(namedAbove)
  // Its z is a coordinate.
  const isGeocentric = kind === 'geocentric'
  // Formats other than free tables define their h.
  const isBare = isFreeTable && /^\W*h\W*$/i.test((columns.h?.[0]?.name ?? '').replace(/[([][^()[\]]*[)\]]/g, ''))
  const sentences = new Map<string, string | undefined>()

  function found(text: string): HeightDatum | undefined {
    const datum = heights.find(text)
    return typeof datum === 'string' ? undefined : datum
  }

  /**
   * An ellipsoidal height is `h`. One above the sea is kept as `altitude` and converted to `h` by a geoid. One of
   * unknown reference is `altitude` only. Metres.
   */
  return (row: Row, crs: Crs | undefined, position: Position | undefined): ReadHeights => {
    if (isExport(columns)) return exportedHeights(row)
    for (const role of ['h', 'altitude', 'z'] as const)
      if (NO_HEIGHT.test(row.cell(role)))
        row.fault(
          role,
          'NOT_A_NUMBER',
          `${role} "${row.cell(role)}" means no height in many programs: leave the cell empty`,
        )
    const declared = datumOf(row) ?? crs?.heights ?? above ?? given
    const unit = heightUnit(row, columns, crs, unitAbove)
    const seaUnit =
      crs?.heights || (declared !== undefined && declared === given && (asked?.includes(':') || declared.unit !== 1))
        ? (unit.named ?? declared?.unit ?? 1)
        : unit.any
    const isDeclared = isBare && declared !== undefined && row.cell('altitude') === ''
    const ellipsoidal = position?.h ?? (isDeclared ? null : lengthOf(row, 'h', unit.any))
    const altitude = lengthOf(row, 'altitude', seaUnit)
    if (ellipsoidal !== null) return { ...none, h: ellipsoidal, altitude, heightDatum: 'ellipsoid' }
    const other =
      (isDeclared ? lengthOf(row, 'h', seaUnit) : null) ??
      (isGeocentric ? null : lengthOf(row, 'z', seaUnit)) ??
      inDatumUnit(position, declared)
    const role = altitude !== null ? 'altitude' : isDeclared && row.cell('h') !== '' ? 'h' : 'z'
    const measured = altitude ?? other
    if (measured === null)
      return { ...none, absent: (['h', 'altitude', 'z'] as const).map(row.cell).find((cell) => cell !== '') }
    const inHeader = heightDatumInHeader(row.column(role)?.name ?? '')
    const datum = (inHeader && found(inHeader)) || declared || found(altitude !== null ? 'orthometric' : 'unknown')!
    const metres = datum.isDepth ? -measured : measured
    if (datum.name === 'ellipsoid') return { ...none, h: metres, heightDatum: datum.name }
    const kept = { ...none, altitude: metres, heightDatum: datum.name }
    if (datum.name === 'unknown' || !position) return kept
    return brought(row, role, kept, datum, position)
  }

  /** The height reference that the row names. In a column of another program, one that is not known is a warning. */
  function datumOf(row: Row): HeightDatum | undefined {
    const cell = row.column('heightDatum') ? row.cell('heightDatum') : ''
    if (nothing.test(cell)) return undefined
    const datum = heights.find(cell)
    if (typeof datum === 'object') return datum
    if (hasOwnDatum(columns)) row.fault('heightDatum', 'UNKNOWN_HEIGHT_DATUM', datum)
    else row.warnings.push({ code: 'HEIGHT_DATUM_UNKNOWN', message: datum })
    return found('unknown')
  }

  function brought(
    row: Row,
    role: 'h' | 'altitude' | 'z',
    kept: PointHeights & { altitude: number | null },
    datum: HeightDatum,
    { latitude, longitude }: Position,
  ): ReadHeights {
    const height = heights.aboveEllipsoid(datum, latitude, longitude, kept.altitude!)
    if (height && maxError !== undefined && height.operation.accuracy! > maxError) {
      const message = `${sentenceOf(datum, height, latitude, longitude)}; maxError is ${maxError}`
      row.fault(role, 'HEIGHT_ACCURACY', message)
    }
    const isNotable = !height || isCoarse(height.operation)
    const coarse = isNotable ? sentenceOf(datum, height, latitude, longitude) : undefined
    if (!height) return { ...kept, coarse }
    const { name, accuracy } = height.operation
    return {
      ...kept,
      h: height.h,
      heightTransformation: { operation: truncate(name, MAX_OPERATION), accuracy },
      coarse,
    }
  }

  /** Reported once for each datum and model, with the grids that would be better. */
  function sentenceOf(datum: HeightDatum, height: Height | undefined, latitude: number, longitude: number): string {
    const key = `${datum.name} ${height?.operation.name}`
    const known = sentences.get(key)
    if (known !== undefined) return known
    const missing = heights.missing(datum, latitude, longitude)
    const sentence = heightSentence(datum, height, helpfulGrids(missing, heights.unusable(missing)))
    sentences.set(key, sentence)
    return sentence
  }
}

/** A height in metres. One that is farther from the ground than any survey is in another unit, or is an error. */
function lengthOf(row: Row, role: 'h' | 'altitude' | 'z', unit: number): number | null {
  const metres = row.length(role, unit)
  if (metres === null || Math.abs(metres) <= MAX_HEIGHT) return metres
  const message = `${role} "${truncate(row.cell(role), 60)}" is ${Math.round(metres / 1000)} km: correct it or its unit`
  row.fault(role, 'NOT_A_NUMBER', message)
  return null
}

/** A third coordinate in the cell of a position, in the unit of its height reference. */
const inDatumUnit = (position: Position | undefined, declared: HeightDatum | undefined): number | null =>
  position?.z === undefined || position.h !== undefined ? null : position.z * (declared?.unit ?? 1)

function heightSentence(datum: HeightDatum, height: Height | undefined, grids: string): string {
  const above =
    datum.name === 'orthometric'
      ? 'heights above the sea, of a datum that the file does not name,'
      : `heights above ${datum.title}${datum.name === datum.title ? '' : ` (${datum.name})`}`
  if (!height)
    return `${above} cannot be converted to ellipsoidal heights: they are kept as altitude, and the points have no height above the ellipsoid${grids}`
  const mend = datum.name === 'orthometric' ? '; name the datum with heightDatum=' : grids
  return `${above} were converted to ellipsoidal heights by "${height.operation.name}", which is accurate to ${height.operation.accuracy} m here${mend}`
}

/** The unit of heights without one in their column: of the row's compound system, of a column, of a line above, of its grid. */
function heightUnit(row: Row, columns: Layout['columns'], crs: Crs | undefined, above: number | undefined) {
  const inName = columns.crs ? verticalUnit(row.cell('crs')) : undefined
  const antenna = columns.heightUnit ? unitOf(row.cell('heightUnit')) : undefined
  const named = inName ?? antenna ?? above
  return { named, any: named ?? (crs?.kind === 'projected' ? crs.unit : 1) }
}

/**
 * The unit in the name of a compound system, such as `… (ftUS) + NAVD88 height (ftUS)`: the last bracket with a unit.
 */
function verticalUnit(crsName: string): number | undefined {
  if (crsName.length > MAX_CRS_NAME) return undefined
  return [...crsName.matchAll(/\(([^()]*)\)/g)]
    .map((match) => unitOf(match[1]!))
    .filter((unit) => unit !== undefined)
    .at(-1)
}
