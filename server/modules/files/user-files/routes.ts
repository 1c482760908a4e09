import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { actorIn, type Guards } from '../../../platform/credentials/guards.ts'
import { needs } from '../../../platform/http/docs/openapi.ts'
import { pageRows } from '../../../platform/http/pages.ts'
import { ErrorBody, NEWEST_FOUND, SEARCHED } from '../../../platform/schema.ts'
import { UserFileDetail, UserFileList, UserFileParams, UserFileQuery } from './schema.ts'
import type { UserFiles } from './service.ts'

const tags = ['Files']
const security = needs.user

/** Mounted under /api/v1. */
export const userFileRoutes =
  ({ service, guards }: { service: UserFiles; guards: Guards }): FastifyPluginAsyncZod =>
  async (app) => {
    app.addHook('onRequest', guards.user)
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })

    app.get(
      '/user/files',
      {
        schema: {
          tags,
          security,
          operationId: 'listFiles',
          summary: "List the caller's uploaded files",
          description: `Newest first. With \`all=true\`, lists everyone's files; requires ops or admin. ${SEARCHED} ${NEWEST_FOUND} \`kind\` filters only the first 10,000 matches. The caller's own files are searched in full. The results of its conversions are part of a model's entry. \`X-Total-Count\` has the number of files (with \`all=true\`, up to 10,000), \`Link\` the next page.`,
          querystring: UserFileQuery,
          response: { 200: UserFileList, 403: ErrorBody },
        },
      },
      async (request, reply) => ({
        files: pageRows(request, reply, await service.list(guards.userOf(request), request.query)),
      }),
    )

    app.get(
      '/user/files/:fileId',
      {
        schema: {
          tags,
          security,
          operationId: 'getFile',
          summary: 'Get a file and its conversion report',
          description: 'Returns 404 for everyone but the uploader and ops.',
          params: UserFileParams,
          response: { 200: UserFileDetail, 404: ErrorBody },
        },
      },
      async (request) => service.get(guards.userOf(request), request.params.fileId),
    )

    app.delete(
      '/user/files/:fileId',
      {
        schema: {
          tags,
          security,
          operationId: 'deleteFile',
          summary: 'Delete a file',
          description:
            'Available to the uploader and admins. Also deletes the bytes, and the results of its conversions unless another file has the same content. Returns 409, naming the records, while a scan, a ground control point, an import, a pin, an app or a mini game type of its owner or of ops uses the file.',
          params: UserFileParams,
          response: { 204: z.null().describe('Deleted'), 403: ErrorBody, 404: ErrorBody, 409: ErrorBody },
        },
      },
      async (request, reply) => {
        const user = guards.userOf(request)
        await service.remove(user, request.params.fileId, actorIn(user, request))
        return reply.code(204).send(null)
      },
    )
  }
