/** What a scan's file is, by its content. */
export type ScanFileType =
  | 'GLB'
  | 'USDZ'
  | 'PLY'
  | 'SPLAT'
  | 'OBJ'
  | 'IMAGE'
  | 'LAS'
  | 'LAZ'
  | 'E57'
  | 'SPZ'
  | 'VIDEO'
  | 'OTHER'

type Point = [x: number, y: number, z: number]

/** The smallest and largest coordinates, in the axes and the unit of the file: metres where its format says so. */
export type Bounds = { min: Point; max: Point }

/** Where a scan was taken, in WGS84: by the camera's receiver, or by the reference system of the file. */
export type ScanPosition = {
  lat: number
  long: number
  /** Metres, above the sea or the ellipsoid as the file has it. */
  altitude: number | null
  from: 'exif' | 'georeference'
}

export type Preview = { bytes: Uint8Array; mimeType: 'image/webp'; width: number; height: number }

/** What was found in a file. What a file of its type does not have, or was not read, is null, with a note where that is not plain. */
export type Inspection = {
  fileType: ScanFileType
  bounds: Bounds | null
  /** Drawn triangles, instances counted each time. */
  triangles: number | null
  /** Points of a cloud, splats of a splat file; vertices of a mesh are none. */
  points: number | null
  /** Pixels of an image as it is seen. */
  width: number | null
  height: number | null
  position: ScanPosition | null
  /** ISO 8601 in UTC. */
  capturedAt: string | null
  preview: Preview | null
  /** Sentences for the owner: what was left out, and why. */
  notes: string[]
}

/**
 * - `damaged`: the file breaks the rules of its format
 * - `unsupported`: it is whole, but needs what is not read here
 * - `late`, `memory`: reading it took longer, or more memory, than one file may
 */
export type ScanFaultCode = 'damaged' | 'unsupported' | 'late' | 'memory'

/** The file is at fault: its message is a sentence for its owner, and reading it again would come to the same. */
export class ScanFault extends Error {
  readonly code: ScanFaultCode

  constructor(code: ScanFaultCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ScanFault'
    this.code = code
  }
}

export const damaged = (message: string, options?: ErrorOptions) => new ScanFault('damaged', message, options)
