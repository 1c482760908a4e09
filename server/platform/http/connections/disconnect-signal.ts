import type { FastifyReply } from 'fastify'

/** Aborts when the connection of a request is closed. */
export function disconnectSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const { raw } = reply
  if (raw.closed || raw.socket?.destroyed) controller.abort()
  else raw.once('close', () => controller.abort())
  return controller.signal
}
