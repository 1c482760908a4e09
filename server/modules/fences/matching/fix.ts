/** A position that a device reports. Degrees on WGS84, metres, and milliseconds since 1970. */
export type Fix = {
  lat: number
  lon: number
  /** Radius in metres within which the device is with a probability of about two thirds. */
  accuracy: number
  altitude?: number | undefined
  at: number
  /** The device says that an app or a developer tool set the position. */
  mocked?: boolean | undefined
}

/** Fixes this much older than the newest one still count. */
export const LATE_MS = 5 * 60_000
