import { Redis } from 'ioredis'
import { requirePrograms } from '../../server/test/programs/debian-packages.ts'
import { startRedis as startServer } from '../../server/test/programs/redis/redis-server.ts'
import { steadyPort } from '../../server/test/programs/steady-port.ts'
import { pause } from './pause.ts'

/** A Redis on a fixed port, without persistence. */
export async function startRedis() {
  requirePrograms('/usr/bin/redis-server')
  const port = await steadyPort()
  let server = await startServer({ port })
  return {
    url: server.url,
    port,
    get child() {
      return server.child
    },
    /** Deletes all data. */
    async flush(): Promise<void> {
      const client = new Redis(server.url)
      await client.flushall()
      client.disconnect()
    },
    /** Kills it. */
    kill: () => server.stop(),
    /** Starts it again, empty. */
    async start(): Promise<void> {
      server = await startServer({ port })
    },
    /** Suspends it: connections stay open and nothing responds. @returns a function that resumes it */
    pause: () => pause(server.child),
    stop: () => server.stop(),
  }
}
