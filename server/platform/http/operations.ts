import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { bearerOf } from '../credentials/bearer.ts'
import { HttpError } from '../errors.ts'
import { checkHealth } from '../health-check.ts'
import type { Metrics } from '../metrics.ts'

type Deps = {
  metrics: Pick<Metrics, 'text' | 'contentType'>
  metricsToken: string | undefined
  /** While true, the service reports that it is not ready, without running the checks. */
  isDraining: () => boolean
  /** Checks that must pass before the service is ready, by name. */
  checks: Record<string, () => Promise<unknown>>
}

/** Endpoints for orchestrators: liveness, readiness and metrics. */
export function operationsRoutes(app: FastifyInstance, { metrics, metricsToken, isDraining, checks }: Deps) {
  const hide = { schema: { hide: true } as object, config: { limit: 'none' as const } }

  app.get('/healthz', hide, async () => ({ status: 'ok' }))

  app.get('/readyz', hide, async (_request, reply) => {
    if (isDraining()) return reply.code(503).send({ status: 'not ready', checks: { running: 'failed' } })
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => {
        const { fault } = await checkHealth(check)
        return [name, fault ? 'failed' : 'ok'] as const
      }),
    )
    const ready = results.every(([, outcome]) => outcome === 'ok')
    return reply
      .code(ready ? 200 : 503)
      .send({ status: ready ? 'ok' : 'not ready', checks: { running: 'ok', ...Object.fromEntries(results) } })
  })

  app.get('/metrics', hide, async (request, reply) => {
    const forwarded = request.headers['x-forwarded-for'] ?? request.headers.forwarded ?? request.headers.via
    const local = /^(127\.|::1$|::ffff:127\.)/.test(request.socket.remoteAddress ?? '') && !forwarded
    const allowed = metricsToken ? sameText(bearerOf(request) ?? '', metricsToken) : local
    if (!allowed)
      throw new HttpError(
        401,
        'Metrics require the value of CAIRN_METRICS_TOKEN as Bearer token. If it is not set, they are available only from this machine',
      )
    return reply.type(metrics.contentType).send(await metrics.text())
  })
}

/** Compares secrets of any length in constant time. */
const sameText = (a: string, b: string) => timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'))
