import type { JsonRows } from '../../../platform/database/bulk/bulk-reads.ts'
import type { Issue } from '../../../platform/errors.ts'
import type { AskedSystem, PlacedCounts } from '../process/export-tasks.ts'
import type { Measured } from '../projections/projected-batches.ts'
import type { ExportedPhoto, ExportFormat, ExportSystem, UsedOperation } from '../schema.ts'

/** A requested reference system, resolved. */
export type Located = { asked: AskedSystem; system: ExportSystem }

/** Work of the thread. `names`: the members of a point, whose values arrive as an array. */
export type MeasureJob = { names: string[] } & Located
export type WriteJob = {
  names: string[]
  format: ExportFormat
  name: string
  operations: readonly UsedOperation[]
  /** Undefined for WGS84. */
  located: Located | undefined
}
export type Job = ({ kind: 'measure' } & MeasureJob) | ({ kind: 'write' } & WriteJob)

/** What the thread asks of the main thread during a job. */
export type Calls = {
  /** The next points, as a JSON array of arrays; undefined at the end. */
  points: () => Promise<JsonRows | undefined>
  place: (pairs: Float64Array) => Promise<{ pairs: Float64Array; placed: PlacedCounts }>
  photosOf: (gcpIds: number[]) => Promise<Map<number, ExportedPhoto[]>>
  otherPhotos: () => Promise<Map<number, ExportedPhoto[]>>
}

/** A chunk of the file, or of one of the intermediate files that GDAL reads. */
export type Piece = { bytes: Uint8Array<ArrayBuffer>; file?: string }

/** The end of a job. */
export type Ended = { measured?: Measured } | { failed: Failure }
export type Failure = { message: string; http?: { status: number; error: string | Issue[] } }

/** From the thread: a call, which waits for its answer, or the end. `take` passes a piece. */
export type FromThread = { id: number; call: keyof Calls | 'take'; value: unknown } | { ended: Ended }
/** To the thread: the answer to a call. */
export type ToThread = { id: number; value?: unknown; isFailed?: boolean }
