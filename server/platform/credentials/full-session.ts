import type { FastifyInstance, FastifyRequest } from 'fastify'
import { actorIn, assertFullSession, type Guards } from './guards.ts'

type Routes = Pick<FastifyInstance, 'addHook'>

/**
 * Restricts the routes of a plugin to full sessions. No response is stored by a cache. @returns a function that reads the
 * actor of a request for the audit log
 */
export function restrictToFullSessions(routes: Routes, guards: Guards) {
  routes.addHook('onRequest', guards.user)
  routes.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    assertFullSession(guards.userOf(request))
  })
  return (request: FastifyRequest) => actorIn(guards.userOf(request), request)
}

/**
 * The same for admins of the app that the path names by `id`. @returns a function that reads the app and the caller from a
 * request
 */
export function restrictToAppAdmins(routes: Routes, guards: Guards) {
  routes.addHook('onRoute', (route) => {
    route.config = { ...route.config, appRole: 'admin' }
  })
  restrictToFullSessions(routes, guards)
  return (request: FastifyRequest) => {
    const user = guards.appUserOf(request)
    return { appId: (request.params as { id: string }).id, user, actor: actorIn(user, request) }
  }
}
