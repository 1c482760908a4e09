import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Guards } from '../../../platform/credentials/guards.ts'
import { type CollectionId, collectionIds } from '../schema.ts'

const READS = ['GET', 'HEAD', 'OPTIONS']
const WRITES = { items: ['POST'], one: ['PUT', 'PATCH', 'DELETE'] }

/**
 * The methods of features for the caller, in `Allow` (OGC API Features part 4, 6.4): QGIS offers editing by them. Whose a
 * feature is makes no difference, as QGIS asks for one and means the layer. Browsers' preflights are answered too.
 */
export const optionsRoutes =
  ({ guards }: { guards: Guards }): FastifyPluginAsync =>
  async (app) => {
    const mayWrite = async (request: FastifyRequest, id: CollectionId): Promise<boolean> => {
      const { user } = await guards.namedBy(request)
      return user ? user.scope !== 'read' : id === 'gcps' && guards.openWrites
    }

    const answer = async (request: FastifyRequest, reply: FastifyReply, allowed: string[], all: string[]) => {
      if (request.headers['access-control-request-method'] !== undefined)
        reply.headers({
          'access-control-allow-methods': all.join(', '),
          'access-control-allow-headers': request.headers['access-control-request-headers'] ?? '',
          'access-control-max-age': '86400',
        })
      return reply.header('allow', allowed.join(', ')).header('vary', 'Authorization').code(200).send()
    }

    for (const id of collectionIds)
      for (const [path, writes] of [
        [`/collections/${id}/items`, WRITES.items],
        [`/collections/${id}/items/:featureId`, WRITES.one],
      ] as const)
        app.options(path, { schema: { hide: true } as object, config: OWN_PREFLIGHT }, async (request, reply) => {
          const allowed = (await mayWrite(request, id)) ? [...READS, ...writes] : READS
          return answer(request, reply, allowed, [...READS, ...writes])
        })
  }

/** The CORS plugin adds its headers, and leaves the answer to the route. */
const OWN_PREFLIGHT = { cors: { preflight: false } } as object
