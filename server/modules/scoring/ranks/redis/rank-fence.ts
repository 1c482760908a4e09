import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { scoreApplication } from '../../scores/score-connections.ts'
import { ranksApplication } from '../rank-cluster.ts'

/** How long a process may take to register again, e.g. after PostgreSQL lost all rows. Then its connections are ended. */
const JOIN_MS = 5_000
const LOOK_MS = 25

type Seen = { generation: string | null; joined: string[]; out: string[]; connected: string[] }

const LOOK = `
  select (select generation from rank_generation) as generation,
         array(select id::text from rank_processes where not is_out) as joined,
         array(select id::text from rank_processes where is_out) as out,
         array(select distinct application_name from pg_stat_activity
                where datname = current_database()
                  and (starts_with(application_name, '${ranksApplication}') or starts_with(application_name, '${scoreApplication}'))) as connected`

/** A process does not publish its commits: no board can be loaded until it does. */
class ToldByNobody extends Error {
  constructor() {
    super('A process cannot reach Redis: ranks come from the database until it can')
  }
}

/**
 * Waits until all statements that may change a best score belong to processes that publish to Redis, and ends those of dead
 * processes. A later snapshot, together with the changes published from before it, is complete.
 * @returns the generation of a board loaded now. @throws ToldByNobody
 */
export async function rankFence(pool: pg.Pool): Promise<string> {
  const began = performance.now()
  for (;;) {
    const { rows } = await pool.query<Seen>({ name: 'rank_fence', text: LOOK })
    const { generation, joined, out, connected } = rows[0]!
    if (out.length > 0) throw new ToldByNobody()
    const named = (application: string) =>
      connected.filter((name) => name.startsWith(application)).map((name) => name.slice(application.length))
    const here = new Set(joined)
    const joining = new Set(named(ranksApplication).filter((id) => !here.has(id)))
    // Every process with ranks has a registered connection; a score statement without one is left over.
    const gone = named(scoreApplication).filter((id) => !here.has(id) && !joining.has(id))
    if (generation !== null && joining.size === 0 && gone.length === 0) return generation
    const isLate = performance.now() - began > JOIN_MS
    await end(pool, isLate ? [...gone, ...joining] : gone)
    await sleep(LOOK_MS)
  }
}

async function end(pool: pg.Pool, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  const names = ids.flatMap((id) => [scoreApplication + id, ranksApplication + id])
  await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = any($1)`,
    [names],
  )
}
