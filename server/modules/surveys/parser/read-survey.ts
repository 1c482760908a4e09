import { loadCrsTable } from '../../reference-systems/crs.ts'
import { type Detected, describe } from './detection.ts'
import { LayerChoice, type RowError, SurveyFileError, type WarningCode } from './errors.ts'
import { isSpaces } from './formats/delimited/delimiter.ts'
import { formats } from './formats/index.ts'
import { anglePartsOf, beside, doubtedSeconds, joinAngles } from './layout/angles/parts.ts'
import { appliedUnits } from './layout/header/applied-units.ts'
import { refuseGround } from './layout/header/ground-coordinates.ts'
import { applyHeaderOverride, isHeaderLike } from './layout/header-override.ts'
import type { InZone, Layout } from './layout/layout.ts'
import { refuseTwoSystems } from './layout/systems/two-systems.ts'
import { refuseUnreadDatum } from './layout/systems/unread-datum.ts'
import { utmSplitter } from './layout/utm/reference-cells.ts'
import { isExport } from './rows/cairn-export.ts'
import { type Box, boxOf, exchangeCheck } from './rows/exchange-check.ts'
import { farCheck } from './rows/far-check.ts'
import { absentHeights } from './rows/heights/absent-heights.ts'
import { replacedDatum } from './rows/heights/replaced-datum.ts'
import { pointReader, type SurveyPoint } from './rows/point.ts'
import { admission, fieldsOf, isComment, isRepeatedHeader, raggedFault } from './rows/rows.ts'
import { laterSystems } from './rows/skipped/later-systems.ts'
import { withoutRulers } from './rows/skipped/rulers.ts'
import { secondHeader } from './rows/skipped/second-header.ts'
import { unitAbove } from './rows/values/units.ts'
import { peekFile, peekRecords, startingWith } from './sampling.ts'
import type { FormatOptions, SurveyFormat, SurveyTable } from './table.ts'
import { transformationCounts } from './transformation-counts.ts'
import { systemNamed, triedLayout } from './tried-layout.ts'
import { truncate } from './truncate.ts'

export type { Detected }

export type SurveyOptions = {
  /** The reference system of the coordinates if the file names none, as `EPSG:n`. */
  crs?: string | undefined
  /** A header line in its own delimiter, which replaces the file's or is added on top. */
  header?: string | undefined
  /** The layer or sheet to read, for formats with several. */
  layer?: string | undefined
  /** The form of latitudes and longitudes if the file is ambiguous. */
  angles?: 'decimal' | 'dms-packed' | undefined
  /** Maximum error of the transformation to WGS84, in metres. */
  maxError?: number | undefined
  /** The height reference if the file does not name one. */
  heightDatum?: string | undefined
  /** Whether to read rows that are only valid with swapped axes by exchanging them, with a warning. */
  swapAxes?: boolean | undefined
  /** Whether a point is in the zone of the import: decides the axis order; points outside give a warning. */
  inZone?: InZone
  /** The box of the zone's other points: finds exchanged latitudes and longitudes without a boundary. */
  nearby?: Box | undefined
  maxBytes?: number
  maxRows?: number
  /** Maximum lines of the file, including empty ones. */
  maxLines?: number
  maxColumns?: number
}

/**
 * The results of reading, in file order. `row` counts data rows from 1, `line` is the line where the row begins. A
 * `repeat` is a further photo of a point (gcp_list.txt), a `notice` concerns the whole file; an encoding that turns out
 * wrong late is a notice at the end.
 */
export type SurveyItem =
  | { kind: 'detected'; detected: Detected }
  | { kind: 'point'; row: number; line: number; point: SurveyPoint }
  | { kind: 'repeat'; row: number; line: number; title: string }
  | { kind: 'faulty'; row: number; line: number; title: string | null; faults: RowError[] }
  | { kind: 'warning'; row: number; line: number; code: WarningCode; message: string }
  | { kind: 'notice'; code: WarningCode; message: string }

/** @param named the unknown name of the vertical datum in the file */
const unknownHeights = (named: string | undefined): string =>
  `the ${named === undefined ? 'height reference is unknown' : `vertical datum "${truncate(named, 60)}" is not known`}: heights are kept as altitude, and the points have no height above the ellipsoid; name it with heightDatum=, such as ellipsoid, EGM96 or EPSG:7837`

const MEBIBYTE = 1024 * 1024
/** Formats whose columns are a person's, not those of a program. */
const TABLES = ['csv', 'xlsx', 'ods']

/**
 * Reads a file of survey points as tools and people write them: CSV with any common delimiter, decimal separator,
 * encoding and header language, exports of survey controllers, photogrammetry lists. Returns WGS84 coordinates. An
 * invalid row is returned with its errors and does not stop the others. Holds a sample of 64 KiB and a hash of each
 * title; the rest streams.
 * @throws SurveyFileError if the whole file cannot be read, possibly after some rows (an unclosed quote, a limit)
 */
