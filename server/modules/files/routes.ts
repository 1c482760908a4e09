import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import { acceptForms, type FormLimits, formFiles } from '../../platform/http/forms.ts'
import { needs } from '../../platform/http/openapi.ts'
import { ErrorBody } from '../../platform/schema.ts'
import {
  ConvertAnswer,
  ConvertedFileAnswer,
  ConvertForm,
  DownloadAnswer,
  DownloadQuery,
  FileParams,
  FileQuery,
  UploadAnswer,
  UploadForm,
} from './schema.ts'
import type { FileService } from './service.ts'

const tags = ['Files']
const security = needs.optionalCaller
const config = { upload: 'request' as const }
const consumes = ['multipart/form-data']
/** Forms are read by the handlers as they stream in; their schema is for the description alone. */
const validatorCompiler = () => (data: unknown) => ({ value: data })

type Parts = { service: FileService; guards: Guards; limits: FormLimits }

/** Mounted under /api. */
export const fileRoutes =
  ({ service, guards, limits }: Parts): FastifyPluginAsyncZod =>
  async (app) => {
    const forms: FastifyPluginAsyncZod = async (form) => {
      await acceptForms(form, limits)
      form.addHook('onRequest', guards.optionalCaller)
      const userOf = (request: object) => guards.maybeUserOf(request)?.id ?? null

      form.post(
        '/upload',
        {
          config,
          validatorCompiler,
          schema: {
            tags,
            security,
            consumes,
            summary: 'Upload files',
            description: `Images, videos, AR World files and any other type. At most ${limits.maxFiles} files of ${limits.maxBytes} bytes each. The type is found in the bytes. With a session the files belong to its user.`,
            body: UploadForm,
            response: { 200: UploadAnswer, 413: ErrorBody, 415: ErrorBody },
          },
        },
        async (request) => service.upload(formFiles(request, ['file', 'files', 'files[]']), userOf(request)),
      )

      form.post(
        '/upload/convert',
        {
          config,
          validatorCompiler,
          schema: {
            tags,
            security,
            consumes,
            summary: 'Upload a file and convert it to USDZ if it is a GLB',
            description:
              'Answers within about 10 s; without convertedFile if the conversion has not ended by then, or if the file is no GLB. A GLB that is malformed is 400 and not kept; a sound one that cannot be converted is kept and answers with status FAILED and the reason.',
            body: ConvertForm,
            response: { 200: ConvertAnswer, 413: ErrorBody, 415: ErrorBody },
          },
        },
        async (request) => {
          const sender = guards.senderOf(request).id
          return service.convert(formFiles(request, ['file']), { userId: userOf(request), sender })
        },
      )
    }
    await app.register(forms)
    app.addHook('preClose', async () => service.stopWaiting())

    app.get(
      '/upload/convert',
      {
        schema: {
          tags,
          summary: 'How far the conversion of a file is',
          querystring: FileQuery,
          response: { 200: ConvertAnswer },
        },
      },
      async (request) => service.conversionOf(request.query.fileId),
    )

    app.post(
      '/upload/:fileId/converted_file',
      {
        schema: {
          tags,
          summary: 'The USDZ of a GLB file, converted now if it was not before',
          description: 'Waits for the conversion as long as one may take; after that 503, and it may be asked again.',
          params: FileParams,
          response: { 200: ConvertedFileAnswer, 404: ErrorBody, 503: ErrorBody },
        },
      },
      async (request) => service.convertedFile(request.params.fileId, guards.senderOf(request).id),
    )

    app.get(
      '/download',
      {
        schema: {
          tags,
          summary: 'A signed address to download a file from',
          querystring: DownloadQuery,
          response: { 200: DownloadAnswer, 404: ErrorBody },
        },
      },
      async (request, reply) => {
        reply.header('cache-control', 'no-store')
        return { downloadUrl: await service.downloadAddress(request.query.url) }
      },
    )
  }
