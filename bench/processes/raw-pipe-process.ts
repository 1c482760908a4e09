import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

/** The limit: bare `node:http` that pipes each body into a file, and at /hashed computes its SHA-256; without forms, checks, records or sync. */
const [folder] = process.argv.slice(2) as [string]

const server = createServer(async (request, response) => {
  const file = createWriteStream(join(folder, randomBytes(8).toString('hex')))
  if (request.url === '/hashed') {
    const hash = createHash('sha256')
    await pipeline(
      request,
      async function* (body: AsyncIterable<Buffer>) {
        for await (const chunk of body) {
          hash.update(chunk)
          yield chunk
        }
      },
      file,
    )
    response.end(hash.digest('hex'))
  } else {
    await pipeline(request, file)
    response.end()
  }
})
server.requestTimeout = 0
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as { port: number }
  process.send!({ url: `http://127.0.0.1:${port}` })
})
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send!(user + system)
})
process.on('disconnect', () => process.exit(0))
