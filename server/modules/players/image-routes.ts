import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import { badRequest } from '../../platform/errors.ts'
import { formatBytes } from '../../platform/http/bodies/body-limits.ts'
import { acceptForms, type FormFile, formFiles, missingFile } from '../../platform/http/bodies/forms.ts'
import { needs } from '../../platform/http/docs/openapi.ts'
import { validator } from '../../platform/http/validation.ts'
import { ErrorBody, pathId } from '../../platform/schema.ts'
import { LARGEST, MAX_BYTES, MAX_PIXELS, type ProfileImage, type ProfileImages, SMALLEST } from './profile-image.ts'
import { ProfileImageAnswer, ProfileImageForm, Success } from './schema.ts'
import type { PlayerService } from './service.ts'

const tags = ['Players']
const security = needs.appKey
const params = z.object({ id: pathId('Player') })
const path = '/players/:id/profile-image'
const errors = { 403: ErrorBody, 404: ErrorBody }

type Deps = { service: PlayerService; images: ProfileImages; guards: Guards }

/** Mounted under /api/v1/apps. */
export const profileImageRoutes =
  ({ service, images, guards }: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    app.addHook('onRequest', guards.app)

    app.delete(
      path,
      {
        config: { appRole: 'moderator', clientKey: { ofPlayer: 'id' } },
        schema: {
          tags,
          security,
          operationId: 'deleteProfileImage',
          summary: "Delete a player's profile image",
          description: 'Succeeds even if there is none.',
          params,
          response: { 200: Success, ...errors },
        },
      },
      async (request) => {
        await service.removeImage(guards.appOf(request).id, request.params.id)
        return { success: true as const }
      },
    )

    const forms: FastifyPluginAsyncZod = async (form) => {
      await acceptForms(form, { maxBytes: MAX_BYTES, maxFiles: 8 })
      // The handler reads the form as a stream; the schema only documents it.
      form.setValidatorCompiler(((part: Parameters<typeof validator>[0]) =>
        part.httpPart === 'body' ? (data: unknown) => ({ value: data }) : validator(part)) as never)
      form.patch(
        path,
        {
          config: { appRole: 'moderator', clientKey: { ofPlayer: 'id' }, upload: 'request' },
          schema: {
            tags,
            security,
            consumes: ['multipart/form-data'],
            operationId: 'setProfileImage',
            summary: "Set a player's profile image",
            description: `Accepts one JPEG, PNG, GIF or WebP, detected from its bytes, of at most ${formatBytes(MAX_BYTES)} (larger returns 400). The image has at least ${SMALLEST}x${SMALLEST} pixels and at most ${MAX_PIXELS / 1e6} million in all frames together; square is best. It is turned upright by its EXIF orientation, reduced to fit ${LARGEST}x${LARGEST} if it is larger, and stored without metadata (such as where it was taken). Animations stay animated.`,
            params,
            body: ProfileImageForm,
            response: { 200: ProfileImageAnswer, ...errors, 413: ErrorBody, 415: ErrorBody, 503: ErrorBody },
          },
        },
        async (request) => {
          const appId = guards.appOf(request).id
          await service.checkOwn(appId, request.params.id)
          const image = await onlyImage(formFiles(request, ['image']), (bytes) => images.read(bytes, appId))
          return { imageUrl: await service.setImage(appId, request.params.id, image) }
        },
      )
    }
    await app.register(forms)
  }

/** Returns the one image of a form, once the whole form has arrived. */
async function onlyImage(
  files: AsyncIterable<FormFile>,
  read: (bytes: FormFile['bytes']) => Promise<ProfileImage>,
): Promise<ProfileImage> {
  let image: ProfileImage | undefined
  for await (const { bytes } of files) {
    if (image) throw badRequest('Send one image, in the part "image"; this form has several')
    image = await read(bytes)
  }
  if (!image) throw missingFile('image')
  return image
}
