import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Guards } from '../../../platform/credentials/guards.ts'
import { badRequest, HttpError, invalid } from '../../../platform/errors.ts'
import { MAX_BODY_BYTES } from '../../../platform/http/bodies/body-limits.ts'
import { needs } from '../../../platform/http/docs/openapi.ts'
import { addressBlock } from '../../../platform/http/limits/address-block.ts'
import type { IncomingImage } from '../../../platform/images/images.ts'
import { ErrorBody } from '../../../platform/schema.ts'
import type { CameraImages } from '../camera-images.ts'
import { DEFAULT_RADIUS, MAX_RADIUS, type Near } from '../schema.ts'
import { cameraOf } from './camera-params.ts'
import { presentPose } from './pose.ts'
import { type CameraReading, GeoPoseRequest, GeoPoseResponse } from './schema.ts'

/** The body is parsed in memory, unlike a form: an image of some six megabytes. */
const BODY_BYTES = 8 * 2 ** 20
/** A receiver may be that many times as far off as it says. */
const DEVIATIONS = 3

type Deps = { cameras: CameraImages; guards: Guards }

/** The OSCP GeoPose Protocol. Mounted under /, where its clients expect it. */
export const geoPoseRoutes =
  ({ cameras, guards }: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/geopose',
      {
        config: { upload: 'request' as const, charactersOutsideStrings: MAX_BODY_BYTES },
        bodyLimit: BODY_BYTES,
        onRequest: guards.optionalUser,
        schema: {
          tags: ['Ground control points'],
          security: needs.optionalUser,
          operationId: 'locateByGeoPoseProtocol',
          summary: 'Locate a camera by the OSCP GeoPose Protocol',
          description:
            'Like `POST /api/location/localize`, in the JSON of the [GeoPose Protocol](https://github.com/OpenArCloud/oscp-geopose-protocol) of the Open AR Cloud: one camera reading with an image in base64, whose `params`, or those of its sensor, describe the camera. Members that are not listed are ignored. Without a pose, the response is 422 with the reason. The image is never stored.',
          body: GeoPoseRequest,
          response: { 200: GeoPoseResponse, 413: ErrorBody, 422: ErrorBody, 503: ErrorBody },
        },
      },
      async (request, reply) => {
        const gone = new AbortController()
        reply.raw.once('close', () => gone.abort())
        const { id, timestamp, sensorReadings, sensors } = request.body
        const reading = sensorReadings.cameraReadings[0]!
        const params = reading.params ?? sensors.find((sensor) => sensor.id === reading.sensorId)?.params
        const camera = cameraOf(params)
        const image = await cameras.take(bytesOf(reading), addressBlock(request.ip))
        try {
          if (camera) assertSize(reading, image)
          const question = { camera, near: nearOf(request.body) }
          const found = await cameras.locate(image, question, gone.signal).catch(named)
          if (found.geoPose === null || found.covariance === null) throw new HttpError(422, found.reason!)
          const best = presentPose(found.geoPose, found.covariance)
          const candidates = found.candidates.map(({ geoPose, covariance }) => presentPose(geoPose, covariance))
          return { id, timestamp, type: 'geopose' as const, ...best, candidates }
        } finally {
          await cameras.drop(image)
        }
      },
    )
  }

/** @throws 400 */
async function* bytesOf({ imageBytes, imageOrientation }: CameraReading) {
  if (imageOrientation?.mirrored) throw badRequest('The image is mirrored: send it as the camera sees')
  const text = imageBytes.slice(imageBytes.startsWith('data:') ? imageBytes.indexOf(',') + 1 : 0)
  const bytes = Buffer.from(text, 'base64')
  if (!isBase64(text, bytes.length)) throw badRequest('imageBytes is not base64')
  yield bytes
}

/**
 * Whether all of a text is base64, with or without padding. The decoder skips other characters and takes those of
 * base64url too. @param length of what it found
 */
function isBase64(text: string, length: number): boolean {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const digits = text.length - padding
  const isWhole = digits > 0 && digits % 4 !== 1 && length === Math.floor((digits * 3) / 4)
  // Beyond ASCII, the decoder looks at the lower byte of a character.
  return isWhole && !text.includes('-') && !text.includes('_') && Buffer.byteLength(text) === text.length
}

/** @throws 400: the camera is that of another size */
function assertSize({ size = [] }: CameraReading, { width, height }: IncomingImage) {
  const [w, h] = size
  if (!w || !h || (w === width && h === height)) return
  throw badRequest(
    `size is ${w} × ${h}, but the image has ${width} × ${height} pixels: send the image that params describe`,
  )
}

/** Where the request has what it lacks. */
const places: Record<string, (string | number)[]> = {
  near: ['sensorReadings', 'geolocationReadings'],
  camera: ['sensorReadings', 'cameraReadings', 0, 'params'],
}

/** The fault of an image, by the names of the protocol. */
function named(error: unknown): never {
  if (!(error instanceof HttpError) || typeof error.error === 'string') throw error
  throw invalid(error.error.map((issue) => ({ ...issue, path: places[String(issue.path[0])] ?? issue.path })))
}

function nearOf({ sensorReadings: { geolocationReadings }, priorPoses }: GeoPoseRequest): Near | undefined {
  const place = geolocationReadings?.at(-1)
  if (place) {
    const radius = Math.min(MAX_RADIUS, Math.max(DEFAULT_RADIUS, DEVIATIONS * (place.accuracy ?? 0)))
    return { lat: place.latitude, lon: place.longitude, radius }
  }
  const prior = priorPoses?.at(-1)?.geopose.position
  return prior && { lat: prior.lat, lon: prior.lon, radius: DEFAULT_RADIUS }
}
