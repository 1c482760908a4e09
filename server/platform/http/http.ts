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
import { HttpError, invalid } from '../errors.ts'
import type { Log } from '../logging/log.ts'
import type { Metrics } from '../metrics.ts'
import { hasBody } from './bodies/body-bytes.ts'
import { notUtf8 } from './bodies/body-encodings.ts'
import { exceedsDepth, formatKibibytes, MAX_BODY_BYTES, MAX_BODY_LEVELS } from './bodies/body-limits.ts'
import { sendRawResponse } from './connections/abort-request.ts'
import { rememberRequestError } from './request-errors.ts'
import { requestLog } from './request-log.ts'
import { validator } from './validation.ts'

type Deps = {
  config: Config
  log: Log
  metrics: Metrics
  /** Once true, every answer asks the client to come back on a new connection. */
  isDraining: () => boolean
}

/** What scripts of other origins may read of an answer: of the last, what a client of resumable uploads reads (https://tus.io/protocols/resumable-upload), and ours about the file. */
const EXPOSED_HEADERS = [
  'link',
  'retry-after',
  'ratelimit',
  'x-request-id',
  'x-total-count',
  'etag',
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

/** A Fastify with what all operations have in common: one error shape, request ids, strict bodies, answers as plain JSON. Routes are added by the caller. */
export async function createHttp({ config, log, metrics, isDraining }: Deps) {
  const app = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: requestLog,
    genReqId: () => randomUUID(),
    trustProxy: config.CAIRN_TRUSTED_PROXIES.length > 0 ? config.CAIRN_TRUSTED_PROXIES : false,
    bodyLimit: MAX_BODY_BYTES,
    routerOptions: { maxParamLength: 16_384 },
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
  app.setValidatorCompiler(validator as never)
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply))
  app.setNotFoundHandler((request, reply) =>
    reply.code(404).send({ error: `There is no operation ${request.method} ${request.url.split('?')[0]}` }),
  )
  app.removeContentTypeParser('text/plain')
  readJson(app)

  // Hooks that every request passes are told the end by a call: a promise each is a tenth of what a small answer costs.
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    // It is answered at once and nobody reads or watches its body, which no browser sends: whoever does is not waited for.
    if (request.method === 'OPTIONS' && hasBody(request.raw)) reply.header('connection', 'close')
    done()
  })
  // At the end of a request, so that those under way when the draining begins say it too.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isDraining()) reply.header('connection', 'close')
    done(null, payload)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    const { statusCode: status, elapsedTime } = reply
    // A stream of events lasts as long as somebody listens: that is not the time to answer.
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

const WITHOUT_LAST_SLASH = /^\/(?:api|auth|ogc)\//

/** A slash at the end of a path of the API makes no difference. */
function withoutLastSlash(url: string): string {
  const end = url.indexOf('?')
  const path = end < 0 ? url : url.slice(0, end)
  if (!path.endsWith('/') || !WITHOUT_LAST_SLASH.test(path)) return url
  return path.slice(0, -1) + url.slice(path.length)
}

/** Lets scripts of other origins read answers (CORS). @param origins none: of all */
async function answerOtherOrigins(app: FastifyInstance, origins: string[]) {
  const isOpen = origins.length === 0 || origins.includes('*')
  // One text: a list is joined anew for each answer.
  const exposedHeaders = EXPOSED_HEADERS.join(', ')
  if (isOpen) {
    // What is the same for all is said without asking: then the plugin has preflights to answer, and what no route does.
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

/** How often a server that closes looks for connections that have become idle. */
const IDLE_LOOK_MS = 100

/** Browsers open connections ahead of need. One that never sent a byte counts as busy for Node, and would hold up the end. */
function closeUnusedConnections(app: FastifyInstance) {
  const open = new Set<Socket>()
  let timer: NodeJS.Timeout | undefined
  app.server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  app.addHook('preClose', async () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
    // Node closes those that are idle at this moment; one whose last answer is just going out would stay for its keep-alive time.
    timer = setInterval(() => app.server.closeIdleConnections(), IDLE_LOOK_MS).unref()
  })
  app.addHook('onClose', async () => clearInterval(timer))
}

const TOO_DEEP = invalid([{ code: 'custom', message: `is nested more than ${MAX_BODY_LEVELS} deep`, path: [] }])

/** Reads JSON bodies. An empty one is no body (many clients send the content type with DELETE); members that could reach a prototype are dropped, as unknown ones are. */
export function readJson(app: FastifyInstance) {
  const parse = app.getDefaultJsonParser('remove', 'remove')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    if (bytes.length === 0) return done(null, undefined)
    const fault = notUtf8(request.headers['content-type']!, bytes as Buffer)
    if (fault) return done(fault)
    const body = bytes.toString()
    if (exceedsDepth(body, MAX_BODY_LEVELS)) return done(TOO_DEEP)
    void parse(request, body, (error, value) => done(error ? new HttpError(400, whyNotJson(body)) : null, value))
  })
}

/** What is wrong with it, and where, in the words of JSON.parse. */
function whyNotJson(body: string): string {
  try {
    JSON.parse(body)
    return 'The body is not valid JSON'
  } catch (error) {
    return `The body is not valid JSON: ${(error as Error).message}`
  }
}

/** What is not HTTP at all, or has headers too large, never becomes a request; it is answered on the bare socket. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket) {
  const [status, sentence] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'The headers are larger than 16 KiB']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'The request took too long to arrive']
        : [400, 'This is not a valid HTTP request']
  sendRawResponse(socket, { status: status as number, sentence: sentence as string })
}

/** The one place that turns what was thrown into an answer. */
function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  // What no route was found for came past the hook that sets these.
  reply.header('x-request-id', request.id)
  reply.header('x-content-type-options', 'nosniff')
  // A stream that failed before its first byte may have been announced as compressed.
  for (const name of ['content-encoding', 'etag']) reply.removeHeader(name)
  const known =
    error instanceof HttpError
      ? error
      : (cutOffFault(error, request) ?? databaseError(error) ?? requestFault(error, request))
  if (!known) {
    request.log.error({ err: error }, 'internal fault')
    return reply.code(500).send({ error: `Internal error; name request ${request.id} to the operator` })
  }
  if (known.status >= 500) request.log.error({ err: error }, 'could not answer')
  rememberRequestError(request, known.error)
  return reply.code(known.status).headers(known.headers).send({ error: known.error })
}

/** The sender went away before the end of its body. Node tells that as it tells of a broken connection to anything else. */
const cutOffFault = (error: unknown, { raw }: FastifyRequest): HttpError | undefined =>
  error === raw.errored ? new HttpError(400, 'The request was cut off: send it again, whole') : undefined

/** What Fastify itself refuses: malformed JSON, a body too large, an unknown content type. */
function requestFault(error: unknown, { routeOptions: { bodyLimit } }: FastifyRequest): HttpError | undefined {
  const { statusCode, code, message } = error as { statusCode?: number; code?: string; message?: string }
  if (!statusCode || statusCode < 400 || statusCode >= 500) return undefined
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new HttpError(415, 'This content type is not accepted here; send application/json')
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new HttpError(413, `The body is larger than ${formatKibibytes(bodyLimit)}: send less at once`)
  if (code === 'FST_ERR_BAD_URL') return new HttpError(400, 'The address is not validly percent-encoded')
  return new HttpError(statusCode, message ?? 'The request is malformed')
}
