import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import cors from '@fastify/cors'
import fastify, {
  type FastifyBaseLogger,
  type FastifyContextConfig,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Config } from '../config.ts'
import { databaseError } from '../database/database-errors.ts'
import { HttpError } from '../errors.ts'
import type { Log } from '../logging/log.ts'
import type { Metrics } from '../metrics.ts'
import { hasBody } from './bodies/body-bytes.ts'
import { formatBytes, MAX_BODY_BYTES } from './bodies/body-limits.ts'
import { readJson } from './bodies/json-bodies.ts'
import { sendRawResponse } from './connections/abort-request.ts'
import { rememberRequestError } from './requests/request-errors.ts'
import { requestLog } from './requests/request-log.ts'
import { validator } from './validation.ts'
import { pathOf } from './wrong-methods.ts'

type Deps = {
  config: Config
  log: Log
  metrics: Metrics
  /** While true, every response closes its connection, so that clients reconnect elsewhere. */
  isDraining: () => boolean
}

/**
 * Response headers that scripts of other origins may read; the last ones are for clients of resumable uploads
 * (https://tus.io/protocols/resumable-upload), and our own about the file.
 */
const EXPOSED_HEADERS = [
  'link',
  'retry-after',
  'ratelimit',
  'x-request-id',
  'x-total-count',
  'etag',
  'content-crs',
  'transformation',
  'location',
  'tus-resumable',
  'tus-version',
  'tus-extension',
  'tus-max-size',
  'upload-offset',
  'upload-length',
  'upload-defer-length',
  'upload-metadata',
  'upload-expires',
  'upload-file-id',
  'upload-file-url',
]

/** How paths are matched. */
export const ROUTER = { maxParamLength: 16_384 }

/**
 * Creates a Fastify with what all operations share: one error format, request IDs, strict bodies, plain JSON responses.
 * The caller adds the routes.
 */
export async function createHttp({ config, log, metrics, isDraining }: Deps) {
  const app = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: requestLog,
    genReqId: () => randomUUID(),
    trustProxy: config.CAIRN_TRUSTED_PROXIES.length > 0 ? config.CAIRN_TRUSTED_PROXIES : false,
    bodyLimit: MAX_BODY_BYTES,
    routerOptions: ROUTER,
    rewriteUrl: ({ url }) => withoutLastSlash(url!),
    frameworkErrors: (error, request, reply) => answerError(error, request, reply),
    clientErrorHandler: answerBrokenRequest,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    http: {
      connectionsCheckingInterval: 1000,
      headersTimeout: 15_000,
      requestTimeout: 600_000,
      keepAliveTimeout: 65_000,
    },
  })
  namePlugins(app)
  app.setValidatorCompiler(validator as never)
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply))
  app.setNotFoundHandler((request, reply) =>
    reply.code(404).send({ error: `There is no operation ${request.method} ${request.url.split('?')[0]}` }),
  )
  app.removeContentTypeParser('text/plain')
  readJson(app)

  // Hooks on every request use callbacks: a promise each would add a tenth to the cost of a small response.
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    // Preflights are answered at once and their body is never read, so a client that sends one must not keep the
    // connection.
    if (request.method === 'OPTIONS' && hasBody(request.raw)) reply.header('connection', 'close')
    done()
  })
  // Set at the end, so that requests running when the draining starts say it too.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isDraining()) reply.header('connection', 'close')
    done(null, payload)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const route = pathOf(request) ?? 'unknown'
    const { statusCode: status, elapsedTime } = reply
    // An event stream has no meaningful response time.
    const isStream = String(reply.getHeader('content-type')).startsWith('text/event-stream')
    if (!isStream) metrics.observeRequest(request.method, route, status, elapsedTime / 1000)
    if (log.isLevelEnabled('info'))
      log.info({ reqId: request.id, method: request.method, route, status, ms: Math.round(elapsedTime) }, 'request')
    done()
  })

  closeUnusedConnections(app)

  await answerOtherOrigins(app, config.CAIRN_CORS_ORIGINS)
  return app
}

const PLUGIN_NAME = Symbol.for('fastify.display-name')

/** Gives each plugin a name: for one without, Fastify searches all loaded files, which took a tenth of a start. */
function namePlugins(app: FastifyInstance): void {
  const register = app.register as (this: FastifyInstance, plugin: object, options?: object) => never
  app.register = function (this: FastifyInstance, plugin: { name?: string; [PLUGIN_NAME]?: string }, options?: object) {
    plugin[PLUGIN_NAME] ??= plugin.name || 'plugin'
    return register.call(this, plugin, options)
  } as never
}

