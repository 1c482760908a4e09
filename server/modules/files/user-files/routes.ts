import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { actorIn, type Guards } from '../../../platform/credentials/guards.ts'
import { needs } from '../../../platform/http/docs/openapi.ts'
import { pageRows } from '../../../platform/http/pages.ts'
import { ErrorBody, SEARCHED } from '../../../platform/schema.ts'
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
          summary: 'The files that the user sent, newest first',
          description: `With \`all=true\`, for ops and admins, everybody’s. ${SEARCHED} A user’s own are all looked through. A kind beside it is looked for among the first 10,000 that are called so. The USDZ of a model is told with the model. How many there are, of everybody’s up to 10,000, is in the header X-Total-Count, the next page in Link.`,
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
          summary: 'One file, with what its conversion noted',
          description: 'For who sent it and ops; to others it is 404.',
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
          summary: 'Delete a file',
          description:
            'By who sent it, or an admin; with its bytes, and the USDZ that was made of it unless another file has the same content. While a scan, a ground control point, an import, a pin, an app or a mini-game type shows it: 409, naming them.',
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
