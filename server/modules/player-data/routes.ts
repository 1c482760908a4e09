import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import { forbidden } from '../../platform/errors.ts'
import { conditionsOf, ReadConditions, sendTagged, WriteConditions } from '../../platform/http/conditions.ts'
import { needs } from '../../platform/http/docs/openapi.ts'
import { PageQuery, pageRows } from '../../platform/http/pages.ts'
import { ErrorBody, pathId } from '../../platform/schema.ts'
import { MAX_VALUE_BYTES, StorageKey, StoredKey, StoredKeyList, StoredValue } from './schema.ts'
import type { StorageService } from './service.ts'

const tags = ['Player data']
const security = needs.appKey
const ofPlayer = z.object({ id: pathId('Player') })
const params = ofPlayer.extend({ key: StorageKey })
const NotModified = z.null().describe('The caller has the current value')

/** Prefix of the keys that a player token can neither read nor write. */
const SERVER_PREFIX = 'server.'

/** Mounted under /api/v1/apps. */
export const storageRoutes =
  ({ service, guards }: { service: StorageService; guards: Guards }): FastifyPluginAsyncZod =>
  async (app) => {
    app.addHook('onRequest', guards.app)
    const assertOwnKey = guards.counted((request) => {
      if (guards.maybePlayerOf(request) && (request.params as { key: string }).key.startsWith(SERVER_PREFIX))
        throw forbidden(`A player token does not allow keys that begin with "${SERVER_PREFIX}": use a server key`)
      return undefined
    })

    app.get(
      '/players/:id/storage',
      {
        schema: {
          tags,
          security,
          operationId: 'listPlayerStorageKeys',
          summary: "List a player's storage keys",
          description: 'Ordered by the bytes of the keys, without the values.',
          params: ofPlayer,
          querystring: PageQuery,
          response: { 200: StoredKeyList, 404: ErrorBody },
        },
      },
      async (request, reply) => {
        const page = await service.list(guards.appOf(request).id, request.params.id, request.query)
        return { keys: pageRows(request, reply, page) }
      },
    )

    app.get(
      '/players/:id/storage/:key',
      {
        config: { clientKey: { ofPlayer: 'id' } },
        onRequest: assertOwnKey,
        schema: {
          tags,
          security,
          operationId: 'getPlayerStorageValue',
          summary: 'Get the value of a storage key',
          description:
            'The response is the value itself. Its `ETag` changes with each write. A player token does not read keys that begin with `server.`.',
          params,
          headers: ReadConditions,
          response: { 200: StoredValue, 304: NotModified, 403: ErrorBody, 404: ErrorBody },
        },
      },
      async (request, reply) => {
        const { id, key } = request.params
        const { value, etag } = await service.get(guards.appOf(request).id, id, key)
        return sendTagged(request, reply, etag, value)
      },
    )

    app.put(
      '/players/:id/storage/:key',
      {
        config: { clientKey: { ofPlayer: 'id' } },
        onRequest: assertOwnKey,
        bodyLimit: MAX_VALUE_BYTES,
        schema: {
          tags,
          security,
          operationId: 'setPlayerStorageValue',
          summary: 'Set the value of a storage key',
          description:
            'Replaces the whole value. With `If-Match`, of several writers that have read the same value exactly one succeeds; the others get 412. Returns 409 if the player has too many keys, or the app too many bytes. A player token does not write keys that begin with `server.`.',
          params,
          headers: WriteConditions,
          body: StoredValue,
          response: { 200: StoredKey, 201: StoredKey, 403: ErrorBody, 404: ErrorBody, 409: ErrorBody, 412: ErrorBody },
        },
      },
      async (request, reply) => {
        const { id, key } = request.params
        const { key: stored, isNew } = await service.put(
          guards.appOf(request).id,
          id,
          key,
          request.body,
          conditionsOf(request),
        )
        return reply
          .code(isNew ? 201 : 200)
          .header('etag', stored.etag)
          .send(stored)
      },
    )

    app.delete(
      '/players/:id/storage/:key',
      {
        config: { clientKey: { ofPlayer: 'id' } },
        onRequest: assertOwnKey,
        schema: {
          tags,
          security,
          operationId: 'deletePlayerStorageValue',
          summary: 'Delete a storage key',
          params,
          headers: WriteConditions,
          response: { 204: z.null(), 403: ErrorBody, 404: ErrorBody, 412: ErrorBody },
        },
      },
      async (request, reply) => {
        const { id, key } = request.params
        await service.remove(guards.appOf(request).id, id, key, conditionsOf(request))
        return reply.code(204).send(null)
      },
    )
  }
