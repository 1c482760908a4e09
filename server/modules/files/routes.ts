import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Guards, UserCaller } from '../../platform/credentials/guards.ts'
import { acceptForms, describedOnly, type FormLimits, formFiles } from '../../platform/http/bodies/forms.ts'
import { needs } from '../../platform/http/docs/openapi.ts'
import { left } from '../../platform/http/limits/left.ts'
import { Events, EventsQuery, NothingMore, RECORD_EVENTS } from '../../platform/live/event-answer.ts'
import type { FollowRecord } from '../../platform/live/follow.ts'
import { ErrorBody } from '../../platform/schema.ts'
import { TOPIC } from './conversion/conversions.ts'
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

type Parts = { service: FileService; guards: Guards; limits: FormLimits; follow: FollowRecord }

/** Mounted under /api. */
export const fileRoutes =
  ({ service, guards, limits, follow }: Parts): FastifyPluginAsyncZod =>
  async (app) => {
    const waiterOf = (request: FastifyRequest, reply: FastifyReply) => ({
      caller: guards.senderOf(request),
      left: left(reply),
    })
    const forms: FastifyPluginAsyncZod = async (form) => {
      await acceptForms(form, limits)
      form.addHook('onRequest', guards.optionalCaller)
      const makerOf = (request: object) => ({
        userId: guards.maybeUserOf(request)?.id ?? null,
        appId: guards.maybeAppOf(request)?.id ?? null,
      })

      form.post(
        '/upload',
        {
          config,
          validatorCompiler: describedOnly,
          schema: {
            tags,
            security,
            consumes,
            summary: 'Upload files',
            description: `Images, videos, AR World files and any other type. At most ${limits.maxFiles} files of ${limits.maxBytes} bytes each. The type is found in the bytes. One that is empty or too large is an item with status \`error\` and no bytes (\`fileSize\` 0), and does not stop the others; where all are too large the answer is 413. With a session the files belong to its user.`,
            body: UploadForm,
            response: { 200: UploadAnswer, 413: ErrorBody, 415: ErrorBody },
          },
        },
        async (request) => service.upload(formFiles(request, ['file', 'files', 'files[]']), makerOf(request)),
      )

      form.post(
        '/upload/convert',
        {
          config,
          validatorCompiler: describedOnly,
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
        async (request, reply) =>
          service.convert(formFiles(request, ['file']), { ...makerOf(request), waiter: waiterOf(request, reply) }),
      )
    }
    await app.register(forms)
    app.addHook('preClose', async () => service.stopWaiting())

    const viewed = { tags, security: needs.optionalUser }

    app.get(
      '/upload/convert',
      {
        onRequest: guards.optionalUser,
        schema: {
          ...viewed,
          summary: 'How far the conversion of a file is',
          description:
            'An unknown `fileId` is 400, as in every query; in the path of converted_file it is 404. The file of a private scan is 404 to all but its owner and ops.',
          querystring: FileQuery,
          response: { 200: ConvertAnswer, 404: ErrorBody },
        },
      },
      async (request) => service.conversionOf(request.query.fileId, guards.maybeUserOf(request)),
    )

    app.get(
      '/upload/:fileId/stream',
      {
        exposeHeadRoute: false,
        onRequest: guards.optionalUser,
        schema: {
          tags,
          security: needs.optionalUser,
          summary: 'The conversion of a file as it goes on: server-sent events',
          description: `What GET convert answers. The last state is that with \`convertedFile\`, that with status FAILED, or, of a file that is no GLB, the first; a file whose conversion nobody asked for yet is waited for. ${RECORD_EVENTS}`,
          params: FileParams,
          querystring: EventsQuery,
          response: { 200: Events, 204: NothingMore, 404: ErrorBody, 503: ErrorBody },
        },
      },
      async (request, reply) => {
        const { fileId: id } = request.params
        const subject = await service.contentOf(id, guards.maybeUserOf(request))
        const read = (viewer?: UserCaller) => service.progress(id, viewer)
        return follow(request, reply, { topic: TOPIC, subject, id, read })
      },
    )

    app.post(
      '/upload/:fileId/converted_file',
      {
        onRequest: guards.optionalUser,
        schema: {
          ...viewed,
          summary: 'The USDZ of a GLB file, converted now if it was not before',
          description:
            'Waits for the conversion as long as one may take; after that 503, and it may be asked again. 20 requests of an address without credentials wait at a time, 50 of a user, 200 of an app (429), 500 in all (503). The file of a private scan is 404 to all but its owner and ops.',
          params: FileParams,
          response: { 200: ConvertedFileAnswer, 404: ErrorBody, 503: ErrorBody },
        },
      },
      async (request, reply) =>
        service.convertedFile(request.params.fileId, guards.maybeUserOf(request), waiterOf(request, reply)),
    )

    app.get(
      '/download',
      {
        onRequest: guards.optionalUser,
        schema: {
          ...viewed,
          summary: 'A signed address to download a file from',
          description:
            'By its address, whatever the service was reached at when it gave it, or by its key. Of a private scan’s file, preview and USDZ: for its owner and ops, else 404.',
          querystring: DownloadQuery,
          response: { 200: DownloadAnswer, 404: ErrorBody },
        },
      },
      async (request, reply) => {
        reply.header('cache-control', 'no-store')
        return { downloadUrl: await service.downloadAddress(request.query.url, guards.maybeUserOf(request)) }
      },
    )
  }
