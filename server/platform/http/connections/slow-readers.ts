import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Metrics } from '../../metrics.ts'
import { scheduleEvery } from '../../scheduler.ts'

/** Bytes a second that a reader must take, over `seconds` of our waiting for it. */
const MIN_PER_SECOND = 1024
/** Looks at all answers so many times in that time. */
const LOOKS = 10

type Answer = {
  request: FastifyRequest
  /** Of the whole connection, when its time began: at the first look that found us waiting, after what the system takes at once. */
  takenThen: number
  /** Looks from then on at which it took less than there was. */
  looks: number
}

type Deps = { seconds: number; metrics: Metrics }

/** Closes the connection of who asks for something and then stops taking it, or takes it drop by drop: each holds memory, a file and, where answers come from a database or a storage, a connection there. Time in which we have nothing to give does not count. */
export function abortSlowReaders(app: FastifyInstance, { seconds, metrics }: Deps) {
  const answers = new Set<Answer>()
  const cuts = metrics.counter('cairn_slow_readers_total', 'Connections closed because an answer was taken too slowly')

  app.addHook('onRequest', (request, reply, done) => {
    const answer = { request, takenThen: 0, looks: 0 }
    answers.add(answer)
    reply.raw.once('close', () => answers.delete(answer))
    done()
  })

  /** @returns whether it was cut off */
  function look(answer: Answer): boolean {
    const { socket } = answer.request.raw
    if (socket.destroyed) answers.delete(answer)
    else if (isWaitedFor(socket)) {
      if (answer.looks === 0) answer.takenThen = takenOf(socket)
      answer.looks++
    }
    if (answer.looks <= LOOKS || !answers.has(answer)) return false
    const bytes = takenOf(socket) - answer.takenThen
    answer.looks = 0
    if (bytes >= MIN_PER_SECOND * seconds) return false
    answers.delete(answer)
    cuts.inc()
    answer.request.log.info({ route: answer.request.routeOptions.url, bytes, seconds }, 'a slow reader was cut off')
    socket.destroy()
    return true
  }

  scheduleEvery(app, {
    everyMs: (seconds * 1000) / LOOKS,
    work: async () => {
      // One a turn: with hundreds in one all other requests would wait.
      for (const answer of answers) if (look(answer)) await nextTurn()
    },
    onError: (error) => app.log.error({ err: error }, 'slow readers were not looked at'),
  })
}

type Handle = { bytesWritten: number; writeQueueSize: number }

/** What Node keeps of a connection. A piece that is on its way counts as sent from its first byte for the stream; only here is known how much of it the system took. */
const handleOf = (socket: Socket): Handle =>
  (socket as Socket & { _handle?: Handle | null })._handle ?? { bytesWritten: 0, writeQueueSize: 0 }

const isWaitedFor = (socket: Socket) => handleOf(socket).writeQueueSize > 0

/** Bytes that the system has taken for the reader. */
function takenOf(socket: Socket): number {
  const { bytesWritten, writeQueueSize } = handleOf(socket)
  return bytesWritten - writeQueueSize
}
