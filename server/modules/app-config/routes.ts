import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import { conditionsOf, quoteTag, ReadConditions, sendTagged, WriteConditions } from '../../platform/http/conditions.ts'
import { needs } from '../../platform/http/docs/openapi.ts'
import { PageQuery, pageRows } from '../../platform/http/pages.ts'
import type { LiveRecords } from '../../platform/live/live-records.ts'
import { ErrorBody, pathInteger } from '../../platform/schema.ts'
import { configCallers } from './callers.ts'
import {
  AppChoice,
  AppConfig,
  AppConfigVersion,
  AppConfigVersionList,
  MAX_CONFIG_BYTES,
  MAX_VERSIONS,
} from './schema.ts'
import type { ConfigService } from './service.ts'
import { configStreamRoutes } from './stream-routes.ts'

const tags = ['App configuration']
const security = [{ appKey: [] }, ...needs.user!]
const errors = { 403: ErrorBody, 404: ErrorBody }
const NotModified = z.null().describe('The caller has the current configuration')

type Deps = { service: ConfigService; records: LiveRecords; guards: Guards }

/** Mounted under /api/v1/apps. */
export const configRoutes =
  ({ service, records, guards }: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    const callers = configCallers(guards)
    for (const hook of callers.required) app.addHook('onRequest', hook)
    await app.register(configStreamRoutes({ service, records, guards, callers }))

    app.get(
      '/config',
      {
        config: { clientKey: true },
        schema: {
          tags,
          security,
          operationId: 'getAppConfig',
          summary: 'Get the configuration of an app',
          description: 'The response is the configuration itself; its `ETag` is the version in quotation marks.',
          querystring: AppChoice,
          headers: ReadConditions,
          response: { 200: AppConfig, 304: NotModified, ...errors },
        },
      },
      async (request, reply) => {
        const { version, value } = await service.get(callers.of(request))
        return sendTagged(request, reply, String(version), value)
      },
    )

    app.put(
      '/config',
      {
        bodyLimit: MAX_CONFIG_BYTES,
        schema: {
          tags,
          security,
          operationId: 'setAppConfig',
          summary: 'Set the configuration of an app',
          description: `Replaces the whole configuration and makes it the next version. The last ${MAX_VERSIONS} versions are kept; to restore one, get it and send it here. Sending the current configuration again changes nothing. With \`If-Match\`, of several writers that have read the same version exactly one succeeds; the others get 412.`,
          querystring: AppChoice,
          headers: WriteConditions,
          body: AppConfig,
          response: { 200: AppConfigVersion, 201: AppConfigVersion, ...errors, 412: ErrorBody },
        },
      },
      async (request, reply) => {
        const caller = callers.of(request)
        const { version, isNew } = await service.put(
          caller,
          request.body,
          conditionsOf(request),
          callers.actorIn(request),
        )
        return reply
          .code(isNew ? 201 : 200)
          .header('etag', quoteTag(version.version))
          .send(version)
      },
    )

    app.get(
      '/config/versions',
      {
        schema: {
          tags,
          security,
          operationId: 'listAppConfigVersions',
          summary: 'List the versions of the configuration',
          description: `Newest first, without the configurations. The last ${MAX_VERSIONS} are kept.`,
          querystring: PageQuery.extend(AppChoice.shape),
          response: { 200: AppConfigVersionList, ...errors },
        },
      },
      async (request, reply) => ({
        versions: pageRows(request, reply, await service.versions(callers.of(request), request.query)),
      }),
    )

    app.get(
      '/config/versions/:version',
      {
        schema: {
          tags,
          security,
          operationId: 'getAppConfigVersion',
          summary: 'Get an earlier version of the configuration',
          params: z.object({ version: pathInteger.describe('Version') }),
          querystring: AppChoice,
          headers: ReadConditions,
          response: { 200: AppConfig, 304: NotModified, ...errors },
        },
      },
      async (request, reply) => {
        const { version, value } = await service.get(callers.of(request), request.params.version)
        return sendTagged(request, reply, String(version), value)
      },
    )
  }
