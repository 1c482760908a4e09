import type { FastifyInstance } from 'fastify'
import { HttpError } from '../errors.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * Answers a method that a path does not support with 405 and `Allow` (RFC 9110 §15.5.6), whatever the credentials and
 * the body. Call it before the routes are added. @returns a function to call after all routes are added
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
      // A path with no or all methods needs no such route.
      if (others.length === 0 || others.length === METHODS.length) continue
      const allow = METHODS.filter((method) => methods.has(method)).join(', ')
      app.route({
        method: others,
        url,
        schema: { hide: true } as object,
        config: { holdsSecret: true },
        // After the request is counted.
        preParsing: async (request) => {
          throw new HttpError(405, `${request.method} is not supported on this path. Supported: ${allow}`, { allow })
        },
        handler: async () => {},
      })
    }
  }
}
