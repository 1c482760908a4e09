import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Transform } from 'node:stream'

/** What S3 does to requests that are not about the service's own probes: it answers as it should, says 500, begins its answer after 30 seconds, or changes a byte of what it hands out. */
export type S3Weather = 'fair' | 'says 500' | 'is 30 s slow' | 'hands out wrong bytes'

const SLOW_MS = 30_000

/** Stands before a real S3 and does to it what the weather is; it can change at any time. */
export async function startS3Faults(s3: string) {
  let weather: S3Weather = 'fair'
  const { hostname, port } = new URL(s3)
  const onward = (request: IncomingMessage, answer: ServerResponse) => {
    const { method, url: path, headers } = request
    const isWrong = weather === 'hands out wrong bytes' && method === 'GET'
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
    if (weather === 'says 500') {
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

/** The last byte of each piece has one bit turned. */
const oneBitOff = () =>
  new Transform({
    transform(piece: Buffer, _encoding, done) {
      const copy = Buffer.from(piece)
      copy[copy.length - 1]! ^= 1
      done(null, copy)
    },
  })
