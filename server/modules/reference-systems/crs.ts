import { truncate } from '../surveys/parser/truncate.ts'
import { accuracySentence, isCoarse, neededGrids, refusalReason } from './accuracy.ts'
import { type AxesOrder, axesOrder, fromSurveyorsAxes, utmZoneOf } from './axis-order.ts'
import { boundedChoices, type NamedSystem, unreadReason } from './crs-choices.ts'
import { crsNameOf, crsTextOf } from './crs-text.ts'
import { missingGrids } from './grids/missing-grids.ts'
import type { HeightDatum } from './heights/datum.ts'
import { type Heights, heightsOf } from './heights/heights.ts'
import { heightsIn } from './heights/third-axis.ts'
import { type Datum, datumOf, isModern, isSatelliteDatum } from './horizontal-datum.ts'
import { type Proj, proj } from './proj/library.ts'
import { systemNames } from './proj/names.ts'
import { type Operation, type Transformation, transformation } from './proj/operations.ts'
import { identifiedArea, MAX_TEXT, readSystem } from './proj/read-system.ts'
import { type Axis, type System, systemAt } from './proj/systems.ts'
import { codeOf, unknownHeights, withHeights } from './system-code.ts'
import { unreliableReason, withoutFalseAccuracy } from './unreliable-systems.ts'
import { utmArea } from './utm-area.ts'

export type { Axis, Operation }

/** A position on WGS84, and the operation to it. Only geocentric coordinates give `h`, in metres. */
export type Located = { longitude: number; latitude: number; h: number; operation: Operation }

/** A coordinate reference system with a transformation to WGS84. */
export type Crs = {
  /** Its code, `EPSG:25833` or `EPSG:25833+7837`, or its name. */
  name: string
  kind: 'geographic' | 'projected' | 'geocentric'
  /** Metres per unit; 1 for degrees too. */
  unit: number
  /** Degrees per unit of its angles. */
  turn: number
  /** Area of use: west, south, east, north; west > east crosses the antimeridian. */
  area: readonly number[] | undefined
  /** The axes in the order of the register. */
  axes: readonly Axis[]
  /** Converts between easting and northing and the registered axes, in the registered units. */
  order: AxesOrder
  /** Code or name of the vertical part. */
  vertical: string | undefined
  /** Its geodetic datum. */
  datum: () => Datum
  /** The reference of the third coordinate, if the system defines it. */
  heights: HeightDatum | undefined
  /** Its zone with the hemisphere, `33N`, if it is one of UTM. */
  utmZone: string | undefined
  /** The name of the system with the same datum and heights in another zone of UTM; it may not exist. */
  inUtmZone: (zone: string) => string | undefined
  /** Whether surveyors use X for the northing, but most programs for the easting. */
  northingIsX: boolean
  /**
   * Transforms easting (or longitude in degrees) and northing (or latitude) to WGS84; geocentric coordinates with z. Undefined
   * if there is no result.
   */
  toWgs84: (x: number, y: number, z?: number) => Located | undefined
  /** The inverse: easting and northing in the system's units, or degrees. Undefined if there is no result. */
  fromWgs84: (
    longitude: number,
    latitude: number,
    h?: number,
  ) => { x: number; y: number; z: number; operation: Operation } | undefined
  /** The reason why an operation may not be used for this file, or undefined. */
  refusal: (operation: Operation) => string | undefined
  /** Its definition as WKT 2 (ISO 19162:2019). */
  wkt: () => string
  /**
   * Describes the accuracy of an operation at a place, and the grids that would improve it there; undefined if it is not
   * notable.
   */
  coarseness: (operation: Operation, longitude: number, latitude: number) => string | undefined
  /** The grid files that would improve on an accuracy at a place, as a sentence; undefined if there are none. */
  needs: (accuracy: number | null, longitude: number, latitude: number) => string | undefined
}

export type CrsTable = {
  /**
   * @returns the system of a code (`EPSG:25832+7837`), a PROJ string, a WKT, a PROJJSON or a name, or the reason why it
   * cannot be used
   */
  find: (text: string) => Crs | string
  /** @returns the kind of a system that PROJ knows and `find` refuses; undefined for any other text */
  refusedKind: (text: string) => Crs['kind'] | undefined
  /**
   * Parses the system that a line of a file names, in a form that `find` accepts; undefined if there is none. A name must be
   * in the register; without a label it also needs a digit, a slash or the word Grid, because Tokyo and Lisbon are names of systems too.
   */
  namedIn: (line: string) => string | undefined
  /** The projected systems that a name which is none may mean, or that have the datum of a system; for proposals only. */
  projectedLike: (text: string) => readonly NamedSystem[]
  /** Converts heights above the sea to heights above the ellipsoid. */
  heights: Heights
  /** Frees PROJ's objects of the found systems, which must not be used afterwards. */
  close: () => void
}

