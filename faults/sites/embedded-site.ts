import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import {
  cleanUp,
  newFolder,
  postgresPid,
  type ServiceProcess,
  startProcess,
  untilReady,
} from '../../server/test/process.ts'
import { runCommand } from '../../server/test/run-command.ts'
import { createClient } from '../load/client.ts'
import type { Context } from '../row.ts'
import { type Sql, sqlAt } from './sql.ts'

/** Limits above the load from one address. */
const NO_LIMITS = {
  CAIRN_LIMIT_KEY_PER_MINUTE: '1000000000',
  CAIRN_LIMIT_PLAYER_PER_MINUTE: '1000000000',
  CAIRN_LIMIT_USER_PER_MINUTE: '1000000000',
  CAIRN_LIMIT_ADDRESS_PER_MINUTE: '1000000000',
  CAIRN_LIMIT_UPLOADS_PER_HOUR: '1000000000',
  CAIRN_LIMIT_UPLOAD_BYTES_PER_HOUR: String(2 ** 50),
  CAIRN_LIMIT_UPLOAD_BYTES_PER_DAY: String(2 ** 52),
  CAIRN_DISK_RESERVE_BYTES: '0',
  CAIRN_DATABASE_RESERVE_BYTES: '0',
}

/** One serving process, as `npm start` runs it: with the embedded PostgreSQL, fsync on, in its own folder. CAIRN_DATABASE_URL in the settings selects another PostgreSQL, `folder` another data folder, which is deleted at the end. */
export async function openEmbeddedSite(
  { after }: Context,
  settings: Record<string, string> = {},
  { folder: given }: { folder?: string } = {},
) {
  const folder = given ?? (await newFolder())
  const all = { ...NO_LIMITS, ...settings }
  let service: ServiceProcess | undefined
  const start = async () => {
    service = await startProcess(folder, { settings: all })
  }
  after(() => cleanUp(folder, service))
  await start()
  const client = createClient(() => service!.url)
  after(client.close)
  const sql: Sql = sqlAt(settings.CAIRN_DATABASE_URL ?? boxAddress(folder))

  return {
    folder,
    client,
    sql,
    /** The current process. */
    service: () => service!,
    /** The PID of the embedded PostgreSQL, while it runs. */
    databasePid: () => postgresPid(folder),
    /** Creates a session token of a user who may create points. */
    token: () => userToken({ CAIRN_DATA_DIR: folder, ...settings }),
    /** Ends the process by this signal. @returns its exit code or the signal, and the time in ms */
    async end(signal: 'SIGKILL' | 'SIGTERM') {
      const start = performance.now()
      service!.child.kill(signal)
      return { code: await service!.ended, ms: performance.now() - start }
    },
    /** Starts the next process. @returns milliseconds until it was ready */
    async start(): Promise<number> {
      const startedAt = performance.now()
      await start()
      if (!(await untilReady(service!.url))) throw new Error(`not ready:\n${service!.output()}`)
      return performance.now() - startedAt
    },
  }
}

/** A session token of a local user with the role ops. @param settings with the database and the secret */
export async function userToken(settings: Record<string, string>): Promise<string> {
  const { code, out, err } = await runCommand(['user', 'token', '--name', 'ada', '--role', 'ops'], settings)
  if (code !== 0) throw new Error(err)
  return out.trim()
}

/** The URL of the embedded PostgreSQL: its socket file and password. */
function boxAddress(folder: string): string {
  const place = realpathSync(join(folder, 'database'))
  const password = readFileSync(join(place, 'password'), 'utf8').trim()
  const socketFolder = readFileSync(join(place, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[4]!
  return `postgres://cairn:${password}@/cairn?host=${encodeURIComponent(socketFolder)}`
}
