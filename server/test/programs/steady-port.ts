import { createServer } from 'node:net'

/** Below the range of ephemeral ports, and separate from those of the S3 server. */
const [FIRST, LAST] = [10_000, 17_900]

const given = new Set<number>()

/** A loopback port for a server that is restarted: no outgoing connection takes it meanwhile. @param alsoAt offset of a second port that the server also uses */
export async function steadyPort({ alsoAt = 0 } = {}): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST))
    if (given.has(port) || !(await isFree(port)) || !(await isFree(port + alsoAt))) continue
    given.add(port)
    return port
  }
  throw new Error('There is no free port')
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
