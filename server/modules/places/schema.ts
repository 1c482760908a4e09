import { z } from 'zod'

/** Degrees on WGS84. */
export const latitude = z.number().min(-90).max(90).describe('Degrees north')
export const longitude = z.number().min(-180).max(180).describe('Degrees east')
export const recordId = z.int().min(1)
export const title = z
  .string()
  .transform((text) => text.trim())
  .pipe(z.string().min(1).max(255))
  .meta({ minLength: 1, maxLength: 255 })

/** OGC GeoPose 1.0 Basic-YPR. */
export const GeoPose = z
  .object({
    position: z.object({ lat: latitude, lon: longitude, h: z.number().describe('Metres above the WGS84 ellipsoid') }),
    angles: z
      .object({ yaw: z.number(), pitch: z.number(), roll: z.number() })
      .describe('Degrees in the local East-North-Up frame, intrinsic z-y-x; yaw counter-clockwise from east'),
  })
  .meta({ id: 'GeoPose' })
export type GeoPose = z.infer<typeof GeoPose>

/** The form of the pose that a read adds to the angles. */
export const PoseForm = z
  .enum(['quaternion', 'eus', 'eun'])
  .describe(
    'Adds `pose`, the pose of `geoPose` as a unit quaternion. `quaternion`: in the frame East-North-Up (OGC GeoPose Basic-Quaternion). `eus`: East-Up-South (ARCore, WebXR, gravityAndHeading of ARKit). `eun`: East-Up-North, left-handed (Unity)',
  )
export type PoseForm = z.infer<typeof PoseForm>

const Quaternion = z.object({ x: z.number(), y: z.number(), z: z.number(), w: z.number() })
export type Quaternion = z.infer<typeof Quaternion>

/** A pose as a quaternion. The position is that of geoPose. */
export const QuaternionPose = z
  .object({
    frame: z.enum(['ENU', 'EUS', 'EUN']).describe('Where x, y and z point at identity'),
    position: z.object({ lat: z.number(), lon: z.number(), h: z.number() }),
    quaternion: Quaternion,
  })
  .meta({ id: 'QuaternionPose' })
export type QuaternionPose = z.infer<typeof QuaternionPose>

/** How survey coordinates were transformed to WGS84. */
export const Transformation = z
  .object({
    crs: z.string().describe('The reference system of the coordinates in the file'),
    operation: z.string().describe('The registered operation that transformed them to WGS84'),
    accuracy: z.number().nullable().describe('Accuracy in metres; `null` if not stated'),
  })
  .meta({ id: 'Transformation' })

export const HeightTransformation = z
  .object({
    operation: z.string().describe('The registered geoid model used to reach the ellipsoid'),
    accuracy: z.number().nullable().describe('Accuracy in metres; `null` if not stated'),
  })
  .meta({ id: 'HeightTransformation' })
export type HeightTransformation = z.infer<typeof HeightTransformation>
