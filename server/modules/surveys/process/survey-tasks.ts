import type { HeightTransformation } from '../../places/schema.ts'
import type { FileErrorCode } from '../parser/errors.ts'
import type { Detected } from '../parser/read-survey.ts'
import type { Finding } from '../report/report-store.ts'
import type { ReadingOptions } from '../schema.ts'

/**
 * What the process that reads a survey file is asked: to begin with one, to take the next piece of its bytes (none is
 * left: `end`), to go on. The boundary of the zone goes beside `begin` as JSON, or nothing does.
 */
export type SurveyTask =
  | {
      kind: 'begin'
      options: ReadingOptions
      /** Rows that need no second look: they were settled before. */
      settled: number
      /** Only to look whether any row is faulty. */
      looksOnly: boolean
    }
  | { kind: 'piece' | 'end' | 'next' }
  | HeightTask
  /** Whether a reference system can be used. */
  | { kind: 'crs'; crs: string; maxError?: number | undefined }

/** A height above the sea, in metres at a place in degrees on WGS84; without a place only its datum is read. */
export type HeightTask = {
  kind: 'height'
  datum: string
  at: { latitude: number; longitude: number; altitude: number } | null
}

/** What brings it to the ellipsoid, or in one sentence why its datum means nothing. */
export type HeightAnswer =
  | { datum: string; h: number | null; transformation: HeightTransformation | null }
  | { refusal: string }

/** What the rows of a batch came to. */
export type BatchCounts = {
  /** Data rows before this batch. */
  after: number
  /** Data rows in the batch, bad ones included. */
  rows: number
  /** Rows that are points. */
  points: number
  /** Rows that say again what another row said. */
  repeats: number
  failed: number
  warnings: number
  /** Every April tag that its points carry, once. */
  tags: number[]
}

/** What it answers: that it needs more bytes, or a step of the import. */
export type SurveyAnswer =
  | { kind: 'hungry' }
  | { kind: 'detected'; detected: Detected }
  /** The columns of the points and then the findings in JSON go beside it, of so many bytes. */
  | { kind: 'batch'; counts: BatchCounts; columns: number[]; findings: number }
  | { kind: 'findings'; findings: Finding[] }
  | { kind: 'looked'; isFaulty: boolean }
  | { kind: 'height'; height: HeightAnswer }
  /** Why a reference system cannot be used. */
  | { kind: 'crs'; refusal: string | null }
  | { kind: 'refused'; code: FileErrorCode; message: string; line: number | null }
  | { kind: 'done' }
