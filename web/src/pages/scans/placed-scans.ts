import type { Scan } from '@cairn/sdk'

/** A scan whose place is known. */
export type PlacedScan = Scan & { lat: number; long: number }

export const isPlaced = (scan: Scan): scan is PlacedScan => scan.lat !== null && scan.long !== null

/** The box around some scans, as west, south, east, north; across 180° where that is shorter. */
export function boundsOf(scans: PlacedScan[]): [number, number, number, number] {
  const wide = scans.map(({ long }) => long)
  const isSplit = Math.max(...wide) - Math.min(...wide) > 180
  const east = isSplit ? wide.map((long) => (long < 0 ? long + 360 : long)) : wide
  const north = scans.map(({ lat }) => lat)
  return [Math.min(...east), Math.min(...north), Math.max(...east), Math.max(...north)]
}
