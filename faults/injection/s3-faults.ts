import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Transform } from 'node:stream'

/** Faults of S3 for requests other than the service's own probes: none, status 500, a response after 30 seconds, or a changed byte in each body. */
export type S3Weather = 'fair' | 'returns 500' | 'is 30 s slow' | 'returns wrong bytes'

const SLOW_MS = 30_000

/** A proxy before a real S3 that injects faults; they can be changed at any time. */
export async function startS3Faults(s3: string) {
  let weather: S3Weather = 'fair'
  const { hostname, port } = new URL(s3)
  const onward = (request: IncomingMessage, answer: ServerResponse) => {
    const { method, url: path, headers } = request
    const isWrong = weather === 'returns wrong bytes' && method === 'GET'
    const there = send({ hostname, port, method, path, headers }, (answered) => {
      answer.writeHead(answered.statusCode!, answered.headers)
      if (isWrong && answered.headers['content-type'] !== 'application/xml') answered.pipe(oneBitOff()).pipe(answer)
      else answered.pipe(answer)
    })
    there.on('error', () => answer.destroy())
    request.on('error', () => there.destroy())
    request.pipe(there)
  }
  const server = createServer((request, answer) => {
    if (weather === 'returns 500') {
      request.resume()
      return void answer.writeHead(500).end('<Error><Code>InternalError</Code></Error>')
    }
    if (weather !== 'is 30 s slow') return onward(request, answer)
    const timer = setTimeout(() => onward(request, answer), SLOW_MS)
    request.socket.once('close', () => clearTimeout(timer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    set: (next: S3Weather) => {
      weather = next
    },
    stop: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Flips one bit of the last byte of each chunk. */
const oneBitOff = () =>
  new Transform({
    transform(piece: Buffer, _encoding, done) {
      const copy = Buffer.from(piece)
      copy[copy.length - 1]! ^= 1
      done(null, copy)
    },
  })
