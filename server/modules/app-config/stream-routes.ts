import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import { needs } from '../../platform/http/docs/openapi.ts'
import type { LiveRecords } from '../../platform/live/live-records.ts'
import { APP_KEY, SESSION } from '../../platform/live/record-stream.ts'
import { Events, EventsQuery, lastEventIdOf, RECORD_EVENTS, sendEvents } from '../../platform/live/sse-response.ts'
import { ErrorBody } from '../../platform/schema.ts'
import type { configCallers } from './callers.ts'
import { AppChoice } from './schema.ts'
import type { ConfigService } from './service.ts'

/** The topic of configurations in the change feed. */
const TOPIC = 'app_config'

type Deps = {
  service: ConfigService
  records: LiveRecords
  guards: Guards
  callers: ReturnType<typeof configCallers>
}

/** The configuration as server-sent events. */
export const configStreamRoutes =
  ({ service, records, guards, callers }: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/config/stream',
      {
        exposeHeadRoute: false,
        config: { clientKey: true },
        schema: {
          tags: ['App configuration'],
          security: [{ appKey: [] }, ...needs.user!],
          operationId: 'streamAppConfig',
          summary: 'Stream the configuration of an app',
          description: `${RECORD_EVENTS} A configuration has no last state. An app can have 1,000 streams, all apps together 4,000. The stream ends when the app key is rotated or deleted.`,
          querystring: AppChoice.extend(EventsQuery.shape),
          response: { 200: Events, 403: ErrorBody, 404: ErrorBody, 503: ErrorBody },
        },
      },
      async (request, reply) => {
        const { appId, keyId, user } = callers.of(request)
        const read = async () => {
          // The stream may outlast the rights that its caller had at its start.
          const caller = user ? { appId, user: { ...(await guards.userNow(request))!, needs: user.needs } } : { appId }
          const { version, value } = await service.get(caller)
          return { record: value, isFinal: false, version }
        }
        const stream = await records.follow(
          { topic: TOPIC, subject: appId, key: `${appId} ${user?.sessionId ?? ''}`, read },
          {
            caller: user ? guards.senderOf(request) : { kind: 'app', id: appId },
            needs: user ? [{ what: SESSION, id: user.sessionId }] : [{ what: APP_KEY, id: keyId! }],
            lastEventId: lastEventIdOf(request, request.query),
          },
        )
        return sendEvents(reply, stream!)
      },
    )
  }
