import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Guards } from '../../../platform/credentials/guards.ts'
import { badRequest, HttpError } from '../../../platform/errors.ts'
import { formatBytes } from '../../../platform/http/bodies/body-limits.ts'
import { needs } from '../../../platform/http/docs/openapi.ts'
import { ErrorBody } from '../../../platform/schema.ts'
import { bodyStream, streamBodies } from '../body-stream.ts'
import { ResumableParams, ResumableState } from '../schema.ts'
import type { ResumableService } from './resumable-service.ts'
import { fileHeaders, TUS_VERSION, type Tus } from './tus.ts'

const tags = ['Files']
const security = needs.optionalCaller
const CHUNK = 'application/offset+octet-stream'

type Deps = {
  tus: Tus
  service: ResumableService
  guards: Guards
  addressOf: (key: string) => string
  /** Bytes of the largest file, with and without a credential. */
  limits: { known: number; anonymous: number }
}

/** Resumable uploads over the tus protocol. Mounted under /api/upload. */
export const tusRoutes =
  ({ tus, service, guards, addressOf, limits }: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    streamBodies(app)
    app.addHook('onRequest', guards.optionalCaller)
    app.addHook('onSend', async (request, reply) => {
      const isOptions = request.method === 'OPTIONS'
      if (!isOptions) reply.header('tus-resumable', TUS_VERSION)
      if (isOptions || reply.statusCode === 412) reply.header('tus-version', TUS_VERSION)
      if (isOptions) reply.headers({ 'tus-extension': tus.extensions, 'tus-max-size': limits.known })
      if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    })

    const callerOf = (request: FastifyRequest) => ({
      userId: guards.maybeUserOf(request)?.id ?? null,
      appId: guards.maybeAppOf(request)?.id ?? null,
    })

    // A stopping service does not wait for the rest of a chunk: what has arrived is stored and acknowledged, and the
    // client resumes from there.
    const receiving = new Set<IncomingMessage>()
    app.addHook('preClose', async () => {
      for (const raw of receiving) endEarly(raw)
    })

    const answer = async (request: FastifyRequest, reply: FastifyReply, method = request.method) => {
      const { id } = request.params as { id?: string }
      const caller = callerOf(request)
      const upload = id === undefined ? undefined : await service.find(id, caller)
      mustSpeakTus(request, method)
      const file = upload && (await service.finish(upload.id))
      const body = request.body ? bodyStream(request) : undefined
      // The close event has already fired if the client left meanwhile.
      if (!reply.raw.destroyed) {
        receiving.add(request.raw)
        reply.raw.once('close', () => receiving.delete(request.raw))
      }
      const asked = {
        method,
        ...(id === undefined ? {} : { id }),
        headers: headersOf(request),
        body,
        caller,
        maxBytes: caller.userId || caller.appId ? limits.known : limits.anonymous,
      }
      // The rest of a refused body is discarded.
      const answered = await tus.answer(asked).finally(() => void body?.return(undefined).catch(() => {}))
      if (file) reply.headers(fileHeaders(file, addressOf))
      return reply.code(answered.status).headers(answered.headers).send()
    }

    // OPTIONS is answered as a preflight; the hook above adds the tus headers.
    const hidden = { schema: { hide: true } as object }
    for (const url of ['/tus', '/tus/:id']) app.options(url, hidden, async (_request, reply) => reply.code(204).send())

    // For clients that cannot send PATCH or DELETE.
    const overridden = {
      ...hidden,
      config: { upload: 'chunk' as const, holdsSecret: true, needsDiskSpace: false as const },
    }
    app.post('/tus/:id', overridden, async (request, reply) => {
      const method = String(request.headers['x-http-method-override'] ?? '')
      if (!['PATCH', 'DELETE', 'HEAD'].includes(method))
        throw badRequest('A POST here needs the header X-HTTP-Method-Override: PATCH, DELETE or HEAD')
      return answer(request, reply, method)
    })

    const protocol = 'Part of tus 1.0.0 (https://tus.io), for its clients. Requires the header Tus-Resumable: 1.0.0. '
    const refusals = { 409: ErrorBody, 410: ErrorBody, 412: ErrorBody }
    const params = ResumableParams

    app.post(
      '/tus',
      {
        config: { upload: 'request', holdsSecret: true },
        schema: {
          tags,
          security,
          operationId: 'createResumableUpload',
          summary: 'Create a resumable upload',
          description:
            `${protocol}Upload-Length states how many bytes will be sent (or Upload-Defer-Length: 1, and the length later), and Upload-Metadata the \`filename\`. ` +
            `Location in the response has the URL to send the bytes to. A body of ${CHUNK} contains the first of them. At most ${formatBytes(limits.known)} with a session or an app key, ${formatBytes(limits.anonymous)} without. ` +
            "An upload created with a session continues only with a session of the same user, and becomes that user's file. Unfinished uploads are deleted after 24 hours (Upload-Expires).",
          response: {
            201: z.null().describe('Created'),
            400: ErrorBody,
            412: ErrorBody,
            413: ErrorBody,
            415: ErrorBody,
          },
        },
      },
      (request, reply) => answer(request, reply),
    )

    app.patch(
      '/tus/:id',
      {
        config: { upload: 'chunk', holdsSecret: true },
        schema: {
          tags,
          security,
          params,
          consumes: [CHUNK],
          operationId: 'appendToResumableUpload',
          summary: 'Append bytes to a resumable upload',
          description: `${protocol}Upload-Offset must be the current offset, which HEAD returns. Bytes received before an interruption are kept. With the last byte, the upload becomes a file: Upload-File-Id and Upload-File-Url name it.`,
          response: { 204: z.null().describe('Stored'), 404: ErrorBody, ...refusals, 413: ErrorBody, 415: ErrorBody },
        },
      },
      (request, reply) => answer(request, reply),
    )

    app.head(
      '/tus/:id',
      {
        schema: {
          tags,
          security,
          params,
          summary: 'Get the offset of a resumable upload',
          description: `${protocol}Upload-Offset has the number of bytes received.`,
          response: { 200: z.null().describe('The offset, in the headers'), 404: ErrorBody, ...refusals },
        },
      },
      (request, reply) => answer(request, reply),
    )

    app.delete(
      '/tus/:id',
      {
        schema: {
          tags,
          security,
          params,
          operationId: 'cancelResumableUpload',
          summary: 'Cancel a resumable upload',
          description: `${protocol}Deletes the bytes received. Returns 409 for a finished upload, which has become a file.`,
          response: { 204: z.null().describe('Deleted'), 404: ErrorBody, ...refusals },
        },
      },
      (request, reply) => answer(request, reply),
    )

    app.get(
      '/tus/:id',
      {
        schema: {
          tags,
          security,
          params,
          operationId: 'getResumableUpload',
          summary: 'Get the state of a resumable upload',
          description:
            'For clients that lost the last response or do not read headers. Available for 24 hours after the upload is finished.',
          response: { 200: ResumableState, 404: ErrorBody },
        },
      },
      async (request) => service.state(await service.find(request.params.id, callerOf(request))),
    )
  }

/** @throws 412, 415 */
function mustSpeakTus({ headers, body }: FastifyRequest, method: string) {
  if (headers['tus-resumable'] !== TUS_VERSION)
    throw new HttpError(412, 'This is the tus protocol: send the header Tus-Resumable: 1.0.0')
  if ((method === 'PATCH' || body) && headers['content-type'] !== CHUNK)
    throw new HttpError(415, `Send the bytes as ${CHUNK}`)
}

/** Ends the body for its reader with what has arrived by now. */
function endEarly(raw: IncomingMessage) {
  if (raw.complete) return
  // Otherwise Node takes the body for interrupted, and closes the connection before the response.
  raw.complete = true
  raw.push(null)
  raw.push = () => true
}

/** The headers that the protocol knows. */
function headersOf({ headers }: FastifyRequest): Record<string, string> {
  const known = Object.entries(headers).filter(([name]) => /^(tus-|upload-|content-(type|length)$)/.test(name))
  return Object.fromEntries(known.map(([name, value]) => [name, String(value)]))
}