export async function* readSurvey(
  bytes: AsyncIterable<Uint8Array>,
  options: SurveyOptions = {},
): AsyncGenerator<SurveyItem, void, undefined> {
  const { maxBytes = 50 * MEBIBYTE, maxRows = 200_000, maxLines = 400_000, maxColumns = 64 } = options
  const { head, whole, encoding } = await peekFile(bytes)
  const format = formats.find(({ detects }) => detects(head, head.toString('latin1')))!
  const { header, layer, swapAxes = false } = options
  const limits = { header, layer, crs: options.crs, maxBytes, maxRows, maxLines, maxColumns }
  const { source: written, systems, usual, records, notices } = yield* opened(format, whole, limits)
  const source = { ...written, encoding: written.encoding && (encoding ?? written.encoding) }
  const { first: found, rest } = await peekRecords(records)
  const delimiter = source.delimiter ?? ','
  const { first: top, own, notices: replaced } = applyHeaderOverride(found, header)
  const parts = anglePartsOf(top)
  const isTable = TABLES.includes(source.format)
  const split = parts || !isTable ? undefined : utmSplitter(top, isSpaces(delimiter))
  const joined = (fields: string[]) => (parts ? joinAngles(fields, parts) : (split?.cut(fields) ?? fields))
  const first = parts || split ? top.map((record) => ({ ...record, fields: joined(record.fields) })) : top
  const table = await loadCrsTable({ maxError: options.maxError, given: options.crs })
  const named = systemNamed(systems, options.crs, table)
  const context = {
    ...named,
    // WGS 84 is the datum of the zones.
    crsText: split && named.crsText === 'EPSG:4326' ? undefined : named.crsText,
    // The option goes before the field of a format, which programs fill with a default.
    heightDatum: options.heightDatum && systems.vertical !== undefined ? undefined : named.heightDatum,
    table,
    inZone: options.inZone,
    delimiter,
    hasLines: source.delimiter !== null,
    isTable,
    isSheet: isTable && source.format !== 'csv',
    angles: options.angles,
    parts,
    references: split,
    usual,
  }
  const { layout, fault } = triedLayout(first, context, systems.titles, options.crs)
  const hasHeader = first[0] !== undefined && isHeaderLike(first[0])
  const detected = describe({ source, first }, layout, hasHeader)
  yield { kind: 'detected', detected }
  if (!layout) {
    for (const { code, message } of notices?.() ?? []) yield notice(code, message)
    throw fault
  }
  refuseGround(layout, systems.titles)
  refuseTwoSystems(layout, systems, context)
  refuseUnreadDatum(layout, systems, table)
  for (const { code, message } of [...replaced, ...doubtedSeconds(parts ?? []), ...layout.notices])
    if (!swapAxes || code !== 'AXES_SWAPPED') yield notice(code, message)
  if (!layout.columns.title)
    yield notice(
      'TITLES_MADE',
      'the file has no column of titles: its points are named GCP 1, GCP 2 and so on, by their order',
    )
  const above = isTable ? unitAbove(systems.titles) : undefined
  for (const { code, message } of appliedUnits(layout, first, { isTable, unitAbove: above }))
    yield notice(code, message)
  if (layout.perPhoto) yield notice('IMAGE_POSITIONS_NOT_KEPT', 'the positions of the points in photos are not kept')

  const { inZone, heightDatum, maxError } = options
  const read = pointReader(layout, {
    table,
    inZone,
    heightDatum,
    maxError,
    unitAbove: above?.unit,
    isFreeTable: source.format === 'csv',
    swapAxes,
  })
  const replacedHeights = replacedDatum(table.heights, systems.vertical, heightDatum)
  if (replacedHeights) yield notice(replacedHeights.code, replacedHeights.message)
  const admit = admission(layout)
  // The file's own header may be repeated above each of its parts, also under a given header.
  const headers = layout.header ? [top[0]!, ...(own ? [own] : [])].map(({ fields }) => joined(fields)) : []
  const sampled = top.slice(layout.above).flatMap(({ fields, fault }) => {
    const reading = fault || options.inZone ? undefined : read(fieldsOf(joined(fields), layout))
    return reading && 'point' in reading ? [reading.point] : []
  })
  const isChecked = !options.inZone && !isExport(layout.columns)
  const box = isChecked ? boxOf(sampled) : undefined
  const exchanged = exchangeCheck(isChecked ? options.nearby : undefined, box)
  const isFar = farCheck(isChecked ? sampled : [])
  let row = 0
  const ways = transformationCounts()
  const absent = absentHeights()
  const isPerRow = layout.columns.crs !== undefined
  const isHeader = (cut: string[]) => isRepeatedHeader(fieldsOf(joined(cut), layout), headers)
  const below = withoutRulers(startingWith(top.slice(layout.above), rest), delimiter, isHeader)
  const later = isTable ? laterSystems(layout, table, delimiter) : undefined
  let otherHeader: number | undefined
  /** The line of the header with other columns that a failed row is below. */
  const headerAt = (fields: readonly string[], line: number): number | undefined => {
    const found = isTable ? secondHeader(fields, layout, headers) : undefined
    return found === 'same' ? undefined : found === 'another' ? (otherHeader ?? line) : otherHeader
  }
  for await (const { fields: cut, line, fault: unfit, isRepeat, title = null, units } of below) {
    const fields = fieldsOf(joined(cut), layout)
    if (!unfit && !isRepeat && isHeader(cut)) {
      otherHeader = undefined
      later?.see(cut, line)
      continue
    }
    if (!unfit && !isRepeat && isComment(fields, layout)) {
      later?.see(cut, line)
      continue
    }
    row++
    if (row > maxRows) throw new SurveyFileError('TOO_MANY_ROWS', `the file has more than ${maxRows} rows`, line)
    if (isRepeat) {
      yield { kind: 'repeat', row, line, title: title ?? '' }
      continue
    }
    const ragged = unfit ?? belowOther(otherHeader) ?? later?.fault(fields) ?? raggedFault(fields, layout)
    if (ragged) {
      later?.see(cut, line)
      otherHeader = headerAt(fields, line)
      yield { kind: 'faulty', row, line, title: title ?? (unfit ? titleIn(fields, layout) : null), faults: [ragged] }
      continue
    }
    const reading = read(fields, units && parts ? beside(units, parts) : split ? undefined : units)
    if ('faults' in reading) {
      later?.see(cut, line)
      otherHeader = headerAt(fields, line)
      yield { kind: 'faulty', row, line, title: reading.title, faults: reading.faults }
      continue
    }
    const verdict = admit(reading.point, row)
    if (verdict === 'repeat') yield { kind: 'repeat', row, line, title: reading.point.title }
    else if (verdict) yield { kind: 'faulty', row, line, title: reading.point.title, faults: [verdict] }
    else {
      for (const { code, message } of reading.warnings) yield { kind: 'warning', row, line, code, message }
      const doubt = exchanged(reading.point)
      if (doubt) yield { kind: 'warning', row, line, code: 'AXES_ASSUMED', message: doubt }
      const far = isFar(reading.point)
      if (far && !doubt) yield { kind: 'warning', row, line, code: 'FAR_FROM_OTHERS', message: far }
      if (reading.absent !== undefined) absent.add(reading.absent)
      const isFirst = ways.add(reading.point)
      // Report what concerns the whole file once; repeat it for rows with another operation or system.
      const rowNotices = [
        { code: 'CRS_ACCURACY', message: reading.coarse, isFirst: isFirst.place, ways: ways.transformations.length },
        { code: 'HEIGHT_ACCURACY', message: reading.coarseHeight, isFirst: isFirst.height, ways: ways.coarseHeights },
      ] as const
      for (const { code, message, isFirst, ways } of rowNotices) {
        if (message === undefined) continue
        if (isPerRow || ways > 1) yield { kind: 'warning', row, line, code, message }
        else if (isFirst) yield notice(code, message)
      }
      if (isFirst.height && reading.point.heightDatum === 'unknown' && reading.point.h === null)
        yield notice('HEIGHT_DATUM_UNKNOWN', unknownHeights(systems.vertical))
      yield { kind: 'point', row, line, point: reading.point }
    }
  }
  if (row === 0 && !isExport(layout.columns)) {
    throw new SurveyFileError('EMPTY_FILE', 'the file has no rows below its header')
  }
  for (const { code, message } of [...(notices?.() ?? []), ...(absent.notice ? [absent.notice] : [])])
    yield notice(code, message)
  const { transformations, heights } = ways
  if (transformations.length + heights.length > 0)
    yield { kind: 'detected', detected: { ...detected, transformations, heights } }
}

/** The error of a row below a header line that names other columns than the first. */
const belowOther = (line: number | undefined): RowError | undefined =>
  line === undefined
    ? undefined
    : {
        column: null,
        value: null,
        code: 'RAGGED_ROW',
        message: `the row is below a second header line (line ${line}), with other columns than the first: import these rows as a file of their own`,
      }

/** The title of a row whose other cells are not read. */
const titleIn = (fields: readonly string[], { columns }: Layout): string | null =>
  fields[columns.title?.[0]?.index ?? -1]?.trim() || null

/** The table of a file. If several layers are possible, yields their names before it throws. */
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

const notice = (code: WarningCode, message: string): SurveyItem => ({ kind: 'notice', code, message })
