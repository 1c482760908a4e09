import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { HttpError } from '../../errors.ts'
import type { Metrics } from '../../metrics.ts'
import { scheduleEvery } from '../../scheduler.ts'
import { hasBody } from '../bodies/body-bytes.ts'
import { abortRequest } from './abort-request.ts'

/** Minimum bytes a second that a client must send or read, while the service waits for it. */
const MIN_PER_SECOND = 1024
/** Checks within the time of a sender; a reader has twice that time. */
const CHECKS = 10

type Exchange = { request: FastifyRequest; reply: FastifyReply }

/** The measurement of one direction. */
type Direction = {
  /** Bytes carried so far by the connection. */
  bytes: (socket: Socket) => number
  isOver: (raw: IncomingMessage) => boolean
  /** Whether the service waits for the client. Other time does not count. */
  isWaiting: (raw: IncomingMessage) => boolean
  checks: number
  abort: (exchange: Exchange) => void
  message: string
}

type Transfer = Exchange & {
  direction: Direction
  /** Bytes at the first check while waiting: earlier ones may be buffered by the system. */
  bytesBefore: number
  /** Number of later checks while waiting. */
  waits: number
}

type Deps = { seconds: number; metrics: Metrics }

/**
 * Closes the connections of clients that stall or trickle: of senders with too few body bytes in `seconds` (408), and of
 * readers with too few response bytes in twice that time. Each holds memory, a file descriptor and, for a response from a
 * database or a storage, a connection there.
 */
export function abortSlowClients(app: FastifyInstance, { seconds, metrics }: Deps) {
  const transfers = new Set<Transfer>()
  const slowSenders = metrics.counter(
    'cairn_slow_senders_total',
    'Connections closed because a body arrived too slowly',
  )
  const slowReaders = metrics.counter(
    'cairn_slow_readers_total',
    'Connections closed because a response was read too slowly',
  )

  const body: Direction = {
    bytes: (socket) => socket.bytesRead,
    isOver: (raw) => raw.complete || raw.destroyed,
    // Node pauses a connection whose body is not read.
    isWaiting: (raw) => !raw.socket.isPaused() && raw.readableLength < raw.readableHighWaterMark,
    checks: CHECKS,
    abort: ({ request: { raw }, reply }) => {
      slowSenders.inc()
      if (reply.raw.headersSent) raw.socket.destroy()
      else
        abortRequest(
          raw,
          new HttpError(408, `The body arrived too slowly: send at least ${MIN_PER_SECOND} bytes a second`),
        )
    },
    message: 'closed the connection of a slow sender',
  }
  const response: Direction = {
    bytes: (socket) => handleOf(socket).bytesWritten - handleOf(socket).writeQueueSize,
    isOver: ({ socket }) => socket.destroyed,
    isWaiting: ({ socket }) => handleOf(socket).writeQueueSize > 0,
    checks: 2 * CHECKS,
    abort: ({ request }) => {
      slowReaders.inc()
      request.raw.socket.destroy()
    },
    message: 'closed the connection of a slow reader',
  }

  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request
    const start = (direction: Direction) => {
      const transfer = { request, reply, direction, bytesBefore: 0, waits: 0 }
      transfers.add(transfer)
      // A body may continue after its response: it is dropped, but not indefinitely.
      reply.raw.once('close', () => (direction === response || raw.complete) && transfers.delete(transfer))
    }
    start(response)
    // An internal request (`inject`) has no connection.
    if (hasBody(raw) && raw.socket instanceof Socket) start(body)
    done()
  })

  /** @returns whether the client was disconnected */
  function check(transfer: Transfer): boolean {
    const { request, direction } = transfer
    const { raw } = request
    if (direction.isOver(raw)) transfers.delete(transfer)
    else if (direction.isWaiting(raw)) {
      if (transfer.waits === 0) transfer.bytesBefore = direction.bytes(raw.socket)
      transfer.waits++
    }
    if (transfer.waits <= direction.checks || !transfers.has(transfer)) return false
    const bytes = direction.bytes(raw.socket) - transfer.bytesBefore
    const waited = (seconds * direction.checks) / CHECKS
    transfer.waits = 0
    if (bytes >= MIN_PER_SECOND * waited) return false
    transfers.delete(transfer)
    request.log.info({ route: request.routeOptions.url, bytes, seconds: waited }, direction.message)
    direction.abort(transfer)
    return true
  }

  scheduleEvery(app, {
    everyMs: (seconds * 1000) / CHECKS,
    work: async () => {
      // One per turn of the event loop: hundreds in one would block all other requests.
      for (const transfer of transfers) if (check(transfer)) await nextTurn()
    },
    onError: (error) => app.log.error({ err: error }, 'failed to check for slow clients'),
  })
}

type Handle = { bytesWritten: number; writeQueueSize: number }

/** Node's handle of a connection. The stream counts a chunk as sent from its first byte; only the handle knows how much the system took. */
const handleOf = (socket: Socket): Handle =>
  (socket as Socket & { _handle?: Handle | null })._handle ?? { bytesWritten: 0, writeQueueSize: 0 }
