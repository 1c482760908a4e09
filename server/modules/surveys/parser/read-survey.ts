import { type CrsTable, loadCrsTable } from '../../reference-systems/crs.ts'
import { crsNameOf } from '../../reference-systems/crs-text.ts'
import { heightDatumIn } from '../../reference-systems/heights/datum-aliases.ts'
import { type Detected, describe } from './detection.ts'
import { LayerChoice, type RowError, SurveyFileError, type WarningCode } from './errors.ts'
import { formats } from './formats/index.ts'
import { anglePartsOf, joinAngles } from './layout/angles/parts.ts'
import { detectLayout } from './layout/detect-layout.ts'
import { applyHeaderOverride, isHeaderLike } from './layout/header-override.ts'
import type { InZone, Layout, LayoutContext } from './layout/layout.ts'
import { isExport } from './rows/cairn-export.ts'
import { pointReader, type SurveyPoint } from './rows/point.ts'
import { admission, fieldsOf, isAside, raggedFault } from './rows/rows.ts'
import { peekHead, peekRecords, startingWith } from './sampling.ts'
import type { FormatOptions, NamedSystems, SurveyFormat, SurveyRecord, SurveyTable } from './table.ts'
import { transformationCounts } from './transformation-counts.ts'

export type { Detected }

export type SurveyOptions = {
  /** The reference system of the coordinates when the file names none, as `EPSG:n`. */
  crs?: string | undefined
  /** The header line to read the file by, in its own delimiter: in place of its own, or on top of a file without one. */
  header?: string | undefined
  /** The layer or sheet to read, of a file that holds several. */
  layer?: string | undefined
  /** How figures under latitude and longitude are meant, where the file leaves it open. */
  angles?: 'decimal' | 'dms-packed' | undefined
  /** Metres that the way to WGS84 may be off. */
  maxError?: number | undefined
  /** What heights are above where the file does not say so. */
  heightDatum?: string | undefined
  /** Whether a point lies in the zone the file is for: settles axis order, and what lies outside is warned of. */
  inZone?: InZone
  maxBytes?: number
  maxRows?: number
  /** Lines of the file, empty ones too. */
  maxLines?: number
  maxColumns?: number
}

/**
 * What reading gives, in the file's order. `row` counts data rows from 1, `line` is the line the row begins on. A
 * `repeat` is a further photo of a point already given, a `notice` concerns the whole file (gcp_list.txt); an encoding that turns out wrong late in the
 * file comes as a warning at the end.
 */
export type SurveyItem =
  | { kind: 'detected'; detected: Detected }
  | { kind: 'point'; row: number; line: number; point: SurveyPoint }
  | { kind: 'repeat'; row: number; line: number; title: string }
  | { kind: 'faulty'; row: number; line: number; title: string | null; faults: RowError[] }
  | { kind: 'warning'; row: number; line: number; code: WarningCode; message: string }
  | { kind: 'notice'; code: WarningCode; message: string }

const UNKNOWN_HEIGHTS =
  'nothing says what the heights are above: they stay altitude, and the points have no height above the ellipsoid; name it with heightDatum=, such as ellipsoid, EGM96 or EPSG:7837'

const MEBIBYTE = 1024 * 1024

/**
 * Reads a file of survey points as tools and people write them: CSV with any usual delimiter, decimal sign, encoding
 * and header language, exports of survey controllers, lists made for photogrammetry. Coordinates come out in WGS84.
 * A row that cannot be read is given with its faults and does not stop the others. Holds a sample of 64 KiB and a
 * hash of each title; the rest streams.
 * @throws SurveyFileError when the file as a whole cannot be read, also in mid-file (a quote never closed, a limit).
 */
