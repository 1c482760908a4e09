import { z } from 'zod'

/** Degrees on WGS84. */
export const latitude = z.number().min(-90).max(90)
export const longitude = z.number().min(-180).max(180)
export const recordId = z.int().min(1)
export const title = z
  .string()
  .transform((text) => text.trim())
  .pipe(z.string().min(1).max(255))

/** OGC GeoPose 1.0 Basic-YPR. */
export const GeoPose = z
  .object({
    position: z.object({ lat: latitude, lon: longitude, h: z.number().describe('Metres above the WGS84 ellipsoid') }),
    angles: z
      .object({ yaw: z.number(), pitch: z.number(), roll: z.number() })
      .describe('Degrees in the local East-North-Up frame, intrinsic z-y-x; yaw from East, counter-clockwise'),
  })
  .meta({ id: 'GeoPose' })
export type GeoPose = z.infer<typeof GeoPose>
