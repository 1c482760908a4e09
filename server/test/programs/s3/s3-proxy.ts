import { createServer, type IncomingMessage, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Transform } from 'node:stream'

/** Faults between the service and its S3: the response is lost after S3 processed the request; S3 does not support If-None-Match; a byte changes in transit. */
export type Meddling = 'lose the answer' | 'refuse' | 'damage'

/** A proxy before a real S3 that injects faults. */
export async function startS3Proxy(s3: string, meddle: (request: IncomingMessage) => Meddling | undefined) {
  const { hostname, port } = new URL(s3)
  const server = createServer((request, answer) => {
    const meddling = meddle(request)
    if (meddling === 'refuse') {
      request.resume()
      return void answer.writeHead(501).end('<Error><Code>NotImplemented</Code></Error>')
    }
    const { method, url: path, headers } = request
    const onward = send({ hostname, port, method, path, headers }, (answered) => {
      if (meddling === 'lose the answer') {
        answered.resume().on('end', () => request.socket.destroy())
        return
      }
      answer.writeHead(answered.statusCode!, answered.headers)
      answered.pipe(answer)
    })
    if (meddling === 'damage') request.pipe(damaged()).pipe(onward)
    else request.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

const damaged = () =>
  new Transform({
    transform(piece: Buffer, _encoding, done) {
      const copy = Buffer.from(piece)
      copy[0]! ^= 1
      done(null, copy)
    },
  })
