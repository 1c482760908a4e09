import type { FastifyInstance } from 'fastify'
import { HttpError } from '../errors.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * Answers a method that a path does not have with 405 and those it has in `Allow` (RFC 9110 §15.5.6), whoever asks and
 * whatever is sent. To be called before the routes are added. @returns what to call once they are all there
 */
export function refuseWrongMethods(app: FastifyInstance): () => void {
  const taken = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const methods = taken.get(url) ?? new Set()
    taken.set(url, methods)
    for (const one of [method].flat()) methods.add(one)
  })

  return () => {
    for (const [url, methods] of [...taken]) {
      const others = METHODS.filter((method) => !methods.has(method))
      // What has no method to read or to write by is a preflight's.
      if (others.length === 0 || others.length === METHODS.length) continue
      const allow = METHODS.filter((method) => methods.has(method)).join(', ')
      app.route({
        method: others,
        url,
        schema: { hide: true } as object,
        config: { holdsSecret: true },
        // Once it was counted.
        preParsing: async (request) => {
          throw new HttpError(405, `${request.method} is not a method of this path: it takes ${allow}`, { allow })
        },
        handler: async () => {},
      })
    }
  }
}
