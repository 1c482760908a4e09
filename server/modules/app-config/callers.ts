import type { FastifyRequest } from 'fastify'
import { assertFullSession, type Guards } from '../../platform/credentials/guards.ts'
import type { Actor } from '../../platform/database/audit.ts'
import { notFound, unauthorized } from '../../platform/errors.ts'
import { isId } from '../../platform/ids.ts'
import type { ConfigCaller } from './service.ts'

const appIdIn = (request: FastifyRequest): string | undefined => {
  const { appId } = request.query as { appId?: unknown }
  return typeof appId === 'string' ? appId : undefined
}

/** Who may use the configuration of an app: its key, or a session with the app's ID in the query. */
export function configCallers(guards: Guards) {
  return {
    /** Hooks that require one of both; otherwise 401. */
    required: [
      guards.optionalAppOrUser,
      guards.counted(async (request) => {
        if (guards.maybeAppOf(request)) return
        const user = guards.maybeUserOf(request)
        if (!user || appIdIn(request) === undefined)
          throw unauthorized('Send your app API key in the header x-app-api-key, or a session of a member and ?appId=')
        assertFullSession(user)
      }),
    ],

    /** @throws 404 for an unknown `appId`, or one that differs from that of the key */
    of(request: FastifyRequest): ConfigCaller {
      const [app, appId] = [guards.maybeAppOf(request), appIdIn(request)]
      if (app) {
        if (appId !== undefined && appId.toLowerCase() !== app.id) throw notFound('App')
        return { appId: app.id, keyId: app.keyId }
      }
      if (appId === undefined || !isId(appId)) throw notFound('App')
      return { appId: appId.toLowerCase(), user: guards.appUserOf(request) }
    },

    actorIn(request: FastifyRequest): Actor {
      const app = guards.maybeAppOf(request)
      return { actor: app ? `app:${app.id}` : guards.userOf(request).id, address: request.ip }
    },
  }
}