const WITHOUT_LAST_SLASH = /^\/(?:api|auth|ogc)\//

/** A trailing slash in an API path makes no difference. */
function withoutLastSlash(url: string): string {
  const end = url.indexOf('?')
  const path = end < 0 ? url : url.slice(0, end)
  if (!path.endsWith('/') || !WITHOUT_LAST_SLASH.test(path)) return url
  return path.slice(0, -1) + url.slice(path.length)
}

/** Allows scripts of other origins to read responses (CORS). @param origins empty allows all */
async function answerOtherOrigins(app: FastifyInstance, origins: string[]) {
  const isOpen = origins.length === 0 || origins.includes('*')
  // Joined once: a list would be joined for each response.
  const exposedHeaders = EXPOSED_HEADERS.join(', ')
  if (isOpen) {
    // Headers equal for all origins are set here, which leaves the plugin preflights and unknown routes only.
    app.addHook('onRequest', (request, reply, done) => {
      if (request.raw.method !== 'OPTIONS') {
        reply.header('access-control-allow-origin', '*')
        reply.header('access-control-expose-headers', exposedHeaders)
      }
      done()
    })
    app.addHook('onRoute', (route) => {
      if (!String(route.method).includes('OPTIONS'))
        route.config = { ...route.config, cors: false } as FastifyContextConfig
    })
  }
  await app.register(cors, {
    origin: isOpen ? '*' : origins,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders,
    maxAge: 86_400,
    strictPreflight: false,
  })
}

/** How often a closing server looks for idle connections. */
const IDLE_LOOK_MS = 100

/**
 * Browsers open connections ahead of need; Node counts one that never sent a byte as busy, which would delay closing.
 */
function closeUnusedConnections(app: FastifyInstance) {
  const open = new Set<Socket>()
  let timer: NodeJS.Timeout | undefined
  app.server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  app.addHook('preClose', async () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
    // Node closes connections that are idle now; one that is just finishing its last response would stay for its
    // keep-alive time.
    timer = setInterval(() => app.server.closeIdleConnections(), IDLE_LOOK_MS).unref()
  })
  app.addHook('onClose', async () => clearInterval(timer))
}

/** Input that is not HTTP, or has oversized headers, never becomes a request; it is answered on the raw socket. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket) {
  const [status, sentence] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'The headers are larger than 16 KiB']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'The request took too long to arrive']
        : [400, 'This is not a valid HTTP request']
  sendRawResponse(socket, { status: status as number, sentence: sentence as string })
}

/** The one place that turns errors into responses. */
function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  // A request without a route has not passed the hook that sets these.
  reply.header('x-request-id', request.id)
  reply.header('x-content-type-options', 'nosniff')
  // A stream that fails before its first byte may already be declared as compressed.
  for (const name of ['content-encoding', 'etag']) reply.removeHeader(name)
  const known =
    error instanceof HttpError
      ? error
      : (cutOffFault(error, request) ?? databaseError(error) ?? requestFault(error, request))
  if (!known) {
    request.log.error({ err: error }, 'internal error')
    return reply.code(500).send({ error: `Internal error. Report the request ID ${request.id} to the operator` })
  }
  if (known.status >= 500) request.log.error({ err: error }, 'failed to respond')
  rememberRequestError(request, known.error)
  return reply.code(known.status).headers(known.headers).send({ error: known.error })
}

/** The client closed the connection before the end of the body; Node reports it like any broken connection. */
const cutOffFault = (error: unknown, { raw }: FastifyRequest): HttpError | undefined =>
  error === raw.errored ? new HttpError(400, 'The request body is incomplete: send the request again') : undefined

/** Errors of Fastify itself: malformed JSON, an oversized body, an unknown content type. */
function requestFault(error: unknown, { routeOptions: { bodyLimit } }: FastifyRequest): HttpError | undefined {
  const { statusCode, code, message } = error as { statusCode?: number; code?: string; message?: string }
  if (!statusCode || statusCode < 400 || statusCode >= 500) return undefined
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new HttpError(415, 'This content type is not accepted here; send application/json')
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new HttpError(413, `The body is larger than ${formatBytes(bodyLimit)}: send less per request`)
  if (code === 'FST_ERR_BAD_URL') return new HttpError(400, 'The URL is not validly percent-encoded')
  return new HttpError(statusCode, message ?? 'The request is malformed')
}
