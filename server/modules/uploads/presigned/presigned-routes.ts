import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Guards } from '../../../platform/credentials/guards.ts'
import { formatBytes } from '../../../platform/http/bodies/body-limits.ts'
import { needs } from '../../../platform/http/docs/openapi.ts'
import { ErrorBody } from '../../../platform/schema.ts'
import { fileNameOfKey } from '../../../platform/storage/objects.ts'
import { bodyStream, streamBodies } from '../body-stream.ts'
import type { CountElsewhere } from '../limits/upload-limits.ts'
import { PresignAnswer, PresignBody } from '../schema.ts'
import type { PresignedService, SignedPut } from './presigned-service.ts'

type Deps = { service: PresignedService; guards: Guards; countElsewhere: CountElsewhere; maxBytes: number }

/**
 * An announcement is stored for an hour after its URL has expired, so without a credential it counts as this many
 * requests.
 */
const COST_OF_STRANGER = 10

/** Mounted under /api. */
export const presignedRoutes =
  ({ service, guards, countElsewhere, maxBytes }: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/upload/presigned',
      {
        onRequest: guards.optionalCaller,
        config: { cost: (_query, isKnown) => (isKnown ? 1 : COST_OF_STRANGER) },
        schema: {
          tags: ['Files'],
          security: needs.optionalCaller,
          operationId: 'createPresignedUpload',
          summary: 'Create a presigned upload',
          description:
            'PUT the bytes to `uploadUrl` within 15 minutes, with the header Content-Type as announced: the response is 200 with the upload result. ' +
            `The body has at most ${formatBytes(maxBytes)}, or exactly \`fileSize\` if that is given. The PUT returns 400 if the body is empty or its content is not of that type, 403 if the URL was changed or has expired, 409 if the file was already sent, 413 for too many bytes and 415 for another Content-Type. ` +
            'A refused or interrupted PUT leaves nothing behind and can be sent again. With a session, the file belongs to its user. ' +
            'With `direct`, if the storage has URLs of its own, the PUT goes to the storage, must carry all `headers`, and gets the response of the storage. The file is checked on its first use, or within two hours.',
          body: PresignBody,
          response: { 200: PresignAnswer, 413: ErrorBody, 507: ErrorBody },
        },
      },
      async (request, reply) => {
        reply.header('cache-control', 'no-store')
        const userId = guards.maybeUserOf(request)?.id ?? null
        return service.announce(request.body, userId, (size) => countElsewhere(request, reply, size))
      },
    )
  }

/** Receives the bytes. Mounted under /files. */
export const presignedPutRoutes =
  ({ service, guards }: Pick<Deps, 'service' | 'guards'>): FastifyPluginAsync =>
  async (app) => {
    streamBodies(app)
    // No credential is required, but with one the sender's quota is higher.
    const options = { config: { upload: 'request' as const }, onRequest: guards.optionalCaller }
    app.put('/*', { ...options, schema: { hide: true } as object }, async (request, reply) => {
      const { 'content-type': contentType, 'content-length': length } = request.headers
      const size = length === undefined ? undefined : Number(length)
      const grant = grantOf(request)
      const result = await service.put(grant, { contentType, size, bytes: bodyStream(request) })
      return reply.headers({ etag: `"${fileNameOfKey(grant.key)}"`, 'cache-control': 'no-store' }).send(result)
    })
  }

/** What the URL claims to allow; its signature is checked elsewhere. */
function grantOf(request: FastifyRequest): SignedPut {
  const { expires, type, size, signature } = request.query as Record<string, unknown>
  return {
    key: (request.params as { '*': string })['*'],
    expires: Number(expires),
    type: String(type),
    size: Number(size),
    signature: String(signature),
  }
}
