import { DamagedGrid, type FileBytes } from './bytes.ts'

const HEADER = 40
const NODE = 4

/**
 * Checks that a file is a NOAA vertical grid (`.gtx`) with all its nodes. Format: NOAA, "VDatum GTX": four doubles (south,
 * west, two steps), rows and columns as integers, then 32-bit floats, all big-endian.
 * @throws DamagedGrid
 */
export function checkGtx(bytes: FileBytes): void {
  const header = bytes.at(0, HEADER)
  const [south, west, latitudeStep, longitudeStep] = [0, 8, 16, 24].map((at) => header.getFloat64(at)) as [
    number,
    number,
    number,
    number,
  ]
  const [rows, columns] = [header.getInt32(32), header.getInt32(36)]
  const isPlace = Math.abs(south) <= 90 && Math.abs(west) <= 540
  const hasSteps = latitudeStep > 0 && latitudeStep < 180 && longitudeStep > 0 && longitudeStep < 360
  if (!isPlace || !hasSteps || rows < 1 || columns < 1) throw new DamagedGrid('it is not a GTX file')
  if (bytes.size < HEADER + rows * columns * NODE) throw new DamagedGrid('it ends early')
}