export async function* readSurvey(
  bytes: AsyncIterable<Uint8Array>,
  options: SurveyOptions = {},
): AsyncGenerator<SurveyItem, void, undefined> {
  const { maxBytes = 50 * MEBIBYTE, maxRows = 200_000, maxLines = 400_000, maxColumns = 64 } = options
  const { head, whole } = await peekHead(bytes)
  const format = formats.find(({ detects }) => detects(head, head.toString('latin1')))!
  const { header, layer } = options
  const limits = { header, layer, maxBytes, maxRows, maxLines, maxColumns }
  const { source, systems, records, notices } = yield* opened(format, whole, limits)
  const { first: found, rest } = await peekRecords(records)
  const delimiter = source.delimiter ?? ','
  const { first: top, own, notices: replaced } = applyHeaderOverride(found, header)
  const parts = anglePartsOf(top)
  const joined = (fields: string[]) => (parts ? joinAngles(fields, parts) : fields)
  const first = parts ? top.map((record) => ({ ...record, fields: joined(record.fields) })) : top
  const table = await loadCrsTable({ maxError: options.maxError })
  const context = {
    ...systemNamed(systems, options.crs, table),
    table,
    inZone: options.inZone,
    delimiter,
    hasLines: source.delimiter !== null,
    angles: options.angles,
    parts,
  }
  const { layout, fault } = triedLayout(first, context)
  const hasHeader = first[0] !== undefined && isHeaderLike(first[0])
  const detected = describe({ source, first }, layout, hasHeader)
  yield { kind: 'detected', detected }
  if (!layout) throw fault
  for (const { code, message } of [...replaced, ...layout.notices]) yield notice(code, message)
  if (!layout.columns.title)
    yield notice(
      'TITLES_MADE',
      'the file has no column of titles: its points are named GCP 1, GCP 2 and so on, by their order',
    )
  if (layout.perPhoto) yield notice('IMAGE_POSITIONS_NOT_KEPT', 'the positions of the points in photos are not kept')

  const { inZone, heightDatum, maxError } = options
  const read = pointReader(layout, { table, inZone, heightDatum, maxError, isFreeTable: source.format === 'csv' })
  const admit = admission(layout)
  // Under a header that was given, the file's own may stand above each of its parts too.
  const headers = layout.header ? [top[0]!, ...(own ? [own] : [])].map(({ fields }) => joined(fields)) : []
  let row = 0
  const ways = transformationCounts()
  const isPerRow = layout.columns.crs !== undefined
  for await (const { fields: cut, line, fault: unfit, isRepeat, title = null } of startingWith(
    top.slice(layout.above),
    rest,
  )) {
    const fields = fieldsOf(joined(cut), layout)
    if (!unfit && !isRepeat && isAside(fields, layout, headers)) continue
    row++
    if (row > maxRows) throw new SurveyFileError('TOO_MANY_ROWS', `the file has more than ${maxRows} rows`, line)
    if (isRepeat) {
      yield { kind: 'repeat', row, line, title: title ?? '' }
      continue
    }
    const ragged = unfit ?? raggedFault(fields, layout)
    if (ragged) {
      yield { kind: 'faulty', row, line, title, faults: [ragged] }
      continue
    }
    const reading = read(fields)
    if ('faults' in reading) {
      yield { kind: 'faulty', row, line, title: reading.title, faults: reading.faults }
      continue
    }
    const verdict = admit(reading.point, row)
    if (verdict === 'repeat') yield { kind: 'repeat', row, line, title: reading.point.title }
    else if (verdict) yield { kind: 'faulty', row, line, title: reading.point.title, faults: [verdict] }
    else {
      for (const { code, message } of reading.warnings) yield { kind: 'warning', row, line, code, message }
      const isFirst = ways.add(reading.point)
      // What concerns the whole file is said once; of a row that goes another way, or names its own system, with the row.
      const said = [
        { code: 'CRS_ACCURACY', message: reading.coarse, isFirst: isFirst.place, ways: ways.transformations.length },
        { code: 'HEIGHT_ACCURACY', message: reading.coarseHeight, isFirst: isFirst.height, ways: ways.coarseHeights },
      ] as const
      for (const { code, message, isFirst, ways } of said) {
        if (message === undefined) continue
        if (isPerRow || ways > 1) yield { kind: 'warning', row, line, code, message }
        else if (isFirst) yield notice(code, message)
      }
      if (isFirst.height && reading.point.heightDatum === 'unknown' && reading.point.h === null)
        yield notice('HEIGHT_DATUM_UNKNOWN', UNKNOWN_HEIGHTS)
      yield { kind: 'point', row, line, point: reading.point }
    }
  }
  if (row === 0 && !isExport(layout.columns)) {
    throw new SurveyFileError('EMPTY_FILE', 'the file has no rows below its header')
  }
  for (const { code, message } of notices?.() ?? []) yield notice(code, message)
  const { transformations, heights } = ways
  if (transformations.length + heights.length > 0)
    yield { kind: 'detected', detected: { ...detected, transformations, heights } }
}

/** The table of a file. Of one in which several layers could be meant, their names are given before it is refused. */
async function* opened(
  format: SurveyFormat,
  bytes: AsyncIterable<Uint8Array>,
  options: FormatOptions,
): AsyncGenerator<SurveyItem, SurveyTable, undefined> {
  try {
    return await format.read(bytes, options)
  } catch (error) {
    if (error instanceof LayerChoice) {
      const source = { format: format.name, delimiter: null, encoding: null, layer: null, layers: error.layers }
      yield { kind: 'detected', detected: describe({ source, first: [] }, undefined, false) }
    }
    throw error
  }
}

/** The reference system the lines above the table name, or else the caller; and the name of one that is not known. */
function systemNamed(prelude: NamedSystems, crs: string | undefined, table: CrsTable) {
  const line = prelude.titles.find((title) => table.namedIn(title) !== undefined)
  // A line that names WGS84 may name the datum only, and another the projection.
  const byName = line === undefined ? undefined : table.namedIn(line)
  const byCode = prelude.crs === 'EPSG:4326' ? (byName ?? prelude.crs) : prelude.crs
  const crsText = byCode ?? byName ?? crs
  const labelled = prelude.titles.map(crsNameOf).find((named) => named?.labelled)
  return {
    crsText,
    unreadCrs: crsText === undefined ? labelled?.name : undefined,
    heightDatum: [prelude.crsLine ?? '', ...prelude.titles].map(heightDatumIn).find(Boolean),
  }
}

const notice = (code: WarningCode, message: string): SurveyItem => ({ kind: 'notice', code, message })

/** The layout of the table, or the fault for which it is refused. */
function triedLayout(first: SurveyRecord[], context: LayoutContext): { layout?: Layout; fault?: unknown } {
  try {
    return { layout: detectLayout(first, context) }
  } catch (fault) {
    return { fault }
  }
}
