import type { Inspection } from '../processing/inspection.ts'

/** A file whose type is known, from its first byte on. */
export type OpenFile = { head: Buffer; size: number; bytes: AsyncIterable<Uint8Array> }

/** What is known of a file of which nothing was read. */
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
