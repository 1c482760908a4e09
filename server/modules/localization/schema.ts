import { z } from 'zod'
import { GeoPose, latitude, longitude } from '../places/schema.ts'

/** Pixels of a camera may be that far from its image. */
const pixels = z.number().min(-1e6).max(1e6)
const focal = z.number().positive().max(1e6)

export const PhotoCamera = z
  .strictObject({
    fx: focal,
    fy: focal,
    cx: pixels,
    cy: pixels,
    distortion: z.array(z.number().min(-100).max(100)).max(5).default([]),
  })
  .meta({ id: 'PhotoCamera' })
export type PhotoCamera = z.infer<typeof PhotoCamera>

/** Maximum metres around a place within which surveyed tags are compared. */
export const MAX_RADIUS = 2000
export const DEFAULT_RADIUS = 200

export const Near = z
  .strictObject({
    lat: latitude,
    lon: longitude,
    radius: z.number().positive().max(MAX_RADIUS).default(DEFAULT_RADIUS),
  })
  .meta({ id: 'LocalizationArea' })
export type Near = z.infer<typeof Near>

export const LocalizationForm = z
  .object({
    image: z.string().meta({ format: 'binary' }),
    camera: z
      .string()
      .optional()
      .describe(
        'JSON: `{"fx", "fy", "cx", "cy", "distortion"?: [k1, k2, p1, p2, k3]}` in pixels, as OpenCV calibrates cameras. Default: the focal length in the EXIF, which is less accurate',
      ),
    near: z
      .string()
      .optional()
      .describe(
        `JSON: \`{"lat", "lon", "radius"?}\`, approximately where the camera is, in degrees and metres; \`radius\` is at most ${MAX_RADIUS}, by default ${DEFAULT_RADIUS}. Default: the place in the EXIF`,
      ),
    appId: z
      .string()
      .optional()
      .describe(
        'Only points of owners, admins and developers of this app count, as for the `proof` of its check-ins: tags that others have placed nearby do not make the pose ambiguous',
      ),
  })
  .meta({ id: 'LocalizationForm' })

/** The points that count: all, or those of an app. */
export const CountedPoints = z.object({ appId: z.uuid().optional() })
export type CountedPoints = z.infer<typeof CountedPoints>

/** What the texts of the form say. */
export type LocalizationOptions = CountedPoints & { camera: PhotoCamera | undefined; near: Near | undefined }

const LocalizedTag = z
  .object({
    aprilTagId: z.int(),
    gcpId: z.int().nullable().describe('The point that carries it; `null` if none of those nearby fits'),
    reprojectionError: z
      .number()
      .nullable()
      .describe('Pixels between the center of the tag and where the pose expects it'),
  })
  .meta({ id: 'LocalizedTag' })

const covariance = z
  .array(z.array(z.number()))
  .describe(
    'Of the position in metres (east, north, up) and of rotations about these axes in radians: 6 rows of 6 numbers',
  )

const candidate = z
  .object({ geoPose: GeoPose, covariance, tags: z.array(LocalizedTag) })
  .meta({ id: 'LocalizationCandidate' })

export const Localization = z
  .object({
    state: z
      .enum(['found', 'ambiguous', 'unknown'])
      .describe('`ambiguous`: `candidates` fit as well. `unknown`: `reason` says why'),
    reason: z.string().nullable(),
    geoPose: GeoPose.nullable().describe(
      'The pose of the camera. At angles of 0 it faces north with its top up: x points to the right of the image, y where the camera faces',
    ),
    covariance: covariance.nullable(),
    tags: z.array(LocalizedTag).describe('The AprilTags in the image'),
    candidates: z.array(candidate).describe('Other poses that fit as well, the likeliest first'),
    proof: z
      .string()
      .nullable()
      .describe(
        'With the state `found`: proves to a check-in where the camera was, for five minutes. Pass it on as it is',
      ),
  })
  .meta({ id: 'Localization' })
export type Localization = z.infer<typeof Localization>
