import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import { badRequest, type HttpError, invalid } from '../../platform/errors.ts'
import { formatBytes } from '../../platform/http/bodies/body-limits.ts'
import {
  acceptForms,
  type FormFile,
  formFiles,
  missingFile,
  passThroughValidator,
} from '../../platform/http/bodies/forms.ts'
import { needs } from '../../platform/http/docs/openapi.ts'
import { addressBlock } from '../../platform/http/limits/address-block.ts'
import { validator } from '../../platform/http/validation.ts'
import type { IncomingImage } from '../../platform/images/images.ts'
import { ErrorBody } from '../../platform/schema.ts'
import { type CameraImages, MAX_BYTES, MAX_PIXELS } from './camera-images.ts'
import { CountedPoints, Localization, LocalizationForm, Near, PhotoCamera } from './schema.ts'

type Deps = { cameras: CameraImages; guards: Guards }

/** Mounted under /api. */
export const localizationRoutes =
  ({ cameras, guards }: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    await acceptForms(app, { maxBytes: MAX_BYTES, maxFiles: 2 })

    app.post(
      '/location/localize',
      {
        config: { upload: 'request' as const },
        onRequest: guards.optionalUser,
        validatorCompiler: passThroughValidator,
        schema: {
          tags: ['Ground control points'],
          security: needs.optionalUser,
          consumes: ['multipart/form-data'],
          operationId: 'localizeCamera',
          summary: 'Locate a camera by surveyed AprilTags',
          description: `Computes the pose of the camera that took the image, from the ground control points with a pose whose AprilTags it shows. Three tags that are not in a line are needed, or one whose point has \`tagSize\` and \`tagPose\`, of which all four corners count. Three tags usually fit more than one pose, and so does one tag that is small in the image, because it may be tilted either way. Then \`state\` is \`ambiguous\`, and \`candidates\` lists the others. Four tags determine the pose. A tag that contradicts the others is left out if at least four others agree. The image is a JPEG, PNG, WebP, HEIC, HEIF or AVIF of at most ${formatBytes(MAX_BYTES)} and ${MAX_PIXELS / 1e6} million pixels. It is never stored.`,
          body: LocalizationForm,
          response: { 200: Localization, 413: ErrorBody, 415: ErrorBody, 503: ErrorBody },
        },
      },
      async (request, reply) => {
        const gone = new AbortController()
        reply.raw.once('close', () => gone.abort())
        const texts = new Map<string, string>()
        const sender = addressBlock(request.ip)
        const image = await onlyImage(formFiles(request, ['image'], texts), cameras, sender)
        try {
          const camera = readJson<PhotoCamera>(texts, 'camera', checkCamera)
          const near = readJson<Near>(texts, 'near', checkNear)
          const { appId } = valid<CountedPoints>(checkPoints, { appId: texts.get('appId') || undefined })
          return await cameras.locate(image, { camera, near, appId }, gone.signal)
        } finally {
          await cameras.drop(image)
        }
      },
    )
  }

/** @throws 400 for none or several */
async function onlyImage(files: AsyncIterable<FormFile>, cameras: CameraImages, sender: string) {
  let image: IncomingImage | undefined
  try {
    for await (const { bytes } of files) {
      if (image) throw badRequest('Send one image, in the part "image"; this form has several')
      image = await cameras.take(bytes, sender)
    }
  } catch (error) {
    if (image) await cameras.drop(image)
    throw error
  }
  if (!image) throw missingFile('image')
  return image
}

type Check = ReturnType<typeof validator>
const checkCamera = validator({ schema: PhotoCamera as z.ZodType })
const checkNear = validator({ schema: Near as z.ZodType })
const checkPoints = validator({ schema: CountedPoints as z.ZodType })

/** A text of the form as JSON; undefined if it is absent or empty. @throws 400 */
function readJson<T>(texts: Map<string, string>, field: string, check: Check): T | undefined {
  const text = texts.get(field)
  if (text === undefined || text === '') return undefined
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw invalid([{ code: 'custom', message: 'is not JSON', path: [field] }])
  }
  try {
    return valid<T>(check, json)
  } catch (error) {
    const { error: issues } = error as HttpError
    throw Array.isArray(issues) ? invalid(issues.map((issue) => ({ ...issue, path: [field, ...issue.path] }))) : error
  }
}

function valid<T>(check: Check, data: unknown): T {
  const { value, error } = check(data) as { value: T; error?: HttpError }
  if (error) throw error
  return value
}
