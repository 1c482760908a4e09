import { randomUUID } from 'node:crypto'
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpError } from '../../errors.ts'

type RawResponse = { status: number; sentence: string; headers?: Record<string, string> }

/** How long a client may read the response before its connection is closed. Closing at once, with unread bytes, would discard the response. */
const LINGER_MS = 1000

/** Writes a response to the raw socket and closes it: for input that never became a request, or whose body is not awaited. */
export function sendRawResponse(socket: Socket, { status, sentence, headers = {} }: RawResponse) {
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

/** Aborts a body: sends the error, drops the rest of the body and closes the connection. Readers of the body see an aborted stream. */
export function abortRequest(raw: IncomingMessage, { status, message, headers }: HttpError) {
  const { socket } = raw
  const { _httpMessage: response } = socket as Socket & { _httpMessage?: { headersSent: boolean } }
  raw.push = () => true
  if (response?.headersSent) return void socket.destroy()
  sendRawResponse(socket, { status, sentence: message, headers })
}
