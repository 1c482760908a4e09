import type { FastifyInstance, FastifyRequest } from 'fastify'
import findMyWay from 'find-my-way'
import { HttpError } from '../errors.ts'
import { hiddenMethods } from './hidden-methods.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
type Methods = Set<string>

/** The paths of requests without a route, because their method is not supported. */
const refusedPaths = new WeakMap<FastifyRequest, string>()

/** The path of the route of a request, also if its method is not supported there. */
export const pathOf = (request: FastifyRequest): string | undefined =>
  request.routeOptions.url ?? refusedPaths.get(request)

/**
 * Answers a method that a path does not support with 405 and `Allow` (RFC 9110 §15.5.6), whatever the credentials and
 * the body. Call it before the routes are added. @returns a function to call after all routes are added
 */
export function refuseWrongMethods(app: FastifyInstance, { maxParamLength }: { maxParamLength: number }): () => void {
  const taken = new Map<string, Methods>()
  let isComplete = false
  app.addHook('onRoute', ({ url, method }) => {
    if (isComplete) return
    const methods = taken.get(url) ?? new Set()
    taken.set(url, methods)
    for (const one of [method].flat()) methods.add(one)
  })

  /** Finds the path of a request, whatever its method. Only requests without a route need it. */
  let paths: ReturnType<typeof findMyWay> | undefined
  const pathsOfAll = () => {
    const router = findMyWay({ maxParamLength })
    for (const [path, methods] of taken)
      if (METHODS.some((method) => methods.has(method))) router.on('GET', path, () => {}, { path, methods })
    return router
  }
  const refuse = (request: FastifyRequest): HttpError | undefined => {
    paths ??= pathsOfAll()
    const found = paths.find('GET', request.raw.url!)?.store as { path: string; methods: Methods } | undefined
    if (!found) return undefined
    refusedPaths.set(request, found.path)
    const allow = METHODS.filter((method) => found.methods.has(method)).join(', ')
    return new HttpError(405, `${request.method} is not supported on this path. Supported: ${allow}`, { allow })
  }

  return () => {
    isComplete = true
    // After the request is counted.
    app.addHook('preParsing', (request, _reply, _payload, done) => done(request.is404 ? refuse(request) : undefined))
    // Without a route of its own, DELETE /players would be DELETE /:id.
    const hiddenBy = hiddenMethods(taken)
    for (const [url, methods] of taken) {
      const hidden = hiddenBy(url)
      const others = METHODS.filter((method) => hidden.has(method) && !methods.has(method))
      if (others.length === 0) continue
      app.route({
        method: others,
        url,
        schema: { hide: true } as object,
        config: { holdsSecret: true },
        preParsing: (request, _reply, _payload, done) => done(refuse(request)),
        handler: async () => {},
      })
    }
  }
}
