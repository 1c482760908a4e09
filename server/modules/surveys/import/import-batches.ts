import { foldName } from '../../../platform/names.ts'
import { SurveyFileError, type WarningCode } from '../parser/errors.ts'
import type { Detected, SurveyItem } from '../parser/read-survey.ts'
import type { SurveyPoint } from '../parser/rows/point.ts'
import { truncate } from '../parser/truncate.ts'
import type { Finding } from '../report/report-store.ts'
import type { ImportRow } from './import-rows.ts'

export const BATCH_ROWS = 1000
/** Text limit of a batch: the caller holds several batches in memory. */
const BATCH_CHARACTERS = 512 * 1024

/** Findings are ordered by row, the failure of a row before its warnings; the order is the same in every run. */
export const ordinalOf = (row: number, place: number): number => row * 8 + Math.min(place, 7)

/** Findings about the whole file come first, by kind and then in the order of reading. */
const wholeFile: WarningCode[] = [
  'AXES_SWAPPED',
  'AXES_ASSUMED',
  'CRS_ACCURACY',
  'HEIGHT_ACCURACY',
  'TITLES_MADE',
  'ENCODING_FALLBACK',
  'HEIGHT_DATUM_REPLACED',
  'HEIGHT_DATUM_UNKNOWN',
  'IMAGE_POSITIONS_NOT_KEPT',
  'HEADER_REPLACED',
  'ANGLES_ASSUMED',
  'COLUMNS_ASSUMED',
  'LINES_ABOVE_TABLE',
  'RECORDS_LEFT_OUT',
  'ANTENNA_HEIGHTS',
  'LAYERS_NOT_READ',
  'HEIGHTS_NOT_READ',
  'UNIT_APPLIED',
  'HIDDEN_ROWS_READ',
]
/** Room for findings of one kind: few places of the parser give the same one. */
const MAX_OF_A_KIND = 32
/** @param earlier findings of that kind before this one; the same in every run of an import */
const wholeFileOrdinal = (code: WarningCode, earlier: number): number =>
  (wholeFile.indexOf(code) - wholeFile.length) * MAX_OF_A_KIND + Math.min(earlier, MAX_OF_A_KIND - 1)

/** Ordinal of the error that refused the whole file: first in the report. */
export const refusalOfFile = ({ code, message, line }: SurveyFileError): Finding => ({
  ordinal: -10_000,
  row: null,
  line,
  title: null,
  failed: true,
  faults: [{ code, message, column: null, value: null }],
})

/** Rows to commit in one transaction, including failed ones. */
export type ReadBatch = {
  /** Data rows before this batch. */
  after: number
  /** Data rows in the batch. */
  rows: number
  points: ImportRow[]
  /** Rows that repeat another row. */
  repeats: number
  findings: Finding[]
  /** Approximate length of the text. */
  characters: number
}

/** A step of an import: the detected format, a batch of rows, or a finding about the whole file. */
export type ReadStep = { detected: Detected } | { batch: ReadBatch } | { findings: Finding[] }

/**
 * Divides the rows into batches of 1000 and skips rows that an earlier run committed. If the file breaks off, the rows
 * before that come first and the error after them.
 */
export async function* importSteps(
  items: AsyncIterable<SurveyItem>,
  settledRows: number,
): AsyncGenerator<ReadStep, void, undefined> {
  let batch = emptyBatch(settledRows)
  const notices: Finding[] = []
  let broken: SurveyFileError | undefined
  try {
    for await (const item of items) {
      if (item.kind === 'detected') yield { detected: item.detected }
      else if (item.kind === 'notice') {
        const earlier = notices.filter(({ faults }) => faults[0]!.code === item.code).length
        notices.push(noticed(item, wholeFileOrdinal(item.code, earlier)))
      } else if (item.row > settledRows) {
        if (isFull(batch) && item.row > batch.after + batch.rows) {
          yield { batch }
          batch = emptyBatch(batch.after + batch.rows)
        }
        add(batch, item, item.row)
      }
    }
  } catch (error) {
    if (!(error instanceof SurveyFileError)) throw error
    broken = error
  }
  if (batch.rows > 0) yield { batch }
  if (notices.length > 0) yield { findings: notices }
  if (broken) throw broken
}

const isFull = ({ rows, characters }: ReadBatch): boolean => rows >= BATCH_ROWS || characters >= BATCH_CHARACTERS

const emptyBatch = (after: number): ReadBatch => ({
  after,
  rows: 0,
  points: [],
  repeats: 0,
  findings: [],
  characters: 0,
})

function add(batch: ReadBatch, item: Exclude<SurveyItem, { kind: 'detected' | 'notice' }>, row: number) {
  if (item.kind === 'warning') {
    // The findings of the row are the last ones.
    let before = 0
    while (batch.findings.at(-1 - before)?.row === row) before++
    addFinding(batch, { ...noticed(item, ordinalOf(row, before + 1)), row, line: item.line })
    return
  }
  batch.rows++
  if (item.kind === 'repeat') batch.repeats++
  else if (item.kind === 'point') {
    const point = rowOf(item.point, row, item.line)
    batch.points.push(point)
    batch.characters += charactersOf(point)
  } else {
    const { line, title, faults } = item
    addFinding(batch, {
      ordinal: ordinalOf(row, 0),
      row,
      line,
      title: title === null ? null : truncate(title, 255),
      failed: true,
      faults,
    })
  }
}

function addFinding(batch: ReadBatch, finding: Finding) {
  batch.findings.push(finding)
  for (const { message, value } of finding.faults) batch.characters += message.length + (value?.length ?? 0)
}

const charactersOf = ({ title, description, data, photos }: ImportRow): number =>
  2 * title.length + (description?.length ?? 0) + (data?.length ?? 0) + (photos?.length ?? 0)

function noticed({ code, message }: { code: WarningCode; message: string }, ordinal: number): Finding {
  const faults = [{ code, message, column: null, value: null }]
  return { ordinal, row: null, line: null, title: null, failed: false, faults }
}

function rowOf(point: SurveyPoint, row: number, line: number): ImportRow {
  const { yaw, pitch, roll, accuracyH, accuracyV, h, altitude, heightDatum, transformation } = point
  const posed = yaw !== null || pitch !== null || roll !== null
  const angles = { yaw: yaw ?? 0, pitch: pitch ?? 0, roll: roll ?? 0 }
  const hasDatum = heightDatum !== null && (h !== null || altitude !== null)
  const surveyed = accuracyH !== null || accuracyV !== null || transformation !== null || hasDatum
  return {
    row,
    line,
    title: point.title,
    key: foldName(point.title),
    description: point.description,
    gcpType: point.gcpType,
    altitude: point.altitude,
    tag: point.aprilTagId,
    data: point.gcpData,
    photos: point.photoUrls.length > 0 ? JSON.stringify(point.photoUrls) : null,
    latitude: point.latitude,
    longitude: point.longitude,
    h,
    angles: posed ? JSON.stringify(angles) : null,
    pose: h === null ? null : JSON.stringify({ position: { lat: point.latitude, lon: point.longitude, h }, angles }),
    survey: surveyed
      ? JSON.stringify({
          accuracyH,
          accuracyV,
          ...(transformation && { transformation }),
          ...heightFacts(point, hasDatum),
        })
      : null,
  }
}

/** The height reference as the column `survey` stores it: `verticalDatum` is the name of the datum. */
const heightFacts = ({ heightDatum, heightTransformation }: SurveyPoint, hasDatum: boolean) =>
  hasDatum && { verticalDatum: heightDatum, ...(heightTransformation && { heightTransformation }) }
