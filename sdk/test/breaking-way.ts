import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Fault = (incoming: IncomingMessage, response: ServerResponse, pass: () => void) => void

/** A connection to the service that fails as networks do: each request meets the next of `faults`, or passes if none is left. */
export async function breakingWay(target: string) {
  const faults: Fault[] = []
  const seen: { method: string; path: string; headers: IncomingMessage['headers'] }[] = []
  const server = createServer((incoming, response) => {
    seen.push({ method: incoming.method!, path: incoming.url!, headers: incoming.headers })
    const pass = () => forward(target, incoming, response)
    const fault = faults.shift()
    if (fault) fault(incoming, response, pass)
    else pass()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    seen,
    breakAll: () => server.closeAllConnections(),
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

function forward(target: string, incoming: IncomingMessage, response: ServerResponse) {
  const onward = request(
    target + incoming.url,
    { method: incoming.method!, headers: incoming.headers, agent: false },
    (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
      answer.on('error', () => response.destroy())
    },
  )
  onward.on('error', () => response.destroy())
  response.on('close', () => onward.destroy())
  incoming.pipe(onward)
}

export const untouched: Fault = (_incoming, _response, pass) => pass()

/** The service does what it was asked, and its answer is lost. */
export const loseAnswer: Fault = (_incoming, response, pass) => {
  response.writeHead = (() => {
    response.destroy()
    return response
  }) as typeof response.writeHead
  pass()
}

/** The connection breaks after this many bytes of the body. */
export const breakAfter =
  (bytes: number): Fault =>
  (incoming, _response, pass) => {
    let sent = 0
    incoming.on('data', (chunk: Uint8Array) => {
      sent += chunk.length
      if (sent >= bytes) incoming.destroy()
    })
    pass()
  }

/** Something in between answers. */
export const answer =
  (status: number, headers: Record<string, string> = {}): Fault =>
  (_incoming, response) =>
    response.writeHead(status, headers).end('a page of words')
