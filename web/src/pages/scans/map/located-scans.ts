import type { Scan } from '@cairn/sdk'

/** A scan whose place is known. */
export type PlacedScan = Scan & { lat: number; long: number }

export const isPlaced = (scan: Scan): scan is PlacedScan => scan.lat !== null && scan.long !== null
