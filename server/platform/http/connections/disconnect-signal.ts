import type { FastifyReply } from 'fastify'

/** Aborts once the connection of a request is closed: then nobody waits for its answer any more. */
export function disconnectSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const { raw } = reply
  if (raw.closed || raw.socket?.destroyed) controller.abort()
  else raw.once('close', () => controller.abort())
  return controller.signal
}