/** Systems in which surveyors and programs use X differently although the register's axes do not show it. */
const NORTHING_IS_X = /Krovak/

/** Maximum number of cached systems: a file may name one in each row. */
const MAX_READY = 100

/** PJ_WKT_TYPE of proj.h. */
const WKT2_2019 = 2

type CrsTableOptions = {
  /** Maximum error of the transformation to WGS84 in metres; without it, only operations without a datum shift are refused. */
  maxError?: number | undefined
  /** The system of the request. Its heights must be in the register; unknown ones of lines and cells are left out. */
  given?: string | undefined
  /** Directory of PROJ's grid files when the process first loads it; by default, `CAIRN_GRIDS` of the environment. */
  gridFolder?: string
}

/** The reference systems that PROJ knows, for one file. */
export async function loadCrsTable({ maxError, given, gridFolder }: CrsTableOptions = {}): Promise<CrsTable> {
  const library = await proj(gridFolder)
  const known = new Map<string, Built | Refused>()
  const namedIn = (line: string): string | undefined => {
    const text = crsTextOf(line)
    if (text !== undefined) return text
    const named = crsNameOf(line)
    return named && (named.labelled || /[\d/]|\b(?:grid|mercator)$/i.test(named.name))
      ? codeOf(library, named.name)
      : undefined
  }
  const heights = heightsOf(library)
  const projectedLike = boundedChoices((text) => systemNames(library).projectedLike(text))
  const madeOf = (text: string): Built | Refused => {
    const earlier = known.get(text)
    if (earlier) return earlier
    const code = /^\d{4,6}$/.test(text) ? `EPSG:${text}` : undefined
    const system = code ?? namedIn(text) ?? codeOf(library, text) ?? text
    const whole = withHeights(library, text, system) ?? (text === given ? undefined : system)
    const made: Built | Refused =
      whole === undefined
        ? { reason: unknownHeights(text), kind: undefined }
        : build(library, whole, maxError, projectedLike)
    if (known.size >= MAX_READY) {
      const [oldest, system] = known.entries().next().value!
      if (!isRefused(system)) system.close()
      known.delete(oldest)
    }
    if (text.length <= MAX_TEXT) known.set(text, made)
    return made
  }
  return {
    namedIn,
    projectedLike,
    heights,
    find(text) {
      const made = madeOf(text)
      return isRefused(made) ? made.reason : made.crs
    },
    refusedKind(text) {
      const made = madeOf(text)
      return isRefused(made) ? made.kind : undefined
    },
    close() {
      for (const made of known.values()) if (!isRefused(made)) made.close()
      known.clear()
      heights.close()
    },
  }
}

type Built = { crs: Crs; close: () => void }
/** The reason why a system cannot be used, and its kind if PROJ knows it. */
type Refused = { reason: string; kind: Crs['kind'] | undefined }

const isRefused = (made: Built | Refused): made is Refused => 'reason' in made

