import type { HeightTransformation } from '../../places/schema.ts'
import type { FileErrorCode } from '../parser/errors.ts'
import type { Detected } from '../parser/read-survey.ts'
import type { Finding } from '../report/report-store.ts'
import type { ReadingOptions } from '../schema.ts'

/**
 * Requests to the reader process: start a file, take the next chunk (or `end`), continue. The boundary of the zone is
 * sent as JSON with `begin`, if any.
 */
export type SurveyTask =
  | {
      kind: 'begin'
      options: ReadingOptions
      /** The box of the zone's other points, if it has no boundary. */
      nearby: readonly number[] | null
      /** Number of committed rows, which are skipped. */
      settled: number
      /** Only checks whether any row is invalid. */
      looksOnly: boolean
    }
  | { kind: 'piece' | 'end' | 'next' }
  | HeightTask
  /** Checks whether a reference system can be used. */
  | { kind: 'crs'; crs: string; maxError?: number | undefined }

/**
 * Converts a height above the sea in metres, at a place in degrees on WGS84; without a place, only resolves its
 * reference.
 */
export type HeightTask = {
  kind: 'height'
  datum: string
  at: { latitude: number; longitude: number; altitude: number } | null
}

/** The height on the ellipsoid, or the reason why the reference is invalid. */
export type HeightAnswer =
  | { datum: string; h: number | null; transformation: HeightTransformation | null }
  | { refusal: string }

/** A processed batch of rows. */
export type BatchCounts = {
  /** Data rows before this batch. */
  after: number
  /** Data rows in the batch, including invalid ones. */
  rows: number
  /** Rows that are points. */
  points: number
  /** Rows that repeat another row. */
  repeats: number
  failed: number
  warnings: number
  /** Each AprilTag of its points, once. */
  tags: number[]
}

/** Replies: more bytes needed, or a step of the import. */
export type SurveyAnswer =
  | { kind: 'hungry' }
  | { kind: 'detected'; detected: Detected }
  /** The columns of the points and the findings as JSON follow, with these sizes in bytes. */
  | { kind: 'batch'; counts: BatchCounts; columns: number[]; findings: number }
  | { kind: 'findings'; findings: Finding[] }
  | { kind: 'looked'; isFaulty: boolean }
  | { kind: 'height'; height: HeightAnswer }
  /** The reason why a reference system cannot be used. */
  | { kind: 'crs'; refusal: string | null }
  | { kind: 'refused'; code: FileErrorCode; message: string; line: number | null }
  | { kind: 'done' }
