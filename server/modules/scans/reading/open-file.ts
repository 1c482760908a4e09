import type { Inspection } from '../processing/inspection.ts'

/** A file of known type, at its first byte. */
export type OpenFile = { head: Buffer; size: number; bytes: AsyncIterable<Uint8Array> }

/** The metadata of a file that is not read. */
export const unread = (fileType: Inspection['fileType'], ...notes: string[]): Inspection => ({
  fileType,
  bounds: null,
  triangles: null,
  points: null,
  width: null,
  height: null,
  position: null,
  capturedAt: null,
  preview: null,
  notes,
})
