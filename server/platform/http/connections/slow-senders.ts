import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { HttpError } from '../../errors.ts'
import type { Metrics } from '../../metrics.ts'
import { scheduleEvery } from '../../scheduler.ts'
import { hasBody } from '../bodies/body-bytes.ts'
import { abortRequest } from './abort-request.ts'

/** Bytes a second that a sender must come to, over `seconds` of our listening. */
const MIN_PER_SECOND = 1024
/** Looks at all bodies so many times in that time. */
const LOOKS = 10

type Body = {
  request: FastifyRequest
  reply: FastifyReply
  /** Of the whole connection, when its time began. */
  bytesThen: number
  /** Looks since then at which more could have come. */
  looks: number
}

type Deps = { seconds: number; metrics: Metrics }

/** Cuts off who begins a body and then stops or trickles: 408, and the connection is closed. Time in which we do not take what is sent (we are busy; what came is not read yet) is no sender's fault and does not count. */
export function abortSlowSenders(app: FastifyInstance, { seconds, metrics }: Deps) {
  const bodies = new Set<Body>()
  const cuts = metrics.counter('cairn_slow_senders_total', 'Connections closed because a body came too slowly')

  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request
    // A request from within the process (`inject`) has no connection.
    if (!hasBody(raw) || !(raw.socket instanceof Socket)) return done()
    const body = { request, reply, bytesThen: raw.socket.bytesRead, looks: 0 }
    bodies.add(body)
    // A body may go on after its answer: it is dropped then, but not for ever.
    reply.raw.once('close', () => raw.complete && bodies.delete(body))
    done()
  })

  /** @returns whether it was cut off */
  function look(body: Body): boolean {
    const { raw } = body.request
    if (raw.complete || raw.destroyed) bodies.delete(body)
    else if (!isHeldUp(raw)) body.looks++
    if (body.looks < LOOKS || !bodies.has(body)) return false
    const came = raw.socket.bytesRead - body.bytesThen
    if (came >= MIN_PER_SECOND * seconds) {
      Object.assign(body, { bytesThen: raw.socket.bytesRead, looks: 0 })
      return false
    }
    bodies.delete(body)
    cuts.inc()
    body.request.log.info({ route: body.request.routeOptions.url, bytes: came, seconds }, 'a slow sender was cut off')
    if (body.reply.raw.headersSent) raw.socket.destroy()
    else
      abortRequest(raw, new HttpError(408, `The body came too slowly: send at least ${MIN_PER_SECOND} bytes a second`))
    return true
  }

  scheduleEvery(app, {
    everyMs: (seconds * 1000) / LOOKS,
    work: async () => {
      // One a turn: with hundreds in one all other requests would wait.
      for (const body of bodies) if (look(body)) await nextTurn()
    },
    onError: (error) => app.log.error({ err: error }, 'slow senders were not looked at'),
  })
}

/** Whether it is we who do not go on: Node stops reading a connection whose body nobody takes. */
const isHeldUp = (raw: IncomingMessage) => raw.socket.isPaused() || raw.readableLength >= raw.readableHighWaterMark
