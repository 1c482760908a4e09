import { STATUS_CODES } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Guards } from '../../platform/credentials/guards.ts'
import { requestErrorOf } from '../../platform/http/requests/request-errors.ts'
import { pathOf } from '../../platform/http/wrong-methods.ts'
import { reasonOf } from './rejection-reason.ts'
import type { Tally } from './tally.ts'

/**
 * Counts every response to a request with a valid app key, even if the operation needs none. Register it before the
 * routes.
 */
export function countCalls(app: FastifyInstance, { tally, guards }: { tally: Tally; guards: Guards }) {
  const templates = new Map<string, string>()
  /** The route as the OpenAPI document writes it: `:id` becomes `{id}`. */
  const templateOf = (url: string) => {
    const template = templates.get(url) ?? url.replaceAll(/:(\w+)/g, '{$1}')
    templates.set(url, template)
    return template
  }

  app.addHook('onResponse', (request, reply, done) => {
    const caller = guards.countedAppOf(request)
    if (!caller) return done()
    const { statusCode: status } = reply
    const at = Date.now()
    // A stream has no meaningful response time.
    const isStream = String(reply.getHeader('content-type')).startsWith('text/event-stream')
    tally.add({ app: caller, status, at, ms: isStream ? undefined : reply.elapsedTime })
    if (status >= 400 && status < 500) {
      const { method } = request
      const reason = reasonOf(requestErrorOf(request) ?? STATUS_CODES[status] ?? '')
      tally.refuse(caller.id, at, { method, route: templateOf(pathOf(request) ?? 'unknown'), status, reason })
    }
    done()
  })
}
