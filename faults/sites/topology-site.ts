import { createClient } from '../load/client.ts'
import { type Parts, startTopology } from '../machines/topology.ts'
import type { Context } from '../row.ts'
import { userToken } from './embedded-site.ts'
import { sqlAt } from './sql.ts'

export type TopologySite = Awaited<ReturnType<typeof openTopologySite>>

/** The default topology of a row: PostgreSQL 15 with fsync on, and one serving process. */
const ALONE: Parts = { apis: 1, workers: 0, replica: false, redis: false, s3: false, balancer: false }

/** Starts processes on a stoppable PostgreSQL with the requested parts, and a client for each process. */
export async function openTopologySite({ after }: Context, parts: Parts = {}) {
  const topology = await startTopology({ ...ALONE, ...parts })
  after(topology.stop)
  const clientAt = (url: string) => {
    const client = createClient(() => url)
    after(client.close)
    return client
  }
  return {
    ...topology,
    /** A client of the entry point. */
    client: clientAt(topology.url),
    /** A client of each process. */
    processes: topology.apis.map(({ url }) => clientAt(url)),
    sql: sqlAt(topology.postgres.url),
    /** Creates a session token of a user who may create points. */
    token: async () => userToken(await topology.settingsOf(0)),
  }
}