function build(
  library: Proj,
  text: string,
  maxError: number | undefined,
  projectedLike: CrsTable['projectedLike'],
): Built | Refused {
  const whole = readSystem(library, text)
  if (!whole) return { reason: unreadReason(text, projectedLike(text)), kind: undefined }
  const plane = whole.kind === 'compound' ? systemAt(library, whole.parts[0]!) : whole
  const vertical = whole.kind === 'compound' ? systemAt(library, whole.parts[1]!) : undefined
  if (!plane || plane.kind === 'vertical' || plane.kind === 'compound')
    return {
      reason: `"${truncate(text, 80)}" has no plane coordinates: name a projected or geographic reference system`,
      kind: undefined,
    }
  const name = nameOf(text, plane, vertical)
  const otherwise = unreliableReason(plane)
  const refusedFor = (reason: string): Refused => ({
    reason: `${name} (${plane.name}) cannot be ${reason}`,
    kind: plane.kind as Crs['kind'],
  })
  if (otherwise) return refusedFor(`used: ${otherwise}`)
  const is3d = plane.kind === 'geocentric'
  const target = library.number('proj_create', library.context, is3d ? 'EPSG:4979' : 'EPSG:4326')
  let ready: Transformation | undefined
  // An evicted system stays usable for its holders.
  const way = (): Transformation => {
    ready ??= transformation(library, plane.pointer, target)
    return ready
  }
  const lacking = missingGrids(library, way)
  const close = () => {
    ready?.close()
    ready = undefined
  }
  const operations = way().operations.map(asStated)
  if (operations.length === 0) {
    const refusal = refusedFor(
      `transformed to WGS84${lacking.help()}; export the points as latitude and longitude instead`,
    )
    close()
    return refusal
  }
  const refused = operations.map((operation) => refusalReason(operation, maxError))
  if (refused.every(Boolean)) {
    const refusal = refusedFor(`used: ${refused[0]}${lacking.help()}`)
    close()
    return refusal
  }
  const order = axesOrder(plane)
  const figures = fromSurveyorsAxes(plane)
  const turn = plane.kind === 'geographic' ? (plane.axes[0]?.unit ?? 1) : 1
  return {
    close,
    crs: {
      name,
      kind: plane.kind,
      unit: plane.kind === 'projected' ? (plane.axes[0]?.unit ?? 1) : 1,
      turn,
      area: plane.area ?? utmArea(text) ?? identifiedArea(library, plane),
      axes: plane.axes,
      order,
      vertical: vertical && (vertical.id ?? vertical.name),
      datum: () => datumOf(library, plane),
      heights: heightsIn(library, plane, vertical),
      utmZone: utmZoneOf(plane),
      inUtmZone(zone) {
        const other = plane.name.replace(/\b(UTM zone )\d{1,2}[NS]/i, `$1${zone}`)
        if (plane.isBound || other === plane.name) return undefined
        return vertical ? `${other} + ${vertical.name}` : other
      },
      northingIsX:
        plane.kind === 'projected' &&
        (NORTHING_IS_X.test(plane.name) ||
          (/^x$/i.test(plane.axes[0]!.abbreviation) && plane.axes[0]!.direction === 'north')),
      toWgs84(x, y, z) {
        const values = is3d ? [x, y, z ?? 0] : order.toAxes(...figures(x / turn, y / turn))
        const found = values.every(Number.isFinite) ? way().forward(values) : undefined
        if (!found) return undefined
        const [latitude, longitude, h] = found.coordinates as [number, number, number]
        return { longitude, latitude, h, operation: asStated(found.operation) }
      },
      fromWgs84(longitude, latitude, h = 0) {
        const found = way().inverse([latitude, longitude, h])
        if (!found) return undefined
        const { x, y } = order.fromAxes(found.coordinates)
        return { x: x * turn, y: y * turn, z: found.coordinates[2]!, operation: asStated(found.operation) }
      },
      refusal: (operation) => refusalReason(operation, maxError),
      wkt: () => library.text('proj_as_wkt', library.context, plane.pointer, WKT2_2019, 0) ?? '',
      coarseness(operation, longitude, latitude) {
        if (!isCoarse(operation)) return undefined
        const better = lacking.betterAt(operation.accuracy, longitude, latitude)
        return accuracySentence(name, operation, better, lacking.unusable(better))
      },
      needs(accuracy, longitude, latitude) {
        const better = lacking.betterAt(accuracy, longitude, latitude)
        return better.length === 0 ? undefined : neededGrids(name, { accuracy, isBallpark: false }, better)
      },
    },
  }

  /** A text may define its own datum of satellite geodesy. That of a code is as near, but has no known operation. */
  function asStated(found: Operation): Operation {
    const operation = withoutFalseAccuracy(found)
    if (!operation.isBallpark) return operation
    const isOwnModern = !IS_CODE.test(text) && isModern(plane!)
    return isOwnModern || isSatelliteDatum(plane!)
      ? { ...operation, isBallpark: !isOwnModern, accuracy: MODERN_DATUM_METRES }
      : operation
  }
}

const IS_CODE = /^[A-Z_]+:\w+(?:\+\w+)?$/
const MODERN_DATUM_METRES = 5

function nameOf(text: string, plane: System, vertical: System | undefined): string {
  if (IS_CODE.test(text)) return text
  const id = plane.isBound ? undefined : plane.id
  const base = id ?? (text.startsWith('+') ? truncate(text, 100) : truncate(plane.name, 100))
  if (!vertical) return base
  return id && vertical.id?.startsWith('EPSG:')
    ? `${base}+${vertical.id.slice(5)}`
    : `${base} + ${truncate(vertical.name, 100)}`
}
