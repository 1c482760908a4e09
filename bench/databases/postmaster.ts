import pg from 'pg'
import { parentOf } from '../measure/process-cpu.ts'

/** Returns the pid of the postmaster of a local PostgreSQL. */
export async function postmasterOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('select pg_backend_pid() as pid')
  const postmaster = await parentOf(rows[0].pid)
  await client.end()
  return postmaster
}
