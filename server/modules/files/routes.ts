import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { UserCaller } from '../../platform/credentials/callers.ts'
import type { Guards } from '../../platform/credentials/guards.ts'
import { formatBytes } from '../../platform/http/bodies/body-limits.ts'
import { acceptForms, type FormLimits, formFiles, passThroughValidator } from '../../platform/http/bodies/forms.ts'
import { disconnectSignal } from '../../platform/http/connections/disconnect-signal.ts'
import { needs } from '../../platform/http/docs/openapi.ts'
import { validator } from '../../platform/http/validation.ts'
import type { FollowRecord } from '../../platform/live/record-stream.ts'
import { Events, EventsQuery, NothingMore, RECORD_EVENTS } from '../../platform/live/sse-response.ts'
import { ErrorBody } from '../../platform/schema.ts'
import { optionsText } from './conversion/conversion-key.ts'
import { TOPIC } from './conversion/conversions.ts'
import {
  ConversionQuery,
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

type Deps = { service: FileService; guards: Guards; limits: FormLimits; follow: FollowRecord }

/** Mounted under /api. */
export const fileRoutes =
  ({ service, guards, limits, follow }: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    const waiterOf = (request: FastifyRequest, reply: FastifyReply) => ({
      caller: guards.senderOf(request),
      left: disconnectSignal(reply),
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
          validatorCompiler: passThroughValidator,
          schema: {
            tags,
            security,
            consumes,
            operationId: 'uploadFiles',
            summary: 'Upload files',
            description: `Accepts images, videos, AR World files and any other type. At most ${limits.maxFiles} files of ${formatBytes(limits.maxBytes)} each. The type is detected from the bytes. A file that is empty or too large becomes an item with status \`error\` and no bytes (\`fileSize\` 0); the others are not affected. If all files are too large, the response is 413. With a session, the files belong to its user.`,
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
          validatorCompiler: (route) =>
            route.httpPart === 'body' ? passThroughValidator() : validator(route as never),
          schema: {
            tags,
            security,
            consumes,
            operationId: 'uploadAndConvert',
            summary: 'Upload a file and convert a model',
            description:
              'Responds within about 10 s. `convertedFile` is absent if the conversion has not ended by then, or if the file is not a GLB, PLY, OBJ or STL. With `format=glb`, the file must be a USDZ (400), which is converted to GLB; without, a USDZ is stored and not converted. A malformed model, and a file that claims to be a model but is not, return 400 and are not stored. A valid model that cannot be converted, such as a point cloud, is stored, and the response has status FAILED and the reason. PLY, OBJ and STL have no unit of length: one unit becomes one metre unless `scale` says otherwise. The options are in the query; each set of options has its own result, and equal bytes are converted once for each set. The same content can have results for 20 sets of options besides the conversion without options (409 beyond that); a failed set is replaced by a new one.',
            querystring: ConversionQuery,
            body: ConvertForm,
            response: { 200: ConvertAnswer, 409: ErrorBody, 413: ErrorBody, 415: ErrorBody },
          },
        },
        async (request, reply) =>
          service.convert(formFiles(request, ['file']), {
            ...makerOf(request),
            options: request.query,
            waiter: waiterOf(request, reply),
          }),
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
          operationId: 'getConversion',
          summary: 'Get the conversion of a file',
          description:
            'Returns the conversion with the options in the query, or the one without options. An unknown `fileId` returns 400, as in every query; in the path of `converted_file` it returns 404. The file of a private scan returns 404 for everyone but its owner and ops.',
          querystring: FileQuery,
          response: { 200: ConvertAnswer, 404: ErrorBody },
        },
      },
      async (request) => service.conversionOf(request.query.fileId, request.query, guards.maybeUserOf(request)),
    )

    app.get(
      '/upload/:fileId/stream',
      {
        exposeHeadRoute: false,
        onRequest: guards.optionalUser,
        schema: {
          tags,
          security: needs.optionalUser,
          operationId: 'streamConversion',
          summary: 'Stream the conversion of a file',
          description: `Sends what \`GET /api/upload/convert\` returns. The last state has \`convertedFile\` or status FAILED. For a file that is not converted to the requested format, the first state is the last. If nobody has requested the conversion yet, the stream waits for it. ${RECORD_EVENTS}`,
          params: FileParams,
          querystring: EventsQuery.extend(ConversionQuery.shape),
          response: { 200: Events, 204: NothingMore, 404: ErrorBody, 503: ErrorBody },
        },
      },
      async (request, reply) => {
        const { fileId } = request.params
        const options = optionsText(request.query)
        const subject = await service.contentOf(fileId, request.query, guards.maybeUserOf(request))
        const read = (viewer?: UserCaller) => service.progress(fileId, options, viewer)
        return follow(request, reply, { topic: TOPIC, subject, id: `${fileId} ${options}`, read })
      },
    )

    app.post(
      '/upload/:fileId/converted_file',
      {
        onRequest: guards.optionalUser,
        schema: {
          ...viewed,
          operationId: 'convertFile',
          summary: 'Convert a model',
          description:
            'Converts a GLB, PLY, OBJ or STL to USDZ, or with `format=glb` a USDZ to GLB. Any other file returns 400, and so does a file that is itself the result of a conversion. Returns the existing result, or converts the file and waits for it. The options are in the query; each set of options has its own result. New options for the file of a user require its owner or ops (403). The same content can have results for 20 sets of options besides the conversion without options (409 beyond that); a failed set is replaced by a new one. If the conversion takes longer than it may, the response is 503: send the request again. At most 20 requests of an address without a session and 50 of a user wait at a time (429), and 500 in total (503). The file of a private scan returns 404 for everyone but its owner and ops.',
          params: FileParams,
          querystring: ConversionQuery,
          response: { 200: ConvertedFileAnswer, 403: ErrorBody, 404: ErrorBody, 409: ErrorBody, 503: ErrorBody },
        },
      },
      async (request, reply) =>
        service.convertedFile(request.params.fileId, request.query, {
          viewer: guards.maybeUserOf(request),
          waiter: waiterOf(request, reply),
        }),
    )

    app.get(
      '/download',
      {
        onRequest: guards.optionalUser,
        schema: {
          ...viewed,
          operationId: 'getDownloadUrl',
          summary: 'Get a signed URL to download a file',
          description:
            'Accepts the URL of a file or its key. URLs issued under an earlier address of the service are accepted too. The file, preview and converted files of a private scan return 404 for everyone but its owner and ops.',
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
