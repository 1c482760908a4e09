import type { Fix } from '../matching/fix.ts'
import type { FixInput } from './schema.ts'

/** The fix for computation, without members that are absent. */
export const fixOf = ({ lat, lon, accuracy, altitude, at, mocked }: FixInput): Fix => ({
  lat,
  lon,
  accuracy,
  at: Date.parse(at),
  ...(altitude == null ? {} : { altitude }),
  ...(mocked ? { mocked } : {}),
})
