import { foldName } from '../../platform/names.ts'
import type { ImportRow } from './import-points-store.ts'
import type { Batch } from './import-store.ts'
import { cut } from './reading/cut.ts'
import { SurveyFileError, type WarningCode } from './reading/faults.ts'
import type { SurveyPoint } from './reading/point.ts'
import type { Detected, SurveyItem } from './reading/survey.ts'
import type { Finding } from './report-store.ts'
import type { StoredUpload } from './store.ts'

export const BATCH_ROWS = 1000

/** Findings sort by row, the failure of a row before its warnings; the same file gives the same ordinals in every run. */
export const ordinalOf = (row: number, place: number): number => row * 4 + Math.min(place, 3)

/** One finding of each kind may concern the whole file; they come first. */
const wholeFile: WarningCode[] = [
  'AXES_SWAPPED',
  'AXES_ASSUMED',
  'CRS_ACCURACY',
  'TITLES_MADE',
  'ENCODING_FALLBACK',
  'HEIGHT_DATUM_UNKNOWN',
  'IMAGE_POSITIONS_NOT_KEPT',
]
const wholeFileOrdinal = (code: WarningCode): number => -100 + wholeFile.indexOf(code)

/** What refused the file as a whole, ahead of all else in its report. */
export const refusalOfFile = ({ code, message, line }: SurveyFileError): Finding => ({
  ordinal: -200,
  row: null,
  line,
  title: null,
  failed: true,
  faults: [{ code, message, column: null, value: null }],
})

/** A step of an import: what the file is, rows to settle, or what concerns the file as a whole. */
export type ImportStep = { detected: Detected } | { batch: Batch } | { findings: Finding[] }

/**
 * Cuts what was read into batches of 1000 rows, leaving out rows that an earlier run settled. When the file breaks off,
 * the rows read until then come first and the fault after them.
 */
export async function* importSteps(
  items: AsyncIterable<SurveyItem>,
  upload: StoredUpload & { dryRun: boolean },
  settledRows: number,
): AsyncGenerator<ImportStep, void, undefined> {
  let batch = emptyBatch(upload, settledRows)
  const notices: Finding[] = []
  let broken: SurveyFileError | undefined
  try {
    for await (const item of items) {
      if (item.kind === 'detected') yield { detected: item.detected }
      else if (item.kind === 'notice') notices.push(noticed(item, wholeFileOrdinal(item.code)))
      else if (item.row > settledRows) {
        if (batch.rows >= BATCH_ROWS && item.row > batch.after + batch.rows) {
          yield { batch }
          batch = emptyBatch(upload, batch.after + batch.rows)
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

/** The same steps, each made while the one before is being done. */
export async function* preparedAhead(steps: AsyncGenerator<ImportStep>): AsyncGenerator<ImportStep, void, undefined> {
  let next = steps.next()
  try {
    for (;;) {
      const { done, value } = await next
      if (done) return
      next = steps.next()
      // It is looked at only after this step was done; until then nobody hears it fail.
      next.catch(() => {})
      yield value
    }
  } finally {
    await steps.return(undefined)
  }
}

const emptyBatch = ({ id, zoneId, dryRun }: StoredUpload, after: number): Batch => ({
  uploadId: id,
  zoneId,
  dryRun,
  after,
  rows: 0,
  points: [],
  repeats: 0,
  findings: [],
})

function add(batch: Batch, item: Exclude<SurveyItem, { kind: 'detected' | 'notice' }>, row: number) {
  if (item.kind === 'warning') {
    const before = batch.findings.filter((finding) => finding.row === row).length
    batch.findings.push({ ...noticed(item, ordinalOf(row, before + 1)), row, line: item.line })
    return
  }
  batch.rows++
  if (item.kind === 'repeat') batch.repeats++
  else if (item.kind === 'point') batch.points.push(rowOf(item.point, row, item.line))
  else {
    const { line, title, faults } = item
    batch.findings.push({
      ordinal: ordinalOf(row, 0),
      row,
      line,
      title: title === null ? null : cut(title, 255),
      failed: true,
      faults,
    })
  }
}

function noticed({ code, message }: { code: WarningCode; message: string }, ordinal: number): Finding {
  const faults = [{ code, message, column: null, value: null }]
  return { ordinal, row: null, line: null, title: null, failed: false, faults }
}

function rowOf(point: SurveyPoint, row: number, line: number): ImportRow {
  const { yaw, pitch, roll, accuracyH, accuracyV, verticalDatum, h } = point
  const posed = yaw !== null || pitch !== null || roll !== null
  const surveyed = accuracyH !== null || accuracyV !== null || (h !== null && verticalDatum !== null)
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
    photos: point.photoUrls.length > 0 ? point.photoUrls : null,
    latitude: point.latitude,
    longitude: point.longitude,
    h,
    angles: posed ? { yaw: yaw ?? 0, pitch: pitch ?? 0, roll: roll ?? 0 } : null,
    survey: surveyed ? { accuracyH, accuracyV, verticalDatum } : null,
  }
}
