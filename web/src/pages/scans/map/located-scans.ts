import type { Scan } from '@cairn/sdk'

/** A scan with a location. */
export type LocatedScan = Scan & { lat: number; long: number }

export const isLocated = (scan: Scan): scan is LocatedScan => scan.lat !== null && scan.long !== null
