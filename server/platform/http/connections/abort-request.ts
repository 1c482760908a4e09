import { randomUUID } from 'node:crypto'
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpError } from '../../errors.ts'

type BareAnswer = { status: number; sentence: string; headers?: Record<string, string> }

/** How long a sender that was cut off has to read why: a connection closed over bytes that nobody read would take the answer with it. */
const LINGER_MS = 1000

/** Answers on the bare socket, for what never became a request or whose body is not waited for, and closes it. */
export function sendRawResponse(socket: Socket, { status, sentence, headers = {} }: BareAnswer) {
  if (!socket.writable) return void socket.destroy()
  const body = JSON.stringify({ error: sentence })
  const fields = {
    'x-request-id': randomUUID(),
    'x-content-type-options': 'nosniff',
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
    ...headers,
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

/** Takes no more of a body that is still coming in: says why, drops what else is sent, and closes the connection. Whoever reads the body sees it break off. */
export function abortRequest(raw: IncomingMessage, { status, message, headers }: HttpError) {
  const { socket } = raw
  const { _httpMessage: answer } = socket as Socket & { _httpMessage?: { headersSent: boolean } }
  raw.push = () => true
  if (answer?.headersSent) return void socket.destroy()
  sendRawResponse(socket, { status, sentence: message, headers })
}
