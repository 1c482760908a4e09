import { createServer } from 'node:net'

/** Below the range of ephemeral ports, and apart from what the S3 of the tests takes. */
const [FIRST, LAST] = [10_000, 17_900]

const given = new Set<number>()

/** A port of loopback for a server that is ended and started again: no connection that leaves this machine takes it meanwhile. @param alsoAt a server that listens there listens at the port that is so much higher, too */
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
