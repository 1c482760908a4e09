import { z } from 'zod'
import { latitude, longitude } from '../../places/schema.ts'

/** Milliseconds since 1970. */
const time = z.number().describe('Milliseconds since 1970')
const sensorId = z.string().max(255)

const CameraParams = z
  .object({
    model: z
      .string()
      .max(64)
      .optional()
      .describe(
        'SIMPLE_PINHOLE (f, cx, cy), PINHOLE (fx, fy, cx, cy), SIMPLE_RADIAL (f, cx, cy, k), RADIAL (f, cx, cy, k1, k2), OPENCV (fx, fy, cx, cy, k1, k2, p1, p2) or FULL_OPENCV (and k3, with k4 to k6 of 0). UNKNOWN_CAMERA: the focal length in the EXIF',
      ),
    modelParams: z
      .array(z.number().min(-1e6).max(1e6))
      .max(12)
      .optional()
      .describe('In pixels. As in COLMAP, the center of the top left pixel is (0.5, 0.5)'),
  })
  .meta({ id: 'GeoPoseCameraParams' })
export type CameraParams = z.infer<typeof CameraParams>

const position = z.object({ lon: longitude, lat: latitude, h: z.number().describe('Metres above the WGS84 ellipsoid') })
const pose = z.object({
  position,
  quaternion: z
    .object({ x: z.number(), y: z.number(), z: z.number(), w: z.number() })
    .describe(
      'In the frame East-North-Up. At identity the camera faces north with its top up: x points to the right of the image, y where the camera faces',
    ),
})

const CameraReading = z
  .object({
    sensorId: sensorId.optional(),
    size: z.array(z.number()).max(2).optional().describe('Width and height, as in the image'),
    imageBytes: z
      .string()
      .min(1)
      .describe('The image in base64: JPEG, PNG, WebP, HEIC, HEIF or AVIF, whatever `imageFormat` says'),
    imageOrientation: z.object({ mirrored: z.boolean().optional() }).nullish().describe('A mirrored image is refused'),
    params: CameraParams.nullish(),
  })
  .meta({ id: 'GeoPoseCameraReading' })
export type CameraReading = z.infer<typeof CameraReading>

/** What is used of a request of the protocol; it may have more. */
export const GeoPoseRequest = z
  .object({
    id: z.string().max(255),
    timestamp: time,
    type: z.literal('geopose'),
    sensors: z.array(z.object({ id: sensorId, type: z.string().max(64), params: CameraParams.nullish() })).max(50),
    sensorReadings: z.object({
      cameraReadings: z.array(CameraReading).length(1),
      geolocationReadings: z
        .array(z.object({ latitude, longitude, accuracy: z.number().min(0).nullish().describe('Metres') }))
        .max(100)
        .optional()
        .describe('The last one says approximately where the camera is'),
    }),
    priorPoses: z
      .array(z.object({ geopose: z.object({ position: position.partial({ h: true }) }) }))
      .max(100)
      .nullish()
      .describe('Without `geolocationReadings`, the last one says approximately where the camera is'),
  })
  .meta({ id: 'GeoPoseRequest' })
export type GeoPoseRequest = z.infer<typeof GeoPoseRequest>

const accuracy = z.object({
  position: z.number().describe('Mean standard deviation of the three coordinates, in metres'),
  orientation: z.number().describe('Mean standard deviation of the three angles, in degrees'),
})

export const GeoPoseResponse = z
  .object({
    id: z.string().describe('As in the request'),
    timestamp: time.describe('As in the request'),
    type: z.literal('geopose'),
    accuracy,
    geopose: pose,
    candidates: z
      .array(z.object({ accuracy, geopose: pose }))
      .describe('Other poses that fit as well, the likeliest first; not a member of the protocol'),
  })
  .meta({ id: 'GeoPoseResponse' })
export type GeoPoseResponse = z.infer<typeof GeoPoseResponse>
