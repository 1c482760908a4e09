import type { ExportSystem, UsedOperation } from '../schema.ts'

/** A reference system as it was asked for, and the largest error in metres that was allowed. */
export type AskedSystem = { crs: string; maxError: number | undefined }

/** The files that GDAL writes. */
export type FileForm = 'gpkg' | 'shp'

/** What is asked of a process that writes exports. Bytes go with `place` (pairs of longitude and latitude as doubles) and `append`. */
export type ExportTask =
  | ({ kind: 'system' } & AskedSystem)
  | ({ kind: 'place' } & AskedSystem)
  /** More of an intermediate file. */
  | { kind: 'append'; file: string }
  /** Turns the intermediate files into the file; `take` gives its pieces until there are none. */
  | { kind: 'write'; form: FileForm; name: string }
  | { kind: 'take' }

export type ExportAnswer =
  | { kind: 'system'; system: ExportSystem }
  | { kind: 'placed'; placed: PlacedCounts }
  | { kind: 'done' }
  | { kind: 'piece' }
  /** What was asked cannot be done; the sentence is for the caller. */
  | { kind: 'refused'; message: string }

/** Which of some points could not be placed, by their order: outside the system's area, or by an operation that may not be used. */
export type PlacedCounts = {
  outside: number[]
  refused: { index: number; message: string }[]
  operations: UsedOperation[]
}
