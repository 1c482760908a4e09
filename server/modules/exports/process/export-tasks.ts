import type { ExportSystem, UsedOperation } from '../schema.ts'

/** The requested reference system, and the maximum error in metres. */
export type AskedSystem = { crs: string; maxError: number | undefined }

/** The formats that GDAL writes. */
export type FileForm = 'gpkg' | 'shp'

/** Requests to a process that writes exports. Bytes are sent with `place` and `locate` (pairs of doubles) and `append`. */
export type ExportTask =
  | ({ kind: 'system' } & AskedSystem)
  /** From longitude and latitude to easting and northing, or to the axes of the register. */
  | ({ kind: 'place'; axes?: 'registered' } & AskedSystem)
  /** From the axes of the register to longitude and latitude. */
  | ({ kind: 'locate' } & AskedSystem)
  /** Appends to an intermediate file. */
  | { kind: 'append'; file: string }
  /** Writes the file from the intermediate files; `take` returns its chunks until there are none. */
  | { kind: 'write'; form: FileForm; name: string }
  | { kind: 'take' }

export type ExportAnswer =
  | { kind: 'system'; system: ExportSystem }
  | { kind: 'placed'; placed: PlacedCounts }
  | { kind: 'done' }
  | { kind: 'piece' }
  /** The request cannot be fulfilled; the message is for the caller. */
  | { kind: 'refused'; message: string }

/** The indexes of points that could not be transformed: outside the system's area, or by a refused operation. */
export type PlacedCounts = {
  outside: number[]
  refused: { index: number; message: string }[]
  operations: UsedOperation[]
}
