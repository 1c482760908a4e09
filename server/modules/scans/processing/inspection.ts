/** The type of a scan's file, by its content. */
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

/** The smallest and largest coordinates, in the axes and units of the file. */
export type Bounds = { min: Point; max: Point }

/** Position of a scan in WGS84: from the camera's receiver, or from the reference system of the file. */
export type ScanPosition = {
  lat: number
  long: number
  /** Metres above the sea or the ellipsoid, as stated in the file. */
  altitude: number | null
  from: 'exif' | 'georeference'
}

export type Preview = { bytes: Uint8Array; mimeType: 'image/webp'; width: number; height: number }

/** The metadata of a file. Null for what its type does not have or was not read; a note says why if that is not obvious. */
export type Inspection = {
  fileType: ScanFileType
  bounds: Bounds | null
  /** Drawn triangles, with each instance counted. */
  triangles: number | null
  /** Points of a cloud or splats of a splat file; the vertices of a mesh do not count. */
  points: number | null
  /** Pixels of the upright image. */
  width: number | null
  height: number | null
  position: ScanPosition | null
  /** ISO 8601 in UTC. */
  capturedAt: string | null
  preview: Preview | null
  /** Sentences for the owner: what was omitted, and why. */
  notes: string[]
}

/**
 * - `damaged`: the file violates its format
 * - `unsupported`: the file is valid, but uses a feature that is not supported
 * - `late`, `memory`: reading it exceeded the limit of time or memory
 */
export type ScanFaultCode = 'damaged' | 'unsupported' | 'late' | 'memory'

/** The file cannot be read. The message is for its owner; a retry would fail the same way. */
export class ScanFault extends Error {
  readonly code: ScanFaultCode

  constructor(code: ScanFaultCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ScanFault'
    this.code = code
  }
}

export const damaged = (message: string, options?: ErrorOptions) => new ScanFault('damaged', message, options)
