import { randomUUID } from 'node:crypto'
import cors from '@fastify/cors'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { z } from 'zod'
import type { Config } from './config.ts'
import { databaseFault } from './database-faults.ts'
import { HttpError, type Issue } from './errors.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'

type Parts = {
  config: Config
  log: Log
  metrics: Metrics
  /** Once true, every answer asks the client to come back on a new connection. */
  isDraining: () => boolean
}

/** A Fastify that speaks as contract §1 says: one error shape, request ids, strict bodies, answers as plain JSON. Routes are added by the caller. */
export async function createHttp({ config, log, metrics, isDraining }: Parts) {
  const app = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: config.CAIRN_TRUSTED_PROXIES.length > 0 ? config.CAIRN_TRUSTED_PROXIES : false,
    bodyLimit: 1024 * 1024,
    routerOptions: { maxParamLength: 500 },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    http: {
      connectionsCheckingInterval: 1000,
      headersTimeout: 15_000,
      requestTimeout: 600_000,
      keepAliveTimeout: 65_000,
    },
  })
  app.setValidatorCompiler(validator as never)
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply))
  app.setNotFoundHandler((request, reply) =>
    reply.code(404).send({ error: `There is no operation ${request.method} ${request.url.split('?')[0]}` }),
  )
  acceptEmptyJson(app)

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    if (isDraining()) reply.header('connection', 'close')
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    metrics.observeRequest(request.method, route, reply.statusCode, reply.elapsedTime / 1000)
    request.log.info(
      { method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'request',
    )
  })

  const origins = config.CAIRN_CORS_ORIGINS
  await app.register(cors, {
    origin: origins.length === 0 || origins.includes('*') ? '*' : origins,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: ['link', 'retry-after', 'ratelimit', 'x-request-id', 'x-total-count', 'etag'],
    maxAge: 86_400,
  })
  return app
}

/** Validates with zod and keeps zod's codes and paths. A malformed record id in a path is an unknown record: 404. */
const validator =
  ({ schema, httpPart }: { schema: z.ZodType; httpPart?: string }) =>
  (data: unknown) => {
    const result = schema.safeParse(data)
    if (result.success) return { value: result.data }
    const [first] = result.error.issues
    if (httpPart === 'params' && first?.code === 'invalid_format' && first.format === 'uuid')
      return { error: new HttpError(404, first.message) }
    return { error: new HttpError(400, result.error.issues.map(issueOf)) }
  }

const issueOf = ({ code, message, path }: z.core.$ZodIssue): Issue => ({
  code,
  message,
  path: path.map((part) => (typeof part === 'number' ? part : String(part))),
})

/** An empty body with a JSON content type is no body: many clients send one with DELETE. */
function acceptEmptyJson(app: FastifyInstance) {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) =>
    body === '' ? done(null, undefined) : parse(request, body as string, done),
  )
}

/** The one place that turns what was thrown into an answer. */
function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const known = error instanceof HttpError ? error : (databaseFault(error) ?? requestFault(error))
  if (!known) {
    request.log.error({ err: error }, 'internal fault')
    return reply.code(500).send({ error: `Internal error; name request ${request.id} to the operator` })
  }
  if (known.status >= 500) request.log.error({ err: error }, 'could not answer')
  return reply.code(known.status).headers(known.headers).send({ error: known.error })
}

/** What Fastify itself refuses: malformed JSON, a body too large, an unknown content type. */
function requestFault(error: unknown): HttpError | undefined {
  const { statusCode, code, message } = error as { statusCode?: number; code?: string; message?: string }
  if (!statusCode || statusCode < 400 || statusCode >= 500) return undefined
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new HttpError(415, 'This content type is not accepted here; send application/json')
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new HttpError(413, 'The body is larger than 1 MiB')
  if (code === 'FST_ERR_CTP_INVALID_JSON_BODY' || error instanceof SyntaxError)
    return new HttpError(400, `The body is not valid JSON: ${message}`)
  return new HttpError(statusCode, message ?? 'The request is malformed')
}
