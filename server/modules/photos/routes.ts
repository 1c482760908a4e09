import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import type { HttpError } from '../../platform/errors.ts'
import { formatBytes } from '../../platform/http/bodies/body-limits.ts'
import { acceptForms, formFiles, passThroughValidator } from '../../platform/http/bodies/forms.ts'
import { needs } from '../../platform/http/docs/openapi.ts'
import { addressBlock } from '../../platform/http/limits/address-block.ts'
import { validator } from '../../platform/http/validation.ts'
import { ErrorBody } from '../../platform/schema.ts'
import * as photo from './photo-receiver.ts'
import * as relocalization from './relocalization.ts'
import {
  MAX_OF_GCP,
  MAX_PHOTOS,
  Photos,
  PhotosForm,
  PhotosKept,
  PhotosQuery,
  PhotosTexts,
  RelocalizationAnswer,
  RelocalizationForm,
} from './schema.ts'
import type { PhotoService } from './service.ts'

const consumes = ['multipart/form-data']
const config = { upload: 'request' as const }
const formErrors = { 413: ErrorBody, 415: ErrorBody, 503: ErrorBody }

type Deps = {
  service: PhotoService
  intake: photo.PhotoReceiver
  relocalizations: relocalization.RelocalizationPhotos
  guards: Guards
}

/** Mounted under /api. */
export const photoRoutes =
  ({ service, intake, relocalizations, guards }: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    const forms: FastifyPluginAsyncZod = async (form) => {
      // Read more photos than are accepted, so that the refusal can say so.
      await acceptForms(form, { maxBytes: photo.MAX_BYTES, maxFiles: 8 })

      form.post(
        '/upload/relocalization',
        {
          config,
          onRequest: guards.user,
          validatorCompiler: passThroughValidator,
          schema: {
            tags: ['Files'],
            security: needs.user,
            consumes,
            operationId: 'uploadRelocalizationPhoto',
            summary: 'Upload a relocalization photo',
            description: `Accepts one JPEG, PNG, WebP, HEIC, HEIF or AVIF, detected from its bytes (anything else returns 400), of at most ${formatBytes(relocalization.MAX_BYTES)} and ${relocalization.MAX_PIXELS / 1e6} million pixels. The stored photo has all its pixels, is turned upright, in sRGB and without metadata (such as where it was taken). HEIC and HEIF become JPEG; of an animation, the first frame is kept. Use the URL as the \`relocalizationPhotoUrl\` of a pin: devices find their position with it. Anyone with the URL can read the photo.`,
            body: RelocalizationForm,
            response: { 200: RelocalizationAnswer, ...formErrors },
          },
        },
        async (request) => relocalizations.receive(formFiles(request, ['file']), guards.userOf(request).id),
      )

      form.post(
        '/upload/gcp-photos',
        {
          config,
          onRequest: guards.writer,
          validatorCompiler: passThroughValidator,
          schema: {
            tags: ['Ground control points'],
            security: guards.openWrites ? needs.optionalUser : needs.user,
            consumes,
            operationId: 'uploadGcpPhotos',
            summary: 'Upload photos of a ground control point',
            description: `Accepts 1 to ${MAX_PHOTOS} images (JPEG, PNG, GIF, WebP, HEIC or HEIF, detected from their bytes), each of at most ${formatBytes(photo.MAX_BYTES)} and ${photo.MAX_PIXELS / 1e6} million pixels. They are stored as sent, including metadata: anyone with the URL can read where they were taken. Either all of them are accepted or none. With \`gcpId\`, they are added to the point at once: this requires its creator, the owner or an editor of its zone, or ops, and a point can have at most ${MAX_OF_GCP} photos. Without it, add them to a point later with \`uploadedFileIds\`. In the form, \`gcpId\` and \`userId\` may come before or after the files. A job then checks each photo: \`tagCheck\` says whether it shows the AprilTag of the point.`,
            body: PhotosForm,
            response: { 200: PhotosKept, 403: ErrorBody, ...formErrors },
          },
        },
        async (request) => {
          const texts = new Map<string, string>()
          const writer = guards.writerOf(request)
          const files = formFiles(request, ['files', 'files[]', 'file'], texts)
          return intake.receive(files, writer.id ?? addressBlock(request.ip), (waiting) =>
            service.keep(writer, textsOf(texts), waiting),
          )
        },
      )
    }
    await app.register(forms)

    app.get(
      '/upload/gcp-photos',
      {
        onRequest: guards.optionalUser,
        schema: {
          tags: ['Ground control points'],
          security: needs.optionalUser,
          operationId: 'listGcpPhotos',
          summary: 'List the photos of a ground control point',
          description:
            'Lists the uploaded photos among its `photoUrls`, in that order, each with the AprilTags that it shows, compared with the tag of the point.',
          querystring: PhotosQuery,
          response: { 200: Photos },
        },
      },
      async (request) => {
        const { gcpId, userId } = request.query
        return { status: 'success' as const, files: await service.ofGcp(gcpId, userId) }
      },
    )
  }

const checkTexts = validator({ schema: PhotosTexts })

/** Ignores empty form fields. @throws 400 */
function textsOf(texts: Map<string, string>): PhotosTexts {
  const given = Object.fromEntries([...texts].filter(([, text]) => text !== ''))
  const { value, error } = checkTexts(given) as { value?: PhotosTexts; error?: HttpError }
  if (error) throw error
  return value!
}
