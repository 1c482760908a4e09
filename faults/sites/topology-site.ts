import { createClient } from '../load/client.ts'
import { type Parts, startTopology } from '../machines/topology.ts'
import type { Context } from '../row.ts'
import { userToken } from './embedded-site.ts'
import { sqlAt } from './sql.ts'

export type TopologySite = Awaited<ReturnType<typeof openTopologySite>>

/** What of a topology a row starts: PostgreSQL 15 with fsync on, and one process that serves. */
const ALONE: Parts = { apis: 1, workers: 0, replica: false, redis: false, s3: false, balancer: false }

/** Processes on a PostgreSQL that can be stopped, with what else the row names, and a client of each process. */
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
    /** Where clients go. */
    client: clientAt(topology.url),
    /** Each process by itself. */
    processes: topology.apis.map(({ url }) => clientAt(url)),
    sql: sqlAt(topology.postgres.url),
    /** A session token of a user who may make points. */
    token: async () => userToken(await topology.settingsOf(0)),
  }
}
