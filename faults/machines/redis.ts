import { Redis } from 'ioredis'
import { requirePrograms } from '../../server/test/programs/debian-packages.ts'
import { startRedis as startServer } from '../../server/test/programs/redis-server.ts'
import { steadyPort } from '../../server/test/programs/steady-port.ts'
import { pause } from './pause.ts'

/** A Redis on a port that stays its own, which keeps nothing when it ends. */
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
    /** It forgets all it knew, and goes on. */
    async flush(): Promise<void> {
      const client = new Redis(server.url)
      await client.flushall()
      client.disconnect()
    },
    /** Ends it at once. */
    kill: () => server.stop(),
    /** Starts it again, empty. */
    async start(): Promise<void> {
      server = await startServer({ port })
    },
    /** It stands still: connections stay open and nothing answers. @returns what lets it go on */
    pause: () => pause(server.child),
    stop: () => server.stop(),
  }
}
