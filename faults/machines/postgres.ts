import { startDebianPostgres } from '../../server/test/programs/debian-postgres.ts'
import { steadyPort } from '../../server/test/programs/steady-port.ts'
import { pause } from './pause.ts'

export type Postgres = Awaited<ReturnType<typeof startPostgres>>

/** As an operator sets one up that others follow. What is acknowledged is on the disk. */
const SETTINGS = {
  fsync: 'on',
  wal_level: 'replica',
  max_wal_senders: 5,
  wal_keep_size: '256MB',
  max_connections: 200,
  hot_standby: 'on',
}

/** A PostgreSQL that several processes work on. @param settings beside those above */
export async function startPostgres({ settings = {} as Record<string, string | number> } = {}) {
  const postgres = await startDebianPostgres({ port: await steadyPort(), settings: { ...SETTINGS, ...settings } })
  return {
    ...controlsOf(postgres),
    /** A streaming replica of it, made by pg_basebackup. */
    async startReplica() {
      const replica = await startDebianPostgres({
        port: await steadyPort(),
        settings: { ...SETTINGS, ...settings },
        fill: (folder, program) =>
          program('pg_basebackup', '-d', postgres.url, '-D', folder, '-R', '-X', 'stream', '-c', 'fast'),
      })
      return controlsOf(replica)
    },
  }
}

/** What a fault does to a PostgreSQL. */
function controlsOf(postgres: Awaited<ReturnType<typeof startDebianPostgres>>) {
  const { url, port, folder, start, stop, stopImmediate, program } = postgres
  return {
    url,
    port,
    folder,
    get child() {
      return postgres.child
    },
    stop,
    stopImmediate,
    /** Ends it in order, with its clients' transactions, and keeps what it holds: `start` goes on. */
    stopFast: () => postgres.end('SIGINT'),
    /** SIGKILL to the postmaster; its children notice by themselves. */
    kill: () => postgres.end('SIGKILL'),
    start,
    /** All of its processes stand still: connections stay open and nothing answers. @returns what lets them go on */
    pause: () => pause(postgres.child),
    /** Makes a replica a primary of its own. */
    promote: () => program('pg_ctl', 'promote', '-w', '-D', `${folder}/data`),
  }
}
